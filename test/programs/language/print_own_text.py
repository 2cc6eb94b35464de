# What a script's own __repr__ and __str__ make, by themselves and in containers, printed in a hot loop.
from collections import namedtuple
from dataclasses import dataclass

import torch


class Meter:
    def __init__(self, v=0.0):
        self.v = v

    def __repr__(self):
        return f"<{self.v:.2f}>"


class Named(Meter):
    def __str__(self):
        return f"S{self.v:.1f}"


@dataclass
class Point:
    a: float
    b: str = "x"


Pair = namedtuple("Pair", "x y")
meters = {"a": Meter(), "b": Named()}
meter = Meter()
w = torch.ones(3)
for i in range(12):
    w = w * 1.1
    meters["a"].v = w.sum().item()
    meter.v = meters["a"].v * 2
    items = [meter, "s", 1.5, [meter, None]]
    print(i, meters, items, (meter,), (meter, 2), {"k": [meter]})
    print(f"{meter!r} {meter} {meter!r:>9}| {items}", str(items), repr(meters), [str(meter)], repr([repr(meter)]))
    print(Point(meter.v), [Point(1.0)], {1: (meter, "q")}, [meters["b"]], meters["b"], f"{meters['b']!s:>6}")
    items.append(items[0])
    print(*items, Pair(1, 2), sep=";")
