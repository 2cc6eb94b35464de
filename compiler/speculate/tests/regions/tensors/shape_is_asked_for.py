# Extents that are asked for are constants as long as they do not move.
import torch

def step(x):  # region
    n, m = x.shape
    return x / (n * m)

for _ in range(5):
    step(torch.ones(2, 3))
