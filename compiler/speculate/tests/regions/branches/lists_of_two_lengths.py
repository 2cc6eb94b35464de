# Each side makes a list of another length: which it is decides what comes next.
import torch

def step(x):  # region
    items = [x] if x.sum() > 0 else [x, x * 2]
    return sum(items) / len(items)

for i in range(6):
    step(torch.ones(2) * (i % 2 - 0.5))
