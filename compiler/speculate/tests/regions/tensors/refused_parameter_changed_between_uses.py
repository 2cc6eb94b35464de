# A parameter that moves between two uses in one graph has two values on the tape.
import torch

w = torch.ones(3, requires_grad=True)

def step(x):  # region
    y = (w * x).sum()
    with torch.no_grad():
        w.sub_(0.1)
    z = (w * x * x).sum()
    return y + z

for _ in range(5):
    step(torch.ones(3))
