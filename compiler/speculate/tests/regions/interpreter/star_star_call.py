# A call with everything.
import torch

def scaled(x, *args, **kwargs):
    return x * len(args) + kwargs["by"]

def step(x):  # region
    args, kwargs = (1, 2), {"by": 3}
    return scaled(x, *args, *args, **kwargs)

for _ in range(5):
    step(torch.ones(2))
