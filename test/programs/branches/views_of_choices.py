# Views of one of two tensors that others know: a later write through another name is seen.
import torch

table = {"t": torch.ones(3)}


def detached(x, i, n):
    u = x.detach()
    k = 0
    while k < n % 5:
        k += 1
        table["t"] = (table["t"] if k > i else u).detach()
    u[0] = 1.5


for i in range(16):
    detached(torch.full((3,), float(i % 5) - 2.0), i, i + 3)
    print(i, table)


class Box:
    def __init__(self):
        self.a = torch.zeros(2, 2)
        self.b = torch.ones(2, 2)
        self.row = None


box = Box()


def pick(i):
    chosen = box.a if i % 3 else box.b
    box.row = chosen[0]
    return chosen.sum()


total = torch.zeros(())
for i in range(20):
    total = total + pick(i)
    box.a += 1
    box.b *= 0.9
    if i % 5 == 4:
        print(i, box.row, total)


def flipped(x, flag):
    y = x * 2
    z = (x if flag else y).t()
    y.add_(1)
    return y, z


for i in range(20):
    x = torch.ones(2, 3) * i
    y, z = flipped(x, i % 3 == 0)
    x[0] = -1
    y[1] = 7
    if i % 5 < 2:
        print(i, y, z)
