"""Deques made in a region and from outside: compared, changed at both ends, in other containers."""
from collections import deque

import torch

torch.manual_seed(0)
kept = deque([1, 2], maxlen=3)


def same(n, x):
    de, other = deque([n, 1, 2], maxlen=3), deque([n, 1, 2])
    return x * 0.9 + n, de == other, de != deque([1, 1, 2]), other == [n, 1, 2], de is other, [other] == [de]


def outside(n, x):
    kept.append(n)
    return x * 0.9 + n, kept == deque([1, 2, n]), kept == deque([n]), n in kept, list(kept)


def changed(n, x):
    de = deque([n, 1, 2])
    de.insert(1, 9)
    de.remove(1)
    before = list(de)
    de.extendleft([4, 5])
    de[0] = 8
    del de[1]
    de += [6]
    return x * 0.9 + n, before, list(de), de.copy() == de, de.count(6), de.index(2), bool(deque())


x = torch.randn(3)
for f in (same, outside, changed):
    for i in range(30):
        x, *told = f(i % 5, x)
        print(i, told, f"{x.sum().item():.3f}")
