"""Generators, map() and named tuples that a branch decides on."""
from collections import namedtuple

import torch

torch.manual_seed(0)
P = namedtuple("P", "a b")


def ones(v):
    yield v
    yield v + 1


def twos(v):
    yield v * 2
    yield v * 3
    yield v * 4


def inc(v):
    return v + 1


def double(v):
    return v * 2


def generators(i, c):
    g = ones(i) if c else twos(i)
    return next(g), list(g)


def expressions(i, c):
    items = [i, 2, 3]
    g = (v for v in items) if c else (v * 2 for v in items)
    return list(g)


def maps(i, c):
    it = iter([i, 2, 3])
    m = map(inc, it) if c else map(double, it)
    return next(m), list(m), list(it)


def tuples(i, c):
    p = P(0, 0)
    if c:
        p = p._replace(a=i)
    return [p, (1, 2)], {"p": p}, (p,), f"{p} {[p]}"


x = torch.randn(3)
for f in (generators, expressions, maps, tuples):
    for i in range(30):
        x = x * 0.9 + 0.01
        told = f(i, float(x.sum()) > 0)
        print(i, told, f"{x.sum().item():.3f}")
        x = x - (0.5 if i % 3 else -0.9)
