# What would raise out of the region is left to tier 0, which has the traceback.
import torch

def step(x):  # region
    y = x * 2
    return y + {}["missing"]

for _ in range(5):
    try:
        step(torch.ones(2))
    except KeyError:
        pass
