# A name that only one side sets is there on a condition.
import torch

def step(x):  # region
    positive = x.sum() > 0
    if positive:
        y = x * 2
    if positive:
        return y
    return x

for i in range(6):
    step(torch.ones(2) * (i % 2 - 0.5))
