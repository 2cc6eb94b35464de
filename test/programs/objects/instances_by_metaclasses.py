"""Classes with metaclasses that leave calls to `type`: abstract bases, registries; their instances are made in hot code."""
from abc import ABC, ABCMeta, abstractmethod

import torch

made = []


class Registered(type):
    names = []

    def __new__(mcls, name, bases, space):
        mcls.names.append(name)
        return super().__new__(mcls, name, bases, space)

    def __instancecheck__(cls, other):
        return hasattr(other, "scale")


class Layer(ABC):
    def __init__(self, scale):
        self.scale = scale

    @abstractmethod
    def forward(self, x): ...

    def __call__(self, x):
        return self.forward(x)


class Linear(Layer):
    def forward(self, x):
        return x * self.scale + 1


class Square(Layer):
    def forward(self, x):
        return x * x * self.scale


class Record(metaclass=Registered):
    def __init__(self, value):
        self.value = value


class Counted(metaclass=ABCMeta):
    count = 0

    def __new__(cls, x):
        Counted.count += 1
        return object.__new__(cls)

    def __init__(self, x):
        self.x = x


class Singleton(type):
    kept = {}

    def __call__(cls, *args):
        if cls not in Singleton.kept:
            Singleton.kept[cls] = super().__call__(*args)
        return Singleton.kept[cls]


class One(metaclass=Singleton):
    def __init__(self, x):
        self.x = x


def step(x, i):
    layer = Linear(2.0) if i % 2 else Square(0.5)
    y = layer(x)
    record = Record(y.sum())
    return Counted(record.value + x.mean()).x


total = torch.zeros(())
for i in range(40):
    total = total + step(torch.full((3,), float(i % 5)), i)
print(total, Counted.count, Registered.names)
print(isinstance(Linear(1.0), Record), isinstance(3, Record))

for i in range(20):
    total = total + One(torch.full((2,), float(i))).x.sum()
print(total)


def abstract(x):
    try:
        return Layer(x)
    except TypeError as error:
        return str(error).split(" with")[0]


for i in range(12):
    told = abstract(torch.ones(2) * i)
print(told)


def square_in_time(x, i):
    return Square(x.sum()).scale


found = torch.zeros(())
for i in range(24):
    if i == 16:
        # From here on the class makes something else of a call.
        Registered.__call__ = lambda cls, value: value * 10
    found = found + square_in_time(torch.ones(2), i)
    value = Record(torch.ones(2).sum() * i)
    found = found + (value if isinstance(value, torch.Tensor) else value.value)
print(found)
