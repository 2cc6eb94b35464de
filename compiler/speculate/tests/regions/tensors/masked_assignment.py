# `x[mask] = 0` needs no length: it is a select.
import torch

def step(x):  # region
    y = x.clone()
    y[y > 0.5] = 0.0
    return y

for _ in range(5):
    step(torch.ones(3))
