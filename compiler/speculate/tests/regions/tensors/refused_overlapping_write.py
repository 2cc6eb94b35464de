# An in-place operation that may read a part of what it writes: PyTorch raises there.
import torch

def step(x):  # region
    y = x * 2
    try:
        y[1:].add_(y[:-1])
    except RuntimeError:
        pass
    return y

for _ in range(5):
    step(torch.ones(4))
