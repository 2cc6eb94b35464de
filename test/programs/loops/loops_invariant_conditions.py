"""Branches in loops: conditions that no iteration changes, and keys of one side."""
import torch


class Settings:
    def __init__(self):
        self.on, self.limit = True, 6


settings = Settings()


def invariant(x, on):
    n = 0
    while on and n < settings.limit and x.abs().max() > 0.05:
        x = x * 0.7
        n += 1
    return x, n


def nested(x, on, off):
    n = 0
    while on and not off and n < 30 and x.sum() < 10.0:
        m = 0
        while settings.on and m < settings.limit and x.sum() < 4.0:
            x = x + 0.5
            m += 1
        if on:
            x = x * 1.1
        else:
            x = x * 1.2
        n += m + 1
    return x, n


def either(x, a, b):
    n = 0
    while (a or x.sum() < 5.0) and n < settings.limit:
        x = x + 1.0 if b else x + 2.0
        n += 1
    return x, n


def keyed(x, d, names, k):
    if x.sum() > 0:
        d[2 * (k % 3)] = k
        names[f"n{k % 2}"] = names[f"n{k % 2}"] + 1
        d[(k % 2, "t")] = k
        x = x - 1.0
    else:
        x = x + 2.0
    return x


d = {0: 0, 2: 0, 4: 0, (0, "t"): -1, (1, "t"): -1}
names = {"n0": 0, "n1": 0}
for i in range(40):
    settings.limit = 6 if i < 30 else 3
    settings.on = i % 5 != 4
    x = torch.tensor([0.1, 0.2]) * (i % 7)
    p, n = invariant(x, i % 6 != 5)
    q, m = nested(x, i % 8 != 7, i % 9 == 8)
    r, k = either(x, i % 3 == 0, i % 4 < 2)
    y = keyed(x - 0.6, d, names, i)
    print(i, n, m, k, f"{p.sum():.4f} {q.sum():.4f} {r.sum():.4f} {y.sum():.4f}", d, names)
