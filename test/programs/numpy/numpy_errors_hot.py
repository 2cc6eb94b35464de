"""Floating point errors of NumPy in hot code: each iteration that has one warns, whichever tier it runs in."""
import warnings
import numpy as np
import torch


def step(a, b, w):
    h = np.exp(a * 0.5) / b
    h = h - h.mean()
    y = torch.from_numpy(h).float() * w
    return float(y.sum()), h.max()


def scalars(n, start):
    total = np.float64(start)
    for k in range(n):
        total = total * 1e30 + k
    return total


def quiet(a, b):
    with np.errstate(divide="ignore", invalid="ignore"):
        return float((a / b).sum())


def masked(a, b):
    return float(np.divide(a, b, out=np.zeros(3), where=b != 0).sum())


def integers(a, n):
    return int((a // n).sum() + (a % max(n, 1)).sum())


w = torch.tensor([1.0, 2.0, 3.0])
for i in range(40):
    a = np.array([0.1, 0.2, 0.3]) * i
    b = np.ones(3)
    if i % 7 == 6:
        b[i % 3] = 0.0
    if i % 11 == 10:
        a[1] = 5000.0
    if i == 20:
        a[0] = np.nan
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        total, top = step(a, b, w)
        s = scalars(3 if i % 5 else 12, 1.0)
        q = quiet(a, b)
        m = masked(a, b)
        k = integers(np.arange(4) + i, i % 4)
    print(i, f"{total:.4g} {top:.4g} {s:.4g} {q:.4g} {m:.4g}", k)
    for c in caught:
        print("   ", c.category.__name__, c.message, c.lineno)
try:
    with np.errstate(all="raise"):
        for i in range(30):
            h = np.array([1.0, 2.0]) / (20.0 - i)
            y = torch.from_numpy(h) * 2
except FloatingPointError as e:
    print(i, e)
