"""A place that is one thing or another after a loop, of which one is written to behind it."""

import torch


class Box:
    pass


box = Box()


def kept(x, y, k):
    u, t = torch.zeros(3), x
    for row in y:
        t = t + row * 0.25
        u = u + 1
        box.t = u if u.sum() > k else t.detach()
    u.mul_(0.5)
    return box.t is u


def written(x, y, k):
    u, t = torch.zeros(3), x
    for row in y:
        t = t + row * 0.25
        u = u + 1
        box.t = u if u.sum() > k else t.detach()
    u.mul_(0.5)


def local(x, y, k):
    u, z = torch.zeros(3), x
    for row in y:
        x = x + row
        u = u + 1
        z = u if u.sum() > k else x + 1
    u.mul_(0.5)
    x.add_(1)
    return z, z is u, z is x


def both(x, y, k):
    u = torch.zeros(3)
    best = [x]
    for row in y:
        u = u + row
        if u.sum() > k:
            best[0] = u
    best[0].add_(1)
    return u, best[0] is u


for i in range(40):
    x = torch.full((3,), float(i % 5) - 2.0)
    y = torch.arange(3.0 * (1 + i % 4)).reshape(-1, 3) * 0.1
    k = i % 3 * 4
    print(i, kept(x, y, k), box.t, *local(x, y, k), *both(x, y, k))
for i in range(24):
    x = torch.full((3,), float(i % 5) - 2.0)
    y = torch.arange(3.0 * (1 + i % 4)).reshape(-1, 3) * 0.1
    written(x, y, i % 2 * 5)
    print(i, box.t)
