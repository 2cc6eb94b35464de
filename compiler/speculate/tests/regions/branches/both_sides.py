# Both sides were seen: they are computed under a switch and meet in a merge.
import torch

def step(x):  # region
    if x.sum() > 0:
        y = x * 2
    else:
        y = x - 1
    return y + 1

for i in range(6):
    step(torch.ones(2) * (i % 2 - 0.5))
