# Python's random in branches and loops that move, from two generators.
import random
import torch
import torch.nn.functional as F

random.seed(5)
torch.manual_seed(1)
rng = random.Random(7)

def step(w, x, p):
    if random.random() < p:
        y = (x * w).sum()
    else:
        y = (x - w).sum()
    z = y * random.uniform(0.5, 1.5)
    if rng.random() > 0.5:
        z = z + torch.randn(1).sum()
    return z

w = torch.ones(3, requires_grad=True)
for i in range(40):
    loss = step(w, torch.rand(3), 0.6)
    loss.backward()
    if i % 8 == 0:
        print(i, loss.item(), w.grad)
print(random.random(), rng.random(), torch.rand(1))

def teacher(xs, ws, ratio):
    h = torch.zeros(3)
    prev = xs[0]
    for t in range(len(xs)):
        h = torch.tanh(ws @ h + prev)
        prev = xs[t] if random.random() < ratio else h
    return h
ws = torch.rand(3, 3)
for i in range(25):
    n = 2 + i * 5 % 37
    h = teacher(torch.rand(n, 3), ws, 0.5)
    if i % 6 == 0:
        print(n, h)
print(random.random(), torch.rand(1))

def eps(q, n):
    if random.random() < 0.3:
        return random.randrange(n)
    return int(q.argmax())
acts = []
for i in range(60):
    a = eps(torch.rand(5), 5)
    acts.append(a)
print(acts, random.randint(1, 100))
tot = 0.0
for i in range(40):
    k = random.randint(1, 6)
    t = torch.full((2,), float(k))
    tot = tot + (t * random.choice([0.5, 2.0])).sum().item()
print(tot, random.random())
mem = [torch.full((2,), float(i)) for i in range(7)]
s = torch.zeros(2)
for i in range(40):
    s = s * 0.9 + random.choice(mem)
print(s, random.random())
s = torch.zeros(2)
for i in range(40):
    s = s * 0.9 + torch.ones(2) * random.gauss(0, 1)
print(s, random.random())
