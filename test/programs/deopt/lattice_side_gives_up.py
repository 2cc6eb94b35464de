# One side of a branch in a loop appends to an object's list, which is too much for a graph: the attempt ends on
# that side, and the next one must not begin there.
import torch


class Node:
    def __init__(self, v):
        self.v = v
        self.items = [v]

    def add(self, v):
        self.items.append(v)


def step(x, y, i):
    n, m, s = i, i % 3, x * 0.5
    p = [1]
    a = Node(1)
    c = Node(i)
    g = {}
    for k0 in range(i % 7 + 2):
        for k1 in range(i % 7 + 2):
            c.items.insert(0, m)
    for k, row in enumerate(y):
        s = s * 0.5 + x * k + x.mean()
        if n > m:
            if 0 in g:
                g[0].append(k)
        else:
            a.add(k)
        if a.items:
            n += a.items[m % len(a.items)]
    nodes = [(o.v, o.items[:9], len(o.items)) for o in (a, c)]
    return p, nodes, n % 101, s.sum()


for i in range(24):
    x = torch.full((3,), float(i % 5) - 2.0)
    y = torch.ones(1 + i % 4, 3)
    print(i, step(x, y, i))
