"""One of two views of a tensor without a name of its own leaves beside one of these; a view that one side made."""
import random

import torch

torch.manual_seed(1)
w = torch.randn(3)


class Box:
    pass


def either(p, q, first):
    return q


def shifted(v):
    v.sub_(0.25)


box = Box()
outer = [torch.zeros(3), torch.ones(3), torch.full((3,), 2.0)]


def step(x, i):
    a, b, c, d = x, x * 0.5, torch.ones(3), x + 1
    h, table, pair = [], {"k": x * 2}, (c, b)
    a = outer[i % 3] + 1.0
    c = (a if float(c.sum()) > 0.5 else c).view(3)
    a = b = a.detach()
    if i % 2 == 0 and x[2] > 0:
        h.append(c.detach())
    else:
        if x[0] > 0:
            pair = (d, b)
    table["k"] = (c if random.random() < 0.5 else b)[0:3]
    if x.sum() > 0:
        box.t = torch.stack([either(b, a, h and h[-1] is d), x]).t()[:, 0]
    else:
        shifted(c)
        d = c = b
    s = sum((t * w).sum().item() for t in (a, b, c, d)) + len(h)
    known = (a, b, c, d, x, box.t, table["k"], pair[0], outer[i % 3], *h[:2])
    return s, known


for i in range(40):
    x = torch.randn(3)
    random.seed(i)
    s, known = step(x, i)
    for t in known:
        t.add_(0.125)
    print(i, round(s, 3), [round(t.sum().item(), 3) for t in known])
    for t in (box.t, *outer):
        t.clamp_(-4.0, 4.0)
