# `sum` of numbers from outside is told at entry, whatever the list's length.
import torch

def step(x, weights):  # region
    return x / sum(weights)

for i in range(5):
    step(torch.ones(2), [1.0] * (i + 2))
