# Sums, means and maxima over dimensions.
import torch

def step(x):  # region
    return x.mean(0) + x.sum(1)[:3] + x.max(dim=0).values

for _ in range(5):
    step(torch.ones(3, 3))
