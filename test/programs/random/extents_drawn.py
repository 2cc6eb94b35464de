"""Extents that the script draws: equal where they are made of one number, padded batches, `linspace`."""
import random

import torch

torch.manual_seed(0)
random.seed(0)
w = torch.randn(4, 3, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.05)


def learn(loss):
    opt.zero_grad()
    loss.backward()
    opt.step()
    return f"{loss.item():.3f}"


for step in range(40):
    n = int(torch.randint(2, 9, (1,)))
    x, y = torch.randn(n, 4), torch.randn(n, 3)
    mask = torch.rand(n, 3) > 0.5
    pick = torch.where(torch.rand(n) < 0.3, torch.randint(0, 3, (n,)), torch.arange(n) % 3)
    loss = (((x @ w) - y) ** 2 * mask).sum() / mask.sum().clamp(min=1) + (x @ w).gather(1, pick[:, None]).mean()
    text = learn(loss)
    if step % 8 == 0:
        print(step, n, text)

for step in range(40):  # expect: tier 2, at most 10 entries in tier 0
    batch = [torch.randn(random.randint(2, 6), 4) for _ in range(3)]
    longest = max(len(b) for b in batch)
    shortest = min(len(b) for b in batch)
    padded = torch.zeros(3, longest, 4)
    mask = torch.zeros(3, longest, dtype=torch.bool)
    for i, b in enumerate(batch):
        padded[i, : len(b)] = b
        mask[i, : len(b)] = True
    loss = ((padded @ w) ** 2)[mask].mean() + (padded[:, :shortest] @ w).sum() * 0.01
    text = learn(loss)
    if step % 8 == 0:
        print(step, longest, shortest, text)

for step in range(40):
    n = random.randint(1, 7)
    t = torch.linspace(-1, 2.5, n)
    d = torch.linspace(0, 1, n, dtype=torch.float64)
    k = torch.linspace(0, 20, n, dtype=torch.int64)
    loss = ((t[:, None] * w[0] - torch.logspace(0, 1, n)[:, None]) ** 2).mean()
    text = learn(loss)
    if step % 4 == 0:
        print(step, n, text, t.tolist()[-1], d.tolist()[n // 2], k.tolist())
