# Two nested loops, the inner one bounded by the outer one's variable.
import torch


def triangle(x, n):
    total = 0
    for i in range(n):
        for j in range(i):
            x = x + 0.01 * (i - j)
            total += i * j
        if i % 2:
            x = x * 0.9
    return x, total


x0 = torch.ones(3, requires_grad=True)
for n in [5, 5, 5, 6, 5, 2, 9, 5]:
    y, total = triangle(x0, n)
    y.sum().backward()
    print(n, total, f"{y[0].item():.5f}", f"{x0.grad[0].item():.5f}")
