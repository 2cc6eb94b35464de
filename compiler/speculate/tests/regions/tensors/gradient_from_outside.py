# A result that is differentiated later: the region is one node of the tape.
import torch

w = torch.ones(3, requires_grad=True)

def step(x):  # region
    return (w * x).tanh()

for _ in range(5):
    step(torch.ones(3)).sum().backward()
