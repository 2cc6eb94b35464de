# any() and all() stop at the first item that decides: what would come later does not happen.
import random

import torch

random.seed(0)
torch.manual_seed(0)
calls = [0]


def seen(v):
    calls[0] += 1
    return v


def draws(x):
    a = any(random.random() < 0.5 for _ in range(5))
    b = all(torch.rand(()).item() < 0.5 for _ in range(5))
    return x + a + b


total = torch.zeros(1)
for i in range(50):
    x = torch.ones(2) * i
    first = any(seen(v) for v in (i % 2, 1, 0))
    second = all(map(seen, [i % 3, 1, 2]))
    third = any(seen(t).sum() > 30 for t in (x, x * 2, x * 3))
    pure = all((t > -1).all() for t in (x, x + 1))
    total = total * 0.9 + draws(torch.ones(1)) + first + second + third + pure
print(f"{total.item():.4f} {random.random():.4f} {torch.rand(()).item():.4f}", calls)
