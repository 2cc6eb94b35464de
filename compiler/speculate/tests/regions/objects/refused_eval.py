# Text that is run as code.
import torch

def step(x):  # region
    y = x * 2
    return eval("y + 1")

for _ in range(5):
    step(torch.ones(2))
