# An `is` that found two objects becomes a guard that they are two.
import torch

def step(a, b):  # region
    if a is b:
        return a
    return a + b

for _ in range(5):
    step(torch.ones(2), torch.ones(2))
