# So is an append to a list from outside.
import torch

log = []

def step(x):  # region
    y = x.sum()
    if y > 0:
        log.append(y)
    return y

for i in range(6):
    step(torch.ones(2) * (i % 2 - 0.5))
