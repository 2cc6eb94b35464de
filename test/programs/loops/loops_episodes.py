# Episodes whose length nobody knows before: lists that grow side by side in one loop are of one length behind it.
import random

import torch
from torch import nn

torch.manual_seed(1)
random.seed(1)
policy = nn.Linear(3, 2)
value = nn.Linear(3, 1)
opt = torch.optim.Adam([*policy.parameters(), *value.parameters()], lr=0.03)


def returns(rewards, gamma=0.9):
    out, r = [], 0.0
    for x in reversed(rewards):
        r = x + gamma * r
        out.insert(0, r)
    return torch.tensor(out)


def episode(limit):
    s = torch.randn(3)
    logps, values, rews, steps = [], [], [], 0
    done = False
    while not done:
        p = torch.softmax(policy(s), -1)
        a = 1 if random.random() < p[1].item() else 0
        logps.append(torch.log(p[a]))
        values.append(value(s)[0])
        s = s * 0.5 + torch.randn(3) * 0.5
        steps += 1
        rews.append(1.0 if s[a] > 0 else -0.1)
        done = s[0].item() > 0.8 or steps >= limit
    return logps, values, rews


total = 0
for ep in range(40):  # expect: tier 2, at most 8 entries in tier 0
    logps, values, rews = episode(10)
    G = returns(rews)
    V = torch.stack(values)
    adv = (G - V).detach()
    loss = -(torch.stack(logps) * adv).sum() + ((G - V) ** 2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    total += len(rews)
    if ep % 10 == 9:
        print(ep, len(rews), f"{loss.item():.4f} {G[0].item():.4f} {adv.sum().item():.4f}")
print(total)


def apart(n, start):
    a, b, c = [torch.zeros(2)], [], [start]
    x = torch.ones(2)
    k = 0
    while x.sum() < n:
        x = x * 1.5 + 0.1
        a.append(x)
        b.append(x * 2)
        if k % 2 == 0:
            c.append(x)
        k += 1
    d = (torch.stack(a[1:]) * torch.stack(b)).sum()
    e = torch.stack(a).sum(0) + torch.stack(c).sum(0)
    return d + e.sum(), len(a), len(b), len(c)


for i in range(24):
    r, *counts = apart(4.0 + 3 * (i % 6), torch.full((2,), float(i)))
    if i % 6 == 5:
        print(i, f"{r.item():.4f}", counts)
