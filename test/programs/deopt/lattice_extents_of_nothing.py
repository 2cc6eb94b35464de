# Differences of few or no elements, and the covariance of one row, with extents that move.
import torch


def differences(x, n):
    x = x + 0.25
    return x.diff(dim=-1), torch.diff(x, n=n)


for n in (4, 4, 4, 4, 3, 1, 5, 0, 4, 0, 2):
    for order in (1, 2):
        a, b = differences(torch.arange(3.0 * n).reshape(3, n) ** 2, order)
        print(n, tuple(a.shape), b)


def covariance(x):
    x = x + 0.25
    return torch.cov(x)


for n in (3, 3, 3, 3, 5, 4, 1, 3, 1, 2):
    print(n, covariance(torch.arange(n * 4.0).reshape(n, 4) ** 2))
