# `__add__` and `__radd__` of a class.
import torch

class Dual:
    def __init__(self, v, d):
        self.v, self.d = v, d

    def __add__(self, other):
        return Dual(self.v + other.v, self.d + other.d)

    def __mul__(self, other):
        return Dual(self.v * other.v, self.v * other.d + self.d * other.v)

def step(x):  # region
    a = Dual(x, torch.ones(2))
    return (a * a + a).d

for _ in range(5):
    step(torch.ones(2))
