# What no_grad computes on one side of a branch has no gradient there, and has one on the other side.
import torch

b = torch.ones(3, requires_grad=True)
buf = torch.zeros(3)


@torch.no_grad()
def frozen(t):
    return t * 3


class Holder:
    pass


holder = Holder()


def scaled(t, i):
    if i % 3 == 0:
        with torch.no_grad():
            return t * 2
    return t * 2


def one_side(i):
    t = (b * 2).relu()
    if i % 3:
        with torch.no_grad():
            t = t * 0.5
    return (t * b).sum()


def kept(i):
    t = (b * 2).relu()
    holder.h = frozen(t) if i % 3 == 0 else t * 3
    table = {"h": t}
    if i % 2:
        with torch.no_grad():
            table["h"] = table["h"] + 1
    items = [t]
    if i % 4 == 1:
        with torch.no_grad():
            items.append(t * 5)
    else:
        items.append(t * 7)
    return (holder.h * table["h"]).sum() + sum(items).sum() * b.sum()


def in_place(i):
    r = torch.zeros(3)
    if i % 3:
        with torch.no_grad():
            r.copy_(b * 2)
    else:
        r.add_(b * 2)
    r.mul_(2)
    return (r * b).sum()


def loop(i):
    h = b * 1
    hs = []
    for k in range(i % 5 + 2):
        h = torch.tanh(h * b) + b
        if k % 2 == i % 2:
            with torch.no_grad():
                h = h * 2
                hs.append(h * 2)
        else:
            hs.append(h)
    return torch.stack(hs).sum() + h.sum()


def early(i):
    y = scaled(b * 2, i)
    z = scaled(y + b, i + 1)
    return (y * z).sum() + b.sum()


for i in range(24):
    for f in (one_side, kept, in_place, loop, early):
        loss = f(i)
        loss.backward()
        print(i, f.__name__, f"{loss.item():.3f}", b.grad)
        b.grad = None
