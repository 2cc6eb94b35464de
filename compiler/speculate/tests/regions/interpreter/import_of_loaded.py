# An import in hot code: the module is there already, and guarded to be.
import torch

def step(x):  # region
    y = torch.tanh(x * 2)
    import math
    return y * math.pi

for _ in range(5):
    step(torch.ones(2))
