# `nonlocal` of the function around the region.
import torch

def make():
    total = torch.zeros(2)

    def step(x):  # region
        nonlocal total
        total = total + x
        return total

    return step

step = make()
for _ in range(5):
    step(torch.ones(2))
