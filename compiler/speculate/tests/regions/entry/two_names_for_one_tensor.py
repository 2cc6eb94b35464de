# Arguments that are one object are guarded to be one, since one of them is written.
import torch

def step(a, b):  # region
    a.add_(1)
    return b * 2

x = torch.ones(2)
for _ in range(5):
    step(x, x)
