# A recursion that ends where the graph's own values say.
import torch

def shrink(x):
    if x.sum() < 1:
        return x
    return shrink(x * 0.5)

def step(x):  # region
    return shrink(x) + 1

for i in range(8):
    step(torch.full((2,), i + 1.0))
