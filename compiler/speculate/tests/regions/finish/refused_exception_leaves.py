# An exception object leaves the region.
import torch

def step(x):  # region
    y = x * 2
    try:
        raise ValueError("kept")
    except ValueError as e:
        kept = e
    return y, kept

for _ in range(5):
    step(torch.ones(2))
