# `torch.where` is a select.
import torch

def step(x):  # region
    return torch.where(x > 0, x, x * 0.1)

for _ in range(5):
    step(torch.ones(3))
