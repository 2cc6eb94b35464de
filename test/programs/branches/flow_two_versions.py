# Tests of a counter choose sides that do not fit into one graph: shapes differ after them.
import torch


def pick(x, i, flags):
    if i % 3 == 0:
        y = x.reshape(-1)
    else:
        y = x
    keep = i % 2 == 1
    s = y.sum(dim=0, keepdim=keep)
    flags[i % 3] = s.dim()
    return y, s


x = torch.arange(6.0).reshape(2, 3)
flags = [0, 0, 0]
shapes = []
for i in range(120):
    y, s = pick(x + i, i, flags)
    shapes.append((y.dim(), s.dim()))
print(shapes[-6:], flags, y.sum().item(), s.sum().item())
