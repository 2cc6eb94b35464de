"""Dicts that a key was taken from, and that one side of many branches writes."""
import torch


def step(x, flags, n):
    d = {0: 1, 1: 2, 2: x}
    kept = {"a": 0, "b": 0}
    kept.pop("a")
    d.pop(1)
    for k in range(40):
        x = x * 0.9 + k
        if x[0] > flags[k % 3] * 40:
            d[2 * (k % 2)] = k
            kept["b"] += 1
        else:
            x = x - 1.0
    return x.sum(), d, kept, n


SHARED = {"left": 3, "right": 4}
for i in range(24):
    x = torch.full((2,), float(i % 5))
    total, d, kept, n = step(x, [torch.tensor(float(i % 4 + j * 5)) for j in range(3)], i)
    for k in range(12):
        if x[1] * k > 9:
            SHARED["left"] = SHARED.pop("left") + 1
    if i % 6 == 0:
        print(i, f"{total.item():.4f}", list(d), kept, SHARED, n)
