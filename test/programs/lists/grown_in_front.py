"""Lists that get items before their first one in loops of any trip count; lists of an object that begin empty."""

from collections import deque

import torch

torch.manual_seed(0)
w = torch.randn(3, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.1)


class Memory:
    def __init__(self):
        self.rewards = []
        self.saved = []


memory = Memory()


def episode(n, x):
    h = x
    i = 0
    while i < n:
        h = torch.tanh(h * w + i * 0.1)
        memory.saved.append(h.sum())
        memory.rewards.append(1.0 if i % 3 else -0.5)
        i += 1


def discounted():
    returns = []
    total = 0.0
    for reward in reversed(memory.rewards):
        total = reward + 0.9 * total
        returns.insert(0, total)
    return returns


def from_left():
    returns = deque()
    total = 0.0
    for reward in memory.rewards[::-1]:
        total = reward + 0.5 * total
        returns.appendleft(total)
    return returns


def update():
    returns = torch.tensor(discounted())
    left = torch.tensor(from_left())
    returns = (returns - returns.mean()) / (returns.std() + 0.1) + left
    loss = torch.stack([s * r for s, r in zip(memory.saved, returns)]).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    del memory.rewards[:]
    memory.saved.clear()
    return loss.item()


def tensors(n, x):
    out = []
    h = x
    for i in range(n):
        h = torch.tanh(h * w + i)
        out.insert(0, h)
    return out


def twice(n):
    out = []
    for i in range(n):
        out.insert(0, i)
        out.insert(0, -i)
    return out


def turned(n, x):
    out = []
    for i in range(n):
        out.append(x * i)
    out.reverse()
    return out


lengths = [5, 3, 9, 2, 7, 4, 12, 6, 2, 8, 11, 3, 5, 10, 4, 6]
x = torch.full((3,), 0.1)
for step in range(48):  # expect: tier 2, at most 8 entries in tier 0
    n = lengths[step % len(lengths)]
    episode(n, x)
    loss = update()
    if step % 8 == 7:
        print(f"{step} loss {loss:.4f}", memory.rewards, len(memory.saved))

for step in range(32):
    n = lengths[step % len(lengths)]
    made = tensors(n, x)
    loss = (torch.stack(made) * torch.arange(n).unsqueeze(1)).sum() + made[0].sum() * made[-1].sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    pairs, back = twice(n), turned(n, x)
    first, last = made[0], made[n - 1]
    if step % 8 == 7:
        print(f"{step} loss {loss.item():.4f}", pairs[:3], pairs[-1], len(pairs), f"{back[0].sum().item():.3f}", len(back))
        print(first is made[0], last is made[-1], len(made))


def both_ends(n):
    out = []
    for i in range(n):
        out.insert(0, i)
        out.append(i)
    return out


def begun(n, x):
    out = [x, x + 1]
    for i in range(n):
        out.insert(0, out[0] * 0.5 + i)
    return out


for step in range(16):
    n = lengths[step]
    h = (x * n).sum().item()
    ends, more = both_ends(n), begun(n, h)
    if step % 8 == 7:
        print(ends[:2], ends[-2:], f"{more[0]:.3f} {more[-1]:.3f} {len(more)}")
