"""A view of one of two views of a tensor that has no other name; a view that one side made, beside an attribute."""
import random

import torch

torch.manual_seed(1)
random.seed(1)


class Box:
    pass


box = Box()
box.t = torch.zeros(3)


def one_of_views(x, i):
    a = x + 1.0
    c = a.view(3)
    b = a.detach()
    pair = (x, x)
    if x[0] > 0:
        pair = (x * 2, b)
    k = (c if random.random() < 0.5 else b)[0:3]
    if x[1] <= 0:
        c.sub_(0.25)
        c = b
    return b, c, k, *pair


def one_side(x, b):
    if x.sum() > 0:
        box.t = torch.stack([b, x]).t()[:, 0]
    return b, box.t


def inside(x, n):
    h = []
    c, d = x * 2, x * 3
    for k in range(n):
        if x[k % 3] > 0:
            h.append((c if x[(k + 1) % 3] > 0 else d)[1:])
    return c, d, *h


for i in range(40):
    x = torch.randn(3)
    for known in (one_of_views(x, i), one_side(x, x * 0.5), inside(x, 3), inside(x, 1 + i % 4)):
        for t in known:
            t.add_(0.125)
        print(i, [round(t.sum().item(), 3) for t in known])
