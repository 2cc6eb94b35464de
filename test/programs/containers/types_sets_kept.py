# Sets that live outside: looked into, added to, combined; frozensets, and ints that move among them.
import torch

seen = set()
kinds = {("up", True), ("down", False)}
EVEN = frozenset([0, 2, 4])


def mark(x, i):
    up = i % 2 != 0
    kinds.add(("up" if up else "down", up))
    kinds.add(("rare", i % 4 == 3))
    if i % 4 in EVEN:
        x = x + 1
    if i % 4 in {1, 2}:
        x = x * 0.5
    seen.add(i % 4)
    both = seen & {0, 1, 9}
    rest = seen - both
    every = both | {9} | rest
    extra = {"a", i % 2}
    extra |= {"a"}
    extra.discard("b")
    return x * len(both) * 0.3 - len(rest) + len(every), len(extra), 9 in every and 9 not in seen


x = torch.ones(3)
for i in range(160):  # expect: tier 2, at most 45 entries in tier 0
    x, n, found = mark(x, i)
    if i % 40 == 39:
        print(i, [f"{v:.4f}" for v in x.tolist()], n, found, sorted(seen))
print(sorted(kinds), len(seen))


def tag(x, tags, name):
    if name in tags:
        return x - len(tags)
    tags.add(name)
    return x * 2


NAMES = ["a", "b", "c", "d"]
tags = set()
y = torch.ones(2)
for i in range(100):
    y = tag(y, tags, NAMES[i % 4]) * 0.5
    if i == 45:
        tags = {"c"}
print([f"{v:.4f}" for v in y.tolist()], sorted(tags))


def compare(x, i):
    first, second = {"a", i % 2}, {1, "a"}
    table, other = {"x": 1, "y": i % 3}, {"y": 1, "x": 1}
    if first == second and table != other:
        x = x + 1
    return x * 0.9, first != {0, "a"}, table == other


y = torch.ones(2)
same = 0
for i in range(60):
    y, p, q = compare(y, i)
    same += p + 2 * q
print([f"{v:.4f}" for v in y.tolist()], same)
