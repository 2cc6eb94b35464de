# A row's element is kept for later, and so is the row: what else is computed from it asks for no gradient.
import random

import torch
import torch.nn as nn

torch.manual_seed(0)
random.seed(0)
lin = nn.Linear(4, 3)
opt = torch.optim.SGD(lin.parameters(), lr=0.05)
for ep in range(14):
    saved = []
    for t in range(6 + ep % 3):
        logp = torch.log_softmax(lin(torch.randn(4)), -1)
        a = torch.multinomial(logp.exp(), 1).item()
        saved.append(logp[a])
        if random.random() < 0.02:
            break
    loss = -torch.stack(saved).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if ep % 4 == 0:
        print(ep, f"{loss.item():.4f}", logp.requires_grad, saved[-1].grad_fn.name())

# The row is used twice with gradients: their order matters.
for ep in range(14):
    kept, extra = [], []
    for t in range(5):
        row = torch.tanh(lin(torch.randn(4)))
        pair = row[1:]
        kept.append(pair[t % 2])
        extra.append((row * row).sum())
        plain = row.exp().max().item()
        if random.random() < 0.02:
            break
    loss = torch.stack(kept).sum() + 0.1 * torch.stack(extra).sum() + plain * 0
    opt.zero_grad()
    loss.backward()
    opt.step()
    if ep % 4 == 0:
        print(ep, f"{loss.item():.4f}")

# A write to the row shows in what was kept.
for ep in range(8):
    kept = []
    for t in range(4):
        row = lin(torch.randn(4)) * 1.0
        one = row[t % 3]
        row.mul_(2)
        kept.append(one)
        level = row.detach().abs().sum().item()
    loss = torch.stack(kept).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
print(f"{loss.item():.4f} {level:.4f}")
