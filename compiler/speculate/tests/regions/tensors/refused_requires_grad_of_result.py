# requires_grad is changed on a tensor that leaves with a gradient of its own.
import torch

def step(x):  # region
    y = x * 2
    y.requires_grad_(True)
    return (y * 3).sum(), y

for _ in range(5):
    step(torch.ones(3))
