"""Losses added up in place from one iteration to the next: the sum that a variable holds moves on the tape."""

import torch
from torch import nn

torch.manual_seed(0)
p = torch.randn(6, requires_grad=True)
x = torch.linspace(-1, 1, 6)
total = 0
for i in range(60):  # expect: tier 2, at most 8 entries in tier 0
    loss = (p * x - i % 3).pow(2).mean()
    total += loss
    if i % 4 == 3:
        total.backward()
        with torch.no_grad():
            p -= 0.1 * p.grad
        p.grad = None
        if i % 12 == 3:
            print(i, f"{total.item():.4f}", total.requires_grad, type(total.grad_fn).__name__)
        total = 0
print(f"{p.sum().item():.4f}")

lin = nn.Linear(6, 3)
opt = torch.optim.SGD(lin.parameters(), lr=0.05)
for step in range(12):
    loss = torch.zeros(())
    kept = []
    h = torch.zeros(3)
    for t in range(8):
        h = torch.tanh(lin(x * (t + 1)) + h)
        loss += h.pow(2).sum()
        if t % 3 == 0:
            kept.append(loss)
    loss /= 8
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(step, f"{loss.item():.4f}", kept[0] is loss, f"{lin.bias.grad.sum().item():.4f}")


def add(total, w, k):
    total += (w * k).sum()
    total.mul_(0.9)
    return total * 2


w = torch.ones(3, requires_grad=True)
sums = [torch.zeros(()), torch.zeros(()), w.sum() * 0.5]
for i in range(30):
    twice = add(sums[i % 3], w, i)
    if i % 10 == 9:
        (sums[0] + sums[1] * sums[2] + twice).backward()
        print(i, w.grad.tolist(), [round(s.item(), 3) for s in sums], sums[0].is_leaf)
        w.grad = None
        sums = [torch.zeros(()), torch.zeros(()), w.sum() * 0.5]
base = torch.zeros(2, 3)
row = base[0]
for i in range(6):
    row += w * i
    print(row.requires_grad, base.requires_grad, base.sum().item())
leaf = torch.zeros(3, requires_grad=True)
for i in range(6):
    try:
        leaf += w
    except RuntimeError as e:
        print(e)
