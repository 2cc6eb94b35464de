# `a < b < c` of numbers that the graph computes.
import torch

def step(x):  # region
    s = x.sum().item()
    return x * 2 if 0 < s < 100 else x

for i in range(5):
    step(torch.ones(2))
