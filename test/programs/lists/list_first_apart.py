"""One side of a branch runs a first iteration apart, in which a list gets items that then grows in the loop."""
import torch


class Node:
    def __init__(self, v):
        self.v = v
        self.items = [v]
        self.next = None


def step(x, y, i, flag):
    n, s = i, x * 0.5
    p = [1]
    q = [2, 3]
    a = Node(1)
    b = Node(i)
    rows = [[0]]
    c = a
    for k0 in range(i % 4):
        try:
            try:
                p, q = q, p
            except ValueError:
                n += 5
            if x[0] > 0:
                raise ValueError(n)
        except ValueError:
            n += sum(v for v in p if v % 2)
        for row in y:
            for k2 in range(i % 7 + 2):
                c = a if n % 5 > k2 else b
                rows[0].append(k2 + 1)
    return len(rows[-1]), s.sum()


for i in range(60):
    x = torch.full((3,), float(i % 5) - 2.0)
    y = torch.arange(3.0 * (1 + i % 4)).reshape(-1, 3) * 0.1
    print(i, step(x, y, i, i % 3 == 0))
