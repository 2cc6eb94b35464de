"""Counters and state in classes and functions; descriptors written in Python."""
import torch
from functools import cached_property, partialmethod
torch.manual_seed(0)

class Net:
    calls = 0
    scale = 1.0
    last = None
    def __init__(self):
        self.w = torch.ones(3)
    def step(self, x):
        Net.calls += 1
        type(self).scale *= 0.99
        y = (self.w * x).sum() * Net.scale
        Net.last = y
        return y

class Sub(Net):
    pass

def count(x):
    count.n += 1
    count.total = count.total + x.sum()
    return x * count.n
count.n = 0
count.total = torch.zeros(())

n, s, t = Net(), Sub(), 0.0
for i in range(60):
    t += n.step(torch.ones(3) * i).item()
print(Net.calls, f"{Net.scale:.6f} {t:.4f}", Net.last.item(), Sub.calls, "calls" in vars(Sub))
for i in range(40):
    t += count(torch.ones(2) * (i % 3)).sum().item()
    if i == 20:
        Net.scale = 2.0
    t += n.step(torch.ones(3)).item()
print(count.n, count.total.item(), f"{t:.4f}", Net.calls)
for i in range(40):
    t += s.step(torch.ones(3)).item()
    if i == 25:
        Net.step = lambda self, x: x.sum() * 2
print(Net.calls, Sub.calls, f"{Sub.scale:.6f} {t:.4f}", "scale" in vars(Sub))

class Clamped:
    def __init__(self, lo, hi):
        self.lo, self.hi = lo, hi
    def __set_name__(self, owner, name):
        self.name = "_" + name
    def __get__(self, obj, owner=None):
        return self if obj is None else getattr(obj, self.name)
    def __set__(self, obj, v):
        v = v.clamp(self.lo, self.hi) if isinstance(v, torch.Tensor) else min(max(v, self.lo), self.hi)
        setattr(obj, self.name, v)

class Lazy:
    def __get__(self, obj, owner=None):
        return obj.base * 2

class C:
    gain = Clamped(0.1, 2.0)
    state = Clamped(-1.0, 1.0)
    twice = Lazy()
    def __init__(self):
        self.gain, self.state, self.base = 1, torch.zeros(3), torch.ones(3)
    @cached_property
    def norm(self):
        return self.state.norm() + 1
    def scaled(self, k, x):
        return x * k
    by3 = partialmethod(scaled, 3)

c = C()
for i in range(60):
    c.state = c.state * 0.9 + c.gain * torch.ones(3) * (i % 5 - 2)
    c.gain = c.gain * (1.1 if i % 3 else 0.5)
    t += (c.twice + c.by3(c.state)).sum().item() + c.norm.item()
    if i % 4 == 3:
        del c.norm
print(f"{t:.4f} {c.gain:.4f}", [f"{v:.4f}" for v in c.state.tolist()], C.gain.hi)
