# `min` and `max` of numbers are selects.
import torch

def step(x, t):  # region
    return x * max(0.0, min(t, 1.0))

for i in range(5):
    step(torch.ones(2), i / 3)
