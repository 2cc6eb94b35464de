# expect: line 31 tier 2
# expect: line 42 tier 2
# Arithmetic of numpy's floats is part of a graph: that a result is infinite, of which numpy would warn, is taken not to happen.
import warnings

import numpy as np
import torch

np.random.seed(0)
torch.manual_seed(0)
warnings.resetwarnings()
shown = []
warnings.showwarning = lambda message, category, filename, lineno, file=None, line=None: shown.append((str(message), lineno))


def moons(n):
    t = np.random.rand(n) * np.pi
    k = np.random.randint(0, 2, n)
    x = np.where(k == 0, np.cos(t), 1 - np.cos(t))
    y = np.where(k == 0, np.sin(t), 0.5 - np.sin(t))
    return np.stack([x, y], 1) + np.random.randn(n, 2) * 0.05


net = torch.nn.Linear(2, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)


def train(steps):
    total = 0.0
    # A batch of numpy's, and a step of training.
    for i in range(steps):
        x = torch.from_numpy(moons(16).astype(np.float32))
        loss = (net(x) - x).square().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item()
    return total


total = 0.0
for i in range(40):
    scale = np.float64(i) / 7 + np.sqrt(2.0)
    x = torch.from_numpy(np.linspace(0, 1, 8) * scale / (scale + 1.0))
    total += (x * x).sum().item()
print(f"{total:.4f} {train(60):.4f}", shown)

# What is infinite now and then, what is ignored, and what raises.
total = 0.0
for i in range(30):
    a = np.array([1.0, 2.0, 0.0 if i % 10 == 9 else 1.0])
    x = torch.from_numpy(1.0 / a)
    total += torch.isinf(x).sum().item() + x[0].item()
print(total, shown)
shown.clear()
with np.errstate(all="ignore"):
    for i in range(10):
        x = torch.from_numpy(np.log(np.zeros(3)) * i)
        total += torch.isnan(x).sum().item()
print(total, shown)
with np.errstate(divide="raise"):
    try:
        for i in range(20):
            x = torch.from_numpy(np.ones(2) / np.array([1.0, 15.0 - i]))
            total += (x * 2).sum().item()
    except FloatingPointError as e:
        print(i, e)
print(f"{total:.4f}", shown)
