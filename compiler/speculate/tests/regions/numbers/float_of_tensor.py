# `item` and `float` take a number out of a tensor.
import torch

def step(x):  # region
    return x / (float(x.sum()) + x.max().item())

for i in range(5):
    step(torch.ones(2))
