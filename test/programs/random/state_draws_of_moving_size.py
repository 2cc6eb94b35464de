# Random numbers whose count moves, sometimes below zero: PyTorch's error, and no number drawn.
import torch

torch.manual_seed(0)


def f(x, n):
    return (x.sum() + torch.randn(n - 3).sum()).item()


for i in range(30):
    n = [4, 5, 6, 2][i % 4] if i > 6 else 4 + i % 3
    try:
        print(f"{f(torch.ones(2), n):.4f}", end=" ")
    except RuntimeError as e:
        print(e, end=" ")
print(f"{torch.rand(1).item():.4f}")
