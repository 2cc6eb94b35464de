# One side raises, and the caller catches it.
import torch

def checked(x):
    if x.sum() < 0:
        raise ValueError("negative")
    return x * 2

def step(x):  # region
    try:
        return checked(x)
    except ValueError:
        return x * 0

for i in range(6):
    step(torch.ones(2) * (i % 2 - 0.5))
