"""A generator in a branch that had not been taken when its loop was compiled: how often it goes round moves."""

import torch

torch.manual_seed(0)


def count(k):
    while k > 0:
        yield k
        k -= 1


def down(k, y):
    while k > 0:
        if y.sum() > 0:
            yield k
        else:
            yield -k
        k -= 1


def step(x, y, i):
    u, mode, t = torch.zeros(3), 'x', x
    if i < 3:
        t = t * 2
    elif t.sum() > -4:
        for k in count(i % 4):
            u += 0.5
            mode = mode if y.size(0) > 2 else 'z'
        t = t + 1
    else:
        for k in down(i % 5, y):
            u += k
    return t + u, mode


for i in range(24):
    x = torch.full((3,), float(i % 5) - 2.0)
    y = torch.randn(1 + i % 4)
    print(i, *step(x, y, i))
