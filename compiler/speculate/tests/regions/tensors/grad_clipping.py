# The norm of all gradients decides a factor, without a branch.
import torch

w = torch.ones(3, requires_grad=True)

def step(x):  # region
    (w * x).sum().backward()
    torch.nn.utils.clip_grad_norm_([w], 1.0)

for _ in range(5):
    w.grad = None
    step(torch.ones(3))
