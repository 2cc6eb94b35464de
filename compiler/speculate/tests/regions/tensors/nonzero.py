# How many elements are not zero is an extent that the graph computes.
import torch

def step(x):  # region
    return x.nonzero() * 2

for _ in range(5):
    step(torch.ones(3))
