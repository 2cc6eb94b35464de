# int, float, bool and tensors in one arithmetic; division, modulo and powers of negatives.
import math

import torch


def calc(x, a, b):
    c = a // b + a % b * 2 ** (a % 3) - (-a) // b
    d = divmod(-a, b)[1] / (b + 0.5) + round(a / b, 2) + abs(-b) ** 0.5
    e = int(d) + min(a, b, c) + max(1.5, d) + (a > b) - (not a)
    return x * c + d - e, math.floor(d) & 3 | a << 1 ^ b


x = torch.tensor([1.0, -2.0], dtype=torch.float64)
total = 0
for i in range(25):
    y, bits = calc(x, i - 7, i % 4 + 1)
    total += bits
    if i % 6 == 0:
        print(i, [f"{v:.4f}" for v in y.tolist()], bits)
print(total)
