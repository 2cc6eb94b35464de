"""Names that branches, and loops with branches, make the same new view, tensor or item: they stay one object."""
import random
import torch

random.seed(1)
torch.manual_seed(1)
w = torch.randn(3)


def views(x):
    """Two names become one view, on one side of a branch in a loop."""
    b, c, d = x * 0.5, torch.ones(3), x + 1
    for k in range(3):
        if random.random() < 0.5:
            b = d[:]
            c = b
    s = (b * w).sum() + (c * w).sum()
    return s.item(), [b is c, b is d, b.data_ptr() == d.data_ptr()]


def seen(x):
    """What a write through the one name does to the other."""
    b, c, d = x * 0.5, torch.ones(3), x + 1
    if x[0] > 0:
        b = d[1:]
        c = b
    same = b is c
    b.add_(1)
    return [same, *d.tolist(), *c.tolist()]


def made(x):
    """The same with new tensors instead of views."""
    b, c = x * 0.5, torch.ones(3)
    for k in range(3):
        if x[k] > 0:
            b = x * k
            c = b
    return [b is c, b.sum().item(), c.sum().item()]


def items(x, n):
    """An item of a list that grew in a loop, or another tensor."""
    found = []
    for k in range(n):
        found.append(x * k)
    last = found[-1] if x[0] > 0 else x
    first = found[0] if x[1] > 0 else last
    return found, last, first


def held(x, pair):
    """Attributes of one object."""
    if x[0] > 0.5:
        pair.a = x.view(3)
        pair.b = pair.a
    elif x[0] < -0.5:
        pair.b = pair.a = x * 2
    return pair


class Pair:
    def __init__(self):
        self.a, self.b = torch.zeros(3), torch.zeros(3)


def rounded(values):
    return [v if isinstance(v, bool) else round(v, 4) for v in values]


pair = Pair()
for i in range(40):
    x = torch.randn(3)
    total, same = views(x)
    print(i, round(total, 4), same, rounded(seen(x)), rounded(made(x)))
    found, last, first = items(x, 2 + i % 5)
    print([t is last for t in found], [t is first for t in found], last is x, last is first)
    p = held(x, pair)
    print(p.a is p.b, p.a is x, p.a.data_ptr() == x.data_ptr())
