"""Ranges with bounds that move as conditions, what classes iterators have."""
import torch

torch.manual_seed(0)


def up(i, x):
    n = i % 5
    return x * 0.9 + n * 0.01, 1 if range(n) else 2


def down(i, x):
    n = i % 5
    return x * 0.9 + n * 0.01, not range(n, 2, -1)


def classes(i, x):
    items = [k for k in range(i % 5)]
    return x * 0.9 + sum(items), type(zip(items)).__name__, type(enumerate(items)).__name__, isinstance(zip(items), zip)


def of_list(i, x):
    items = [x, x + i % 5]
    return x * 0.9 + 0.01, type(iter(items)).__name__, type(map(str, items)).__name__, type(iter((x, i))).__name__


def either(i, x):
    items = [k for k in range(i % 5)]
    return x * 0.9 + sum(items), type(iter(items)).__name__


x = torch.randn(3)
for f in (up, down, classes, of_list, either):
    for i in range(30):
        x, *told = f(i, x)
        print(i, told, f"{x.sum().item():.4f}")
