# Named tuples and sizes in lists that grow in loops whose length moves.
from collections import namedtuple

import torch

Step = namedtuple("Step", "k f")


def minimise(x, iters):
    hist = []
    for k in range(iters):
        fx = (x**2).sum()
        hist.append(Step(k, fx.item()))
        x = x * 0.9
    return hist


for i in range(8):
    h = minimise(torch.tensor([-0.5, 0.8]), 30 + i)
    print(len(h), h[-1], h[3].k, {type(s).__name__ for s in h})


def sizes(x, n):
    rows = []
    for k in range(n):
        x = x + 1
        rows.append((k, Step(x.shape, x.sum())))
    return rows


for i in range(8):
    rows = sizes(torch.zeros(2, 3), 26 + i)
    print(rows[-1], type(rows[0][1]).__name__, type(rows[2][1].k).__name__)
w = torch.ones(2, requires_grad=True)
for i in range(8):
    steps = []
    h = w
    for k in range(25 + i):
        h = torch.tanh(h * w)
        steps.append(Step(k, h))
    w.grad = None
    sum(s.f.sum() for s in steps).backward()
    print(steps[-1].k, type(steps[0]).__name__, [round(g, 4) for g in w.grad.tolist()])
