# A tensor that requires grad on one side of a branch: what the flags say, and what leaves the function.
import torch

w, x = torch.ones(3, requires_grad=True), torch.arange(6.0).view(2, 3)


def f(i):
    y = w * x
    z = (y.detach() if i % 2 else y).sum()
    return z.detach() * (1 + z.requires_grad)


def g(i):
    return (w * x if i % 2 else x).sum()


for i in range(16):
    print(f(i).item(), g(i).requires_grad)
for i in range(16):
    exec("r = g(i)\nprint(f(i).item(), r.requires_grad, r.is_leaf)")
