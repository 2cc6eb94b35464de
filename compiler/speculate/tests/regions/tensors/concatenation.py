# `cat` and `stack`.
import torch

def step(a, b):  # region
    return torch.cat([a, b]) + torch.stack([a[0], a[1], b[0], b[1]])

for _ in range(5):
    step(torch.ones(2), torch.ones(2))
