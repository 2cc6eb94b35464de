# A choice: a variable is None or a tensor, and is looked at on each side for itself.
import torch

def step(x):  # region
    mask = None
    if x.sum() > 0:
        mask = x * 2
    y = x + 1
    if mask is not None:
        y = y * mask
    return y

for i in range(6):
    step(torch.ones(2) * (i % 2 - 0.5))
