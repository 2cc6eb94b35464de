# Many kinds of random draws in one hot function, in order.
import random

import torch


def draw(n):
    a = torch.rand(n)
    b = torch.randn(n)
    c = torch.randint(0, 10, (n,))
    d = torch.bernoulli(torch.full((n,), 0.3))
    e = torch.randperm(n)
    f = random.random()
    return (a + b * c).sum() + d.sum() + e[0] + f


torch.manual_seed(11)
random.seed(11)
out = [draw(3 + (i % 5 == 4)).item() for i in range(16)]
print([f"{v:.4f}" for v in out])
print(f"{torch.rand(1).item():.6f} {random.random():.6f}")
