# A hook that is registered in the region.
import torch

w = torch.ones(3, requires_grad=True)

def step(x):  # region
    y = w * x
    y.register_hook(lambda g: g * 2)
    y.sum().backward()

for _ in range(5):
    w.grad = None
    step(torch.ones(3))
