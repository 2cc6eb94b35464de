# Sides that return meet behind the function.
import torch

def pick(x):
    if x.sum() > 0:
        return x * 2
    return x - 1

def step(x):  # region
    return pick(x) + 1

for i in range(6):
    step(torch.ones(2) * (i % 2 - 0.5))
