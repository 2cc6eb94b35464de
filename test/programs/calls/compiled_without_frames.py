"""Compiled functions that natives and tier 0 call without a frame: what they raise, whom they see, what changes meanwhile."""
import functools
import gc
import heapq
import sys
import traceback
import weakref


def key(x):
    t = 0
    for k in range(3):
        t += x * k
    return t - 7


print(sorted(range(20), key=key)[:3], max(range(500), key=key), sum(map(key, range(3000))))


def raising(x):
    t = 0
    for k in range(4):
        t += 10 // (x - 2500)
    return t


def call_it():
    return list(map(raising, range(2400, 3000)))


for _ in range(3):
    try:
        call_it()
    except ZeroDivisionError as e:
        print(e, [(f.name, f.lineno) for f in traceback.extract_tb(e.__traceback__)])


def who(x):
    for k in range(3):
        x += 1
    f = sys._getframe(1)
    return f.f_code.co_name, sys._getframe().f_lineno


def asks():
    seen = set()
    for i in range(300):
        seen.update(map(who, range(2)))
    return seen


print(sorted(asks()))


class Item:
    def __init__(self, n):
        self.n = n
        self.seen = 0

    def __lt__(self, other):
        self.seen += 1
        for k in range(2):
            pass
        return self.n < other.n

    def __eq__(self, other):
        for k in range(2):
            pass
        return self.n == other.n

    def __hash__(self):
        h = 0
        for k in range(2):
            h += self.n
        return h


heap = []
for i in range(800):
    heapq.heappush(heap, Item(i * 37 % 101))
print([heapq.heappop(heap).n for _ in range(6)], sum(i.seen for i in heap))
d = {}
for i in range(2000):
    d[Item(i % 50)] = i
print(len(d), d[Item(7)])


def depth(n, f):
    t = 0
    for k in range(2):
        t += k
    if n == 0:
        return t
    return f[0](n - 1, f) + 1


fs = [depth]
for _ in range(100):
    depth(20, fs)
try:
    depth(10**6, fs)
except RecursionError as e:
    print(type(e).__name__, str(e)[:32])
print(depth(500, fs))


def default(a, b=2, *, c=3):
    t = 0
    for k in range(3):
        t += a + b + c
    return t


print(sum(default(i) + default(i, 1) + default(i, 2, c=1) for i in range(500)))


def closed(n):
    k = n

    def inner(x):
        t = 0
        for j in range(3):
            t += x + k
        return t

    return inner


a, b = closed(1), closed(100)
print(sum(map(a, range(500))), sum(map(b, range(500))), sum(map(closed(2.5), range(500))))

scale = 2


def scaled(x):
    t = 0
    for k in range(3):
        t += x * scale
    return t


out = []
for scale in (1, 2, 2.5, "ab", 3):
    out.append(list(map(scaled, range(3)))[-1] if scale != "ab" else None)
    if scale != "ab":
        out.append(sum(map(scaled, range(400))))
print(out)


def mixed(x):
    t = x
    for k in range(3):
        t = t + x
    return t


vals = [1, 2.5, "s", (1,), [2], 10**20, True, 2**62]
print([list(map(mixed, [v] * 100))[0] for v in vals] * 1)
for _ in range(50):
    r = list(map(mixed, vals * 5))
print(r[:8])


def dies(x):
    t = 0
    for k in range(3):
        t += len(x)
    return weakref.ref(x[0])


class Node:
    pass


alive = 0
for i in range(600):
    r = list(map(dies, [[Node(), Node()]]))[0]
    alive += r() is not None
print(alive)


def cyc(x):
    n = Node()
    n.me = n
    n.x = x
    for k in range(3):
        pass
    return x


gc.collect()
before = len(gc.get_objects())
total = sum(map(cyc, range(20000)))
gc.collect()
print(total, len(gc.get_objects()) - before < 50)


def swap(x):
    global scaled
    for k in range(3):
        pass
    if x == 700:
        scaled = key
    return scaled(1)


scale = 2
print(sum(map(swap, range(1000))))


def again(x):
    t = 0
    for k in range(3):
        t += x
    return t


first = sum(map(again, range(500)))
again.__code__ = key.__code__
print(first, sum(map(again, range(500))))


def gen_in(x):
    t = 0
    for k in range(3):
        t += k
    return (i + t for i in range(x))


print(sum(sum(g) for g in map(gen_in, [3] * 400)))


@functools.lru_cache(None)
def cached(n):
    t = 0
    for k in range(2):
        t += k
    return n if n < 2 else cached(n - 1) + cached(n - 2) + t - 1


print(cached(80))


def locs(x):
    y = x + 1
    for k in range(3):
        y += k
    return sorted(locals().items())


print([locs(i) for i in range(200)][-1])


def deleted(x):
    y = x
    for k in range(3):
        y += k
    if x == 399:
        del y
    return y


try:
    print(len(list(map(deleted, range(400)))))
except UnboundLocalError as e:
    print(e)
