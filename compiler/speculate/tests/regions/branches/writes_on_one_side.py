# An in-place write on one side alone: whether it happened is a result of the graph.
import torch

count = torch.zeros(1)

def step(x):  # region
    if x.sum() > 0:
        count.add_(1)
    return x * 2

for i in range(6):
    step(torch.ones(2) * (i % 2 - 0.5))
