# A draw on one side moves the position of those behind it.
import torch

def step(x):  # region
    if x.sum() > 0:
        x = x + torch.rand(2)
    return x * torch.rand(2)

for i in range(6):
    step(torch.ones(2) * (i % 2 - 0.5))
