# Draws whose distributions the graph computes, functions of math on numbers that move.
import math
import random
import torch
import torch.nn.functional as F
from torch.distributions import Categorical
torch.manual_seed(0)
random.seed(0)
W = torch.randn(4, 3, requires_grad=True)

def act(s):
    logits = s @ W
    p = torch.softmax(logits, -1)
    m = Categorical(p)
    a = m.sample()
    return a.item(), m.log_prob(a)

hist = []
for i in range(60):
    a, lp = act(torch.randn(4))
    hist.append(a)
    if i % 10 == 9:
        (-lp).backward()
print(hist, W.grad)
def sched(it):
    lr = 0.5 * (1 + math.cos(math.pi * it / 40)) * math.exp(-it / 30) + math.log(it + 2) * 0.01 + math.sqrt(it) * 0.001 + math.sin(it)
    return torch.ones(2) * lr, lr
for it in range(40):
    t, lr = sched(it)
    if it % 8 == 0:
        print(t, repr(lr))
def roll(n):
    total = torch.zeros(3)
    for t in range(n):
        k = torch.multinomial(torch.softmax(total, 0), 1)
        total = total + F.one_hot(k, 3).squeeze(0) * 0.5 - 0.1
    return total
for i in range(25):
    r = roll(2 + i * 7 % 23)
print(r, torch.rand(2))
def noisy(p):
    x = torch.bernoulli(p)
    y = torch.multinomial(p, 4, replacement=True)
    z = torch.multinomial(p, 2)
    return x.sum() + y.sum() + z[0] * 10
for i in range(30):
    r = noisy(torch.rand(6))
    if i % 6 == 0:
        print(r)
print(torch.rand(1))
def bad(p):
    return torch.multinomial(p, 1).sum()
for i in range(12):
    p = torch.rand(3) if i != 8 else -torch.rand(3)
    try:
        print(bad(p))
    except RuntimeError as e:
        print("raised", e)
print(torch.rand(1), random.random())
