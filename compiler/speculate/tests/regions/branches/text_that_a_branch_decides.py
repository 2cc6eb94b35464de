# Text that a branch decides on is one of a few, and can be a key.
import torch

losses = {"high": 1.0, "low": 2.0}

def step(x):  # region
    kind = "high" if x.sum() > 0 else "low"
    return x * losses[kind]

for i in range(6):
    step(torch.ones(2) * (i % 2 - 0.5))
