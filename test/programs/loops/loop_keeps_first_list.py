"""A list under two names, one of which a loop inside of a loop gives another list, if it runs at all."""
import torch


def nested(x, i):
    p = [1]
    r = p
    r.append(i)
    for _ in range(1):
        for k in range(i % 4, 0, -1):
            p = [i, k]
    return p is r, p, r, (x * 0.5).sum().item()


def twice(x, i):
    p = [1]
    r = p
    for j in range(i % 3):
        for k in range((i + j) % 4):
            p = [j, k]
        p.append(i)
    return p is r, p, r, (x * 0.5).sum().item()


for f in (nested, twice):
    for i in range(40):
        print(i, f(torch.full((3,), float(i % 5) - 2.0), i))
