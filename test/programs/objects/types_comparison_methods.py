# Comparisons of the user's classes: the opposite of __eq__, NotImplemented, derived classes, total_ordering.
import functools
from dataclasses import dataclass

import torch


@dataclass
class Point:
    v: int


@functools.total_ordering
class Ordered:
    def __init__(self, v):
        self.v = v

    def __eq__(self, other):
        return self.v == other.v

    def __lt__(self, other):
        return self.v < other.v


class Careful:
    def __init__(self, v):
        self.v = v

    def __eq__(self, other):
        if not isinstance(other, Careful):
            return NotImplemented
        return self.v == other.v


class Derived(Careful):
    def __eq__(self, other):
        return True


class Unequal:
    def __ne__(self, other):
        return "unequal"


fixed, moving = Point(1), Point(1)
careful = Careful(1)
tally = [0] * 12
x = torch.zeros(2)
for i in range(40):
    x = x + i
    moving.v = i % 2
    results = [
        Point(1) != Point(i % 2),
        fixed != moving,
        Ordered(1) != Ordered(i % 2),
        Ordered(1) <= Ordered(i % 3),
        Ordered(1) > Ordered(i % 3),
        careful == i,
        careful != i,
        careful != Careful(i % 2),
        careful == Derived(5),
        careful != Derived(5),
        Unequal() != 1,
        [Point(1)] != [Point(i % 2)],
    ]
    if fixed != moving:
        x = x - 1
    for k, r in enumerate(results):
        tally[k] += bool(r)
try:
    careful < 3
except TypeError as e:
    print(e)
print(tally, x)
