# Loops over ranges with steps, negative steps and moving ends.
import torch


def mix(x, n):
    for i in range(n):
        x = x + i
    for i in range(n, 0, -2):
        x = x * 0.5 + i
    for i in range(1, 10, 4):
        x = x - i
    for _ in range(0):
        x = x * 100
    return x


x = torch.ones(2, requires_grad=True)
for n in (3, 3, 3, 3, 5, 3, 8, 3, 1, 0, 3, 12):
    y = mix(x, n)
    y.sum().backward()
    print(n, f"{y[0].item():.4f}", f"{x.grad[0].item():.6f}")
