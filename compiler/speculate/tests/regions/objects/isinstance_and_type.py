# Tests of a class are decided by the guards.
import torch

def step(x):  # region
    if isinstance(x, torch.Tensor) and type(x) is torch.Tensor and callable(x.sum):
        return x.sum()
    return 0

for _ in range(5):
    step(torch.ones(2))
