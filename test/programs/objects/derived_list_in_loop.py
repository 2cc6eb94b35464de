"""A list that a loop makes one of a derived class, and back."""
import torch

torch.manual_seed(0)


class L(list):
    pass


def derived(i, x):
    items = [i]
    for _ in range(i % 3 + 1):
        x = x * 0.9 + 0.1
        items = L(items)
    return x, items, type(items).__name__


def plain(i, x):
    items = L([i])
    for k in range(i % 4):
        x = x * 0.9 + 0.1 * k
        items = [k]
    return x, items, type(items).__name__


x = torch.randn(3)
for f in (derived, plain):
    for i in range(30):
        x, *told = f(i, x)
        print(i, told, f"{x.sum().item():.3f}")
