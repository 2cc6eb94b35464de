# Python's own random numbers decide which way a step goes: the graphs before and after the call.
import random

import torch


def train(x, n, p):
    for k in range(n):
        x = x.tanh()
    flip = True if random.random() < p else False
    s = x.sum()
    if flip:
        return s.item()
    return -s.item()


random.seed(5)
total = 0.0
flips = 0
for i in range(60):
    loss = train(torch.ones(2), 2 + i % 4, 0.5)
    total += loss
    flips += loss > 0
print(flips, round(total, 4))


def decode(h, w, targets, ratio):
    forced = random.random() < ratio
    out = []
    for t in targets:
        h = torch.tanh(h * w)
        out.append(h)
        h = t if forced else h.detach()
    return torch.stack(out).mean()


w = torch.full((3,), 0.5, requires_grad=True)
for i in range(40):
    loss = decode(torch.ones(3), w, [torch.full((3,), 0.1 * k) for k in range(4)], 0.5)
    loss.backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
    w.grad = None
    if i % 10 == 9:
        print(i, round(loss.item(), 4), [round(v, 4) for v in w.tolist()])
