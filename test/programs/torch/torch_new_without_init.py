# expect: line 42 tier 2
# Classes with a __new__ of their own: what it takes is nothing to object.__init__; an __init__ runs on what is an instance, even an old one.
import numpy as np
import torch


class Kind:
    known = {}

    def __new__(cls, name, scale=1.0):
        if name not in cls.known:
            made = object.__new__(cls)
            made.name, made.scale = name, scale
            cls.known[name] = made
        return cls.known[name]


class Pair:
    def __new__(cls, a, b):
        pair = object.__new__(cls)
        pair.a, pair.b = a, b
        return pair


class Counted:
    one = None

    def __new__(cls, x):
        if cls.one is None:
            cls.one = object.__new__(cls)
            cls.one.times = 0
        return cls.one

    def __init__(self, x):
        self.times += 1
        self.x = x


half = Kind("half", 0.5)
total = torch.zeros(())
x = torch.arange(4.0)
for i in range(40):
    pair = Pair(x * i, Kind("half", 3.0).scale)
    total = total + (pair.a * pair.b).sum() + np.dtype(np.float32).itemsize
    kind = np.dtype("int64").type(i)
    total = total + x[int(kind) % 4]
print(total.item(), np.dtype(np.dtype(np.int8)).name)

for i in range(20):
    c = Counted(x + i)
    total = total + c.x.sum() * c.times
print(total.item(), Counted.one.times, Counted.one.x.tolist())
for bad in (lambda: Pair(1), lambda: object.__new__(Pair, 1)):
    try:
        bad()
    except TypeError as e:
        print(e)
