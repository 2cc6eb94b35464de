"""A replay memory that is a ring: items are replaced at a position that moves."""
import random
from collections import namedtuple
import torch
import torch.nn as nn
import torch.nn.functional as F

random.seed(3)
torch.manual_seed(3)
Transition = namedtuple("Transition", ("state", "action", "next_state", "reward"))


class ReplayMemory:
    def __init__(self, capacity):
        self.capacity = capacity
        self.memory = []
        self.position = 0

    def push(self, *args):
        if len(self.memory) < self.capacity:
            self.memory.append(None)
        self.memory[self.position] = Transition(*args)
        self.position = (self.position + 1) % self.capacity

    def sample(self, n):
        return random.sample(self.memory, n)

    def __len__(self):
        return len(self.memory)


class Env:
    def __init__(self):
        self.x = torch.zeros(4)

    def reset(self):
        self.x = torch.randn(4) * 0.3
        return self.x

    def step(self, a):
        self.x = torch.tanh(self.x + (0.1 if a == 1 else -0.1) * torch.tensor([1.0, 0.5, -0.5, 0.2]))
        return self.x, 1.0 - self.x.abs().sum().item(), bool(self.x.abs().max() > 0.8)


policy = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
target = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
target.load_state_dict(policy.state_dict())
opt = torch.optim.Adam(policy.parameters(), lr=1e-2)
memory = ReplayMemory(50)
env = Env()
steps = 0


def select(state):
    global steps
    eps = 0.1 + 0.8 * (0.98 ** steps)
    steps += 1
    if random.random() < eps:
        return random.randrange(2)
    with torch.no_grad():
        return int(policy(state).argmax())


def optimize(n=16):
    if len(memory) < n:
        return None
    batch = Transition(*zip(*memory.sample(n)))
    s = torch.stack(batch.state)
    a = torch.tensor(batch.action).unsqueeze(1)
    r = torch.tensor(batch.reward)
    s2 = torch.stack(batch.next_state)
    q = policy(s).gather(1, a).squeeze(1)
    with torch.no_grad():
        t = r + 0.9 * target(s2).max(1).values
    loss = F.smooth_l1_loss(q, t)
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss.item()


total = 0.0
for episode in range(12):
    state = env.reset()
    for t in range(20):  # expect: tier 2, at most 14 entries in tier 0
        action = select(state)
        nxt, reward, done = env.step(action)
        memory.push(state, action, nxt, reward)
        state = nxt
        total += reward
        loss = optimize()
        if done:
            break
    if episode % 3 == 2:
        target.load_state_dict(policy.state_dict())
        print(episode, t, len(memory), memory.position, f"{total:.4f} {loss if loss is None else round(loss, 5)}")


class Ring:
    def __init__(self, n):
        self.data = [None] * n
        self.n, self.at, self.full = n, 0, False

    def add(self, x):
        self.data[self.at] = x
        self.at += 1
        if self.at == self.n:
            self.at, self.full = 0, True

    def mean(self):
        items = self.data if self.full else self.data[: self.at]
        return torch.stack(items).mean(0)


ring = Ring(6)
w = torch.randn(4, 4) * 0.4
x = torch.randn(4)
for i in range(60):  # expect: tier 2, at most 6 entries in tier 0
    x = torch.tanh(w @ x + 0.1 * torch.randn(4))
    ring.add(x)
    if i % 4 == 3:
        m = ring.mean()
        x = x - 0.1 * m
    if i % 16 == 15:
        print(i, ring.at, ring.full, f"{x.sum().item():.4f} {m.norm().item():.4f}")

# Tables: from the end, at an index that is known, twice, beyond the end, read afterwards.
table = [torch.zeros(2)] * 5 + [None] * 40
for i in range(60):
    y = torch.full((2,), float(i))
    table[-1 - i % 7] = y
    table[3] = y * 2
    table[i % 45] = y + 1
    table[i % 9 + 20] = table[3]
    try:
        table[i if i % 20 == 19 else i % 30] = y - 1
        table[40 + i] = y
    except IndexError as e:
        caught = str(e)
    if i % 15 == 14:
        print(i, [None if v is None else int(v.sum()) for v in table], caught if i > 5 else "")


def visit(seen, x, limit):
    """Items are replaced in a loop, and on one side of a branch."""
    n = 0
    while x.sum() < limit and n < 12:
        x = x * 1.3 + 0.1
        seen[n % len(seen)] = n
        if n % 2 == 0:
            seen[(n * 3) % 50] = -n
        n += 1
    return x, n


seen = [0] * 50
for i in range(40):
    x, n = visit(seen, torch.rand(3), 3.0 + i % 4)
    if i % 10 == 9:
        print(i, n, f"{x.sum().item():.4f}", sum(seen), seen[:12])
