# Counts in classes of objects that collections free: what a finalizer changes was not read before, and is not written over.
import gc


class Node:
    alive = 0
    made = 0

    def __init__(self, k):
        Node.alive += 1
        self.me = self
        Node.made += k - k + 1

    def __del__(self):
        Node.alive -= 1


total = 0


class Pair:
    def __init__(self, other=None):
        global total
        total += 1
        self.other = Pair(self) if other is None else other
        counts["alive"] += 1
        items = [self, [self]]
        counts["items"] += len(items)

    def __del__(self):
        global total
        total -= 1
        counts["alive"] -= 1
        counts["items"] -= 2


counts = {"alive": 0, "items": 0}


def numbers(n):
    for i in range(n):
        hold = [i]
        hold.append(hold)
        yield Node(i)


def in_function(n):
    count = [0]

    class Local:
        def __init__(self):
            count[0] += 1
            self.cycle = (self, [count])

        def __del__(self):
            count[0] -= 1

    made = 0
    for _ in range(n):
        Local()
        made += 1
    gc.collect()
    return made, count


for size in (1000, 2500):
    for i in range(size):
        Node(i)
    for _ in range(size):
        Pair()
    for node in numbers(size):
        pass
    [Node(k) for k in range(size)]
    node = None
    gc.collect()
    print(size, Node.alive, Node.made, total, counts, in_function(size))
