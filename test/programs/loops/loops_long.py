# Three hundred iterations in one call: too many to be unrolled.
import torch


def power(x, n):
    acc = torch.zeros_like(x)
    term = torch.ones_like(x)
    for i in range(1, n + 1):
        term = term * x / i
        acc = acc + term
    return acc


x = torch.linspace(-1, 1, 4)
x.requires_grad_()
for call in range(8):
    y = power(x, 300)
    x.grad = None
    y.sum().backward()
print([f"{v:.5f}" for v in y.tolist()])
print([f"{v:.5f}" for v in x.grad.tolist()])
