# A choice of two functions: the call runs once for each.
import torch

def step(x):  # region
    f = torch.tanh if x.sum() > 0 else torch.sigmoid
    return f(x)

for i in range(6):
    step(torch.ones(2) * (i % 2 - 0.5))
