"""A name that branches inside of branches made one of several tensors, which are then written to in place."""
import random

import torch

random.seed(1)
torch.manual_seed(1)
w = torch.randn(3)
b = torch.zeros(3)


def nested(x, i):
    t = x
    u = torch.zeros(3) + torch.randn(3) * 0.1
    if 0 > int(t.sum().item()):
        u = u + 1.0
        t = torch.stack([b, u]).sum(0) if random.random() < 0.5 else u
    u[1:].mul_(0.5)
    return (t * w).sum().item()


def chain(x, i):
    u = x * 0.5
    t = v = u
    if x[0] > 0:
        u = u + 1
        if x[1] > 0.3:
            t = u
        elif x[2] > 0:
            t, v = x, u
    u.add_(2.0)
    v = v * 1.5
    return (t * w).sum().item() + v[0].item()


def either(x, i):
    a, c = x + 1, x * 2
    t = a if x.sum() > 0 else c
    s = (t if x[0] > 0.2 else a) if i % 3 else c
    a[0] = 7.0
    c.mul_(0.5)
    return (t + s).sum().item()


def in_loop(x, i):
    u, t = x.clone(), x
    for k in range(4):
        if u[k % 3] > 0:
            u = u - 0.5
            t = u if x[k % 2] > 0.1 else t
        u[0] += 0.25
    return (t * w).sum().item() + u.sum().item()


for i in range(60):
    x = torch.full((3,), float(i % 5) - 2.0)
    y = torch.randn(3)
    print(i, f"{nested(x, i):.4f} {chain(y, i):.4f} {either(y, i):.4f} {in_loop(y, i):.4f}")
