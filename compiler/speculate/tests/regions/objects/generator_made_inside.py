# A generator that is consumed where it is made is a part of the region.
import torch

def powers(x, n):
    y = x
    for _ in range(n):
        yield y
        y = y * x

def step(x):  # region
    return sum(powers(x, 3))

for _ in range(5):
    step(torch.ones(2))
