# Gradients are off for a part of the region.
import torch

w = torch.ones(3, requires_grad=True)

def step(x):  # region
    (w * x).sum().backward()
    with torch.no_grad():
        w.sub_(w.grad * 0.1)
    w.grad = None

for _ in range(5):
    step(torch.ones(3))
