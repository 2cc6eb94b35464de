"""Items of a list that grew in a loop still have their values when it is turned round, or emptied and filled again."""

import torch


def turned(n, x):
    out = []
    for i in range(n):
        out.append(x * i)
    first = out[0]
    out.reverse()
    return first, out, first is out[-1]


def again(n, x):
    out = []
    for i in range(n):
        out.append(x + i)
    first = out[0]
    out.clear()
    for i in range(n):
        out.append(x * 10.0 + i)
    return first, out, first is out[0]


x = torch.ones(2)
for step in range(40):
    n = 1 + step * 5 % 7
    a, b, c = turned(n, x * step)
    d, e, f = again(n, x * step)
    if step % 8 == 7:
        print(a.tolist(), b[0].tolist(), c, d.tolist(), e[0].tolist(), len(e), f)
