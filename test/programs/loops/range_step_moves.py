"""Ranges whose step moves: mini-batches of another size in each epoch, and steps that tier 0 refuses."""
import random

import torch

random.seed(0)
torch.manual_seed(0)
data = torch.randn(50, 6)
w = torch.zeros(6, requires_grad=True)
for epoch in range(60):
    size = random.choice([7, 10, 16, 25])
    total, count, starts = 0.0, 0, []
    for i in range(0, 50, size):
        batch = data[i:i + size]
        loss = ((batch @ w) - 1).pow(2).mean()
        loss.backward()
        with torch.no_grad():
            w -= 0.01 * w.grad
        w.grad = None
        total += loss.item() * len(batch)
        count += 1
        starts.append(i)
    k = 1 + epoch % 3
    doubled = sum(j * 2 for j in range(epoch % 7, 40, k))
    listed = [j for j in range(0, epoch % 9, k)]
    print(epoch, size, count, f"{total:.3f}", starts, doubled, listed, f"{w.sum().item():.4f}")

for step in [2, 3, 1, 2, -1, 2, 0, 3] * 4:
    try:
        t = torch.zeros(3)
        for j in range(0, 6, step):
            t = t + torch.ones(3) * j
        print(step, t.tolist())
    except ValueError as e:
        print(e)


def pick(n, even):
    if even:
        return range(0, n, 2)
    return range(0, n, 1)


x = torch.zeros(3)
for i in range(40):
    chosen = pick(5 + i % 4, i % 3 == 0)
    seen = 0
    for k in chosen:
        x = x * 0.5 + k
        seen += k
    print(i, seen, x.tolist())


def steps_of_nothing(i, x):
    t, n = x, 0
    for row in (x, x * 2):
        for k in range(i % 3, i % 8, i % 3 % 5):
            n += k
            t = t + row * 0.25
    return n, t


for i in range(30):
    try:
        n, x = steps_of_nothing(i, torch.full((3,), float(i % 5)))
        print(i, n, x.tolist())
    except ValueError as e:
        print(i, e)
