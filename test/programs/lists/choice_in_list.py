"""A view of what a branch decided on goes into a list: what is written through the list is seen under the other names."""
import random

import torch

random.seed(1)
torch.manual_seed(3)


def step(x, i):
    a, b, c = x, x * 0.5, torch.ones(3)
    h = []
    for k in range(2):
        if random.random() < 0.5:
            h.append((c if float(c.sum()) > 0.5 else a)[:])
        else:
            if h:
                h[0].add_(b.sum() * 0.1)
    return round(c.sum().item() + len(h) + a.sum().item(), 4)


def kept(x, n, box):
    """The same with an attribute, in a loop whose body is hot."""
    c, d = torch.zeros(3), x + 1
    for k in range(n):
        if (k + n) % 3 == 0:
            box["t"] = (c if x[k % 3] > 0 else d).view(3)
        elif "t" in box:
            box["t"][k % 3] += 1
    return [round(v.sum().item(), 4) for v in (c, d, *box.values())]


for i in range(60):
    x = torch.randn(3)
    print(i, step(x, i), kept(x, 2 + i % 5, {}))
