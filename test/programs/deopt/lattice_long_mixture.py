# Batch size, a bool flag, an int option and a dtype move together over many calls.
import torch
from torch import nn

torch.manual_seed(28)
lin = nn.Linear(3, 3)


def f(x, flag, k):
    y = lin(x.float())
    if flag:
        y = y.relu() * k
    else:
        y = y - k
    return y.mean()


total = 0.0
state = 12345
for i in range(120):
    state = (state * 1103515245 + 12345) % 2 ** 31
    n, flag, k = state % 17 + 1, state // 64 % 2 == 0, state // 1024 % 5
    x = torch.ones(n, 3, dtype=torch.float64 if state // 4096 % 3 == 0 else torch.float32) * (i % 10)
    loss = f(x, flag, k)
    loss.backward()
    total += loss.item()
print(f"{total:.3f} {lin.weight.grad.sum().item():.3f} {lin.bias.grad.sum().item():.3f}")
