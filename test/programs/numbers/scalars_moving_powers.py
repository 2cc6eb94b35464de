"""Powers of ints and shifts by ints that move."""

import torch

w = torch.linspace(-1, 1, 4)


def f(x, i, k):
    sign = (-1) ** i
    size = 2 ** (i % 5)
    three = 3 ** k
    y = torch.tanh(x + sign * 0.1) * size
    return y, sign, size, three, 0 ** k, 1 ** i, (-2) ** k, 1 << k, -5 << (k % 3), 1000 >> k, -1000 >> i, (i & 3) | (1 << (i % 2))


x = w
for i in range(80):  # expect: tier 2, at most 8 entries in tier 0
    y, *ints = f(x, i, i % 9)
    x = y / (1 + y.abs())
    if i % 7 == 0:
        print(i, [round(v, 4) for v in x.tolist()], ints)
for base, exponent in ((2, 61), (2, 62), (2, 63), (2, 70), (3, 39), (3, 40), (-2, 63), (7, 22), (10, 18), (10, 19), (0, 0), (0, 5)):
    t = w.sum() * 0
    for shift in (exponent, exponent):
        print(base ** exponent, 5 << exponent, 12345 >> exponent, -3 >> exponent)


def powers(v, k):
    return v * 0.5, 2 ** k, 10 ** k, 7 << k, 9 >> k, -9 >> k


for k in (1, 2, 3, 4, 5, 18, 19, 60, 61, 62, 63, 64, 5, 2, 0, -1, 3, -2):
    try:
        print(k, powers(w, k)[1:])
    except ValueError as e:
        print(k, e)
