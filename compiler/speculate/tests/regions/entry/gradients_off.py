# A region that runs in `no_grad` is guarded to run so again.
import torch

w = torch.ones(2, requires_grad=True)

def step(x):  # region
    return w * x

with torch.no_grad():
    for _ in range(5):
        step(torch.ones(2))
