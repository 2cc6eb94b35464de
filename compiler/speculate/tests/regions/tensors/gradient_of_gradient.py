# `create_graph=True` takes the gradient op by op, so that it can be differentiated again.
import torch

def step(x):  # region
    x = x.requires_grad_()
    y = (x ** 3).sum()
    (g,) = torch.autograd.grad(y, x, create_graph=True)
    (h,) = torch.autograd.grad(g.sum(), x)
    return h

for _ in range(5):
    step(torch.ones(3))
