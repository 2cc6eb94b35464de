# The address of an object that the region made.
import torch

def step(x):  # region
    y = [x * 2]
    return id(y)

for _ in range(5):
    step(torch.ones(2))
