"""Objects that each iteration of a loop makes anew, and that variables name behind it."""
import torch
from torch.distributions import Categorical, Normal

torch.manual_seed(5)


class State:
    def __init__(self, h, c, n):
        self.h, self.c, self.n = h, c, n

    def total(self):
        return self.h.sum() + self.c.sum() * self.n


class Pair:
    def __init__(self, a, b):
        self.a = a
        self.b = b


w = torch.randn(4, 3, requires_grad=True)
v = torch.randn(4, 4) * 0.3
opt = torch.optim.SGD([w], lr=0.05)

# A policy's distribution, at module level.
for episode in range(40):
    x = torch.randn(4)
    logps, steps, done = [], 0, False
    while not done:
        dist = Categorical(logits=x @ w)
        action = dist.sample()
        logps.append(dist.log_prob(action))
        x = (x @ v + action * 0.1).tanh()
        steps += 1
        done = steps > 2 and x.sum().item() > 1.2 or steps >= 12
    loss = -torch.stack(logps).mean() - 0.01 * dist.entropy()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if episode % 8 == 0:
        print(f"{episode} {steps} {loss.item():.4f} {dist.probs.max().item():.4f} {type(dist).__name__}")

# A state that is replaced, read before it is.
for k in range(30):  # expect: tier 2, at most 6 entries in tier 0
    state = State(torch.randn(3), torch.ones(3), 0)
    for t in range(10 + k % 5):
        h = (state.h * 0.9 + state.c * 0.1).tanh()
        state = State(h, state.c + h * h, state.n + 1)
    if k % 6 == 0:
        print(f"{state.total().item():.4f} {state.n} {state.h.tolist()[0]:.4f}")

# Two names of one object, an object that is changed, and one that is kept.
for k in range(30):
    a = Pair(torch.zeros(2), k)
    kept = a
    for t in range(9 + k % 3):
        b = a
        a = Pair(a.a + t, b.b)
        a.b += 1
    if k % 10 == 0:
        print(a.a.tolist(), a.b, b.b, kept.b, kept is a, b is a)

for k in range(30):
    p = Pair(torch.ones(2) * k, 1.0)
    for t in range(9 + k % 4):
        p.a.mul_(0.9)
        p.b = p.b * 1.01
        if t % 3 == 2:
            p = Pair(p.a * 1.1, p.b + 1.0)
    if k % 10 == 0:
        print([round(e, 4) for e in p.a.tolist()], f"{p.b:.4f}")

# Gradients go through what it holds.
for k in range(30):  # expect: tier 2, at most 6 entries in tier 0
    s = State(torch.zeros(3), torch.ones(3), 0)
    for t in range(8 + k % 5):
        s = State((torch.ones(4) * 0.1 * t) @ w + s.h, s.c * 0.9, t)
    loss = s.total() ** 2 * 1e-4
    opt.zero_grad()
    loss.backward()
    opt.step()
    if k % 10 == 0:
        print(f"{loss.item():.4f} {w.grad.abs().sum().item():.4f} {s.n}")
