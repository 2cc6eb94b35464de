"""An object that is always the same is written, and another one, which may be any, is it at times."""

import torch


class Node:
    def __init__(self, v):
        self.v = v
        self.seen = []


KEPT = Node(1)


def step(x, i):
    a, b, c, p = KEPT, Node(i), KEPT, []
    if x.sum() > i % 3:
        a, b = b, a
    for k, v in zip(range(i % 5), [0]):
        x = x * 0.5
        c.v += 1
        c.seen.append(k)
        p.append(a.v)
        p.append(len(a.seen))
    return p, a is c, b is c, x.sum().item()


for i in range(40):
    print(i, *step(torch.ones(3) * (i % 2), i))


def both(first, second, x):
    x = torch.tanh(x + first.v)
    first.v += 1
    second.v *= 2
    return x, first.v, second.v


others = [Node(k) for k in range(3)]
x = torch.zeros(2)
for i in range(40):
    other = others[i % 3] if i % 7 else KEPT
    KEPT.v, other.v = i % 4, i % 5
    print(i, *both(KEPT, other, x), *both(other, KEPT, x), KEPT.v)
print(len(KEPT.seen))


def counted(x, i):
    a, b, c, p = KEPT, Node(i), KEPT, [1]
    if x.sum() > i % 3:
        a, b = b, a
    for k, v in zip(range(i % 5), [0]):
        x = x * 0.5
        c.v += 1
        p.append(a.v)
    return p, a is c, x.sum().item()


KEPT.v = 1
for i in range(24):
    print(i, *counted(torch.ones(3) * (i % 2), i))
