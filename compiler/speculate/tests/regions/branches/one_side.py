# A branch that always went one way is an assert.
import torch

def step(x):  # region
    if x.sum() > 0:
        return x * 2
    return x - 1

for _ in range(5):
    step(torch.ones(2))
