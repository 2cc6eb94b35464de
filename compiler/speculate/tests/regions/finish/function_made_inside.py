# A function that outlives the region is made at the commit, with its cells.
import torch

def step(x):  # region
    scale = x.sum()
    return lambda y: y * scale

for _ in range(5):
    step(torch.ones(2))
