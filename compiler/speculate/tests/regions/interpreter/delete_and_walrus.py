# `del` of a local, and a name bound inside of an expression.
import torch

def step(x):  # region
    y = x * 2
    if (s := y.shape[0]) > 1:
        z = y + s
    del y
    return z

for _ in range(5):
    step(torch.ones(2))
