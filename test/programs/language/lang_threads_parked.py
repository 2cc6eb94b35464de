"""A daemon that looks in from time to time does not hold the program up; sets of weak references; widths of characters."""

import threading
import unicodedata
import weakref


class Monitor(threading.Thread):
    def __init__(self):
        super().__init__(daemon=True)
        self.killed = threading.Event()
        self.seen = []
        self.start()

    def run(self):
        while True:
            self.killed.wait(1000)
            if self.killed.is_set():
                return
            self.seen.append(1)


monitor = Monitor()
print(monitor.is_alive(), monitor.seen, threading.current_thread() is threading.main_thread())


class Node:
    def __init__(self, name):
        self.name = name


nodes = [Node(name) for name in "abc"]
known = weakref.WeakSet(nodes[:2])
other = known.copy()
other.add(nodes[2])
print(len(known), len(other), sorted(n.name for n in other - known), sorted(n.name for n in known | other))
print(known.issubset(other), (known & other) == known, known.isdisjoint([nodes[2]]), other.pop() in nodes)
del nodes[0]
print(sorted(n.name for n in known))
print([unicodedata.east_asian_width(c) for c in "aé中Ａｱ¢α‐🙂 \u3000한"])
