# `nonlocal`: a cell of the region.
import torch

def step(x):  # region
    count = 0

    def add(y):
        nonlocal count
        count += 1
        return y * count

    return add(x) + add(x)

for _ in range(5):
    step(torch.ones(2))
