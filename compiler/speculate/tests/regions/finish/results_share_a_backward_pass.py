# Several results are results of one node of the tape.
import torch

w = torch.ones(2, requires_grad=True)

def step(x):  # region
    y = w * x
    return y.exp(), y.sum()

for _ in range(5):
    a, b = step(torch.ones(2))
    (a.sum() + b).backward()
