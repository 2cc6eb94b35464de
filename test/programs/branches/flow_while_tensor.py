# The predicate of the loop is a tensor: it runs until the norm is small.
import torch


def shrink(x, limit):
    n = 0
    while (x * x).sum() > limit:
        x = x * 0.7
        n += 1
    return x, n


torch.manual_seed(5)
trips = []
for i in range(18):
    x = torch.randn(6) * (i + 1)
    x.requires_grad_()
    y, n = shrink(x, 0.5)
    y.sum().backward()
    trips.append(n)
    if i % 5 == 0:
        print(n, f"{y.norm().item():.4f}", f"{x.grad[0].item():.5f}")
print(trips == sorted(trips), len(set(trips)) > 3, trips[0] <= trips[-1])
