# A function returns a tensor that it made, and views of it: one memory, whichever the caller writes to.
import torch


def rows(x):
    y = x * 1
    outs = []
    for r in y:
        outs.append(r)
    return outs, y


def elements(x, n):
    outs = []
    buf = torch.zeros(3)
    for i in range(n):
        outs.append(buf[i % 3])
    return outs, buf + x.sum() * 0, buf


def behind(x):
    y = x + 1
    return {"part": y.view(-1)[1:], "whole": y, "turned": y.t()}


for n in [3] * 6 + [5, 3, 2, 2, 4, 4, 6, 2, 3]:
    x = torch.ones(n, 3)
    outs, y = rows(x)
    y.mul_(2)
    outs[0].add_(1)
    print(n, [t.sum().item() for t in outs], y.sum().item())
    outs, _, buf = elements(x, n)
    buf.add_(1)
    print([t.item() for t in outs], buf.tolist())
    found = behind(x)
    found["whole"][0] = 7.0
    print(found["part"][:3].tolist(), found["turned"][:, 0].tolist())
