# Sorting gives values and indices.
import torch

def step(x):  # region
    values, index = x.topk(2)
    return values + x.sort().values[:2], index

for _ in range(5):
    step(torch.tensor([1.0, 3.0, 2.0]))
