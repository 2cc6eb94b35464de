# Functions that call functions, with defaults and keywords in any order.
import torch


def affine(x, a=1.0, b=0.0):
    return x * a + b


def squash(x, *, gain=1.0):
    return torch.tanh(x * gain)


def block(x, k):
    x = affine(x, b=k, a=0.5)
    x = squash(x, gain=2)
    return affine(x) + affine(b=1, x=x)


torch.manual_seed(0)
x = torch.randn(4, requires_grad=True)
for k in range(15):
    y = block(x, 0.1 * k).sum()
    y.backward()
print(f"{y.item():.5f}", [f"{g:.4f}" for g in x.grad.tolist()])
