"""Tuples of numbers in dicts and lists under ints that move: the moves of an agent in a grid."""

import random

import torch
from torch import nn

torch.manual_seed(0)
random.seed(0)
MOVES = {0: (0, 1), 1: (1, 0), 2: (0, -1), 3: (-1, 0)}
COSTS = {0: (0.5, (1, True)), 2: (0.25, (2, False))}
JUMPS = [(2, 2), (-2, 1), (0, 0)]


class Walker:
    def __init__(self):
        self.at = [2, 2]
        self.seen = 0
        self.net = nn.Linear(2, 4)

    def step(self):
        x, y = self.at
        scores = self.net(torch.tensor([float(x), float(y)]))
        a = torch.distributions.Categorical(logits=scores).sample().item()
        dx, dy = MOVES[a]
        nx, ny = (x + dx) % 5, (y + dy) % 5
        self.at[:] = nx, ny
        self.seen += dx == 0
        return scores[a] * dx + dy, a


w = Walker()
opt = torch.optim.SGD(w.net.parameters(), lr=0.05)
for i in range(60):  # expect: tier 2, at most 8 entries in tier 0
    loss, a = w.step()
    opt.zero_grad()
    loss.backward()
    opt.step()
    jump = JUMPS[random.randrange(3)]
    w.at = [max(0, min(4, p + d)) for p, d in zip(w.at, jump)]
    cost, (times, flag) = COSTS.get(a, (1.0, (0, True)))
    if i % 6 == 0:
        print(i, a, w.at, jump, f"{loss.item():.4f}", cost, times, flag)


def at(x, k):
    near = MOVES[k]
    return x * near[0] + near[1], len(near), near, near == (0, 1)


for k in (0, 1, 2, 3, 1, 2, 0, 3, 2, 5, 1, 0):
    try:
        print(k, *at(torch.ones(2), k))
    except KeyError as e:
        print("KeyError", e)
print(w.seen, [p.detach().sum().item() > 0 for p in w.net.parameters()])
