# and, or, not with short circuits, whose values are used as well as their truth.
import torch

calls = []


def noisy(name, value):
    calls.append(name)
    return value


def pick(x, a, b, limit):
    small = x.abs().max().item() < limit
    if small and noisy("a", a) or noisy("b", b):
        y = x * 2
    else:
        y = x - 1
    bias = a and 0.25 or 0.75
    if not (small or a) and not b:
        bias = -bias
    return y + bias


torch.manual_seed(2)
acc = torch.zeros(3)
for i in range(16):
    acc = acc * 0.5 + pick(torch.randn(3), i % 2 == 0, i % 3 == 0, 1.0)
print([f"{v:.4f}" for v in acc.tolist()])
print(len(calls), calls[:8], calls.count("a"), calls.count("b"))
