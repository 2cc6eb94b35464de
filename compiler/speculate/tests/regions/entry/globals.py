# A global is guarded by its namespace; a module and a function by identity.
import torch

scale = 3
weight = torch.ones(2)

def double(x):
    return x * 2

def step(x):  # region
    return double(x) * weight + scale

for _ in range(5):
    step(torch.ones(2))
