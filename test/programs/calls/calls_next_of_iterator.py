# A batch comes from `next()` of a generator or an iterator: the call is made between two graphs.
import itertools

import torch
import torch.nn as nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 1))
opt = torch.optim.SGD(model.parameters(), lr=0.05)


def batches():
    n = 0
    while True:
        n += 1
        yield torch.randn(4, 2) + n % 3, n


data = batches()
for it in range(12):
    for _ in range(2):
        noise = torch.randn(4, 2)
        scale = torch.rand(4, 1)
        scaled = noise * scale
        x, n = next(data)
        a = (x + scaled).requires_grad_(True)
        g = torch.autograd.grad(model(a).sum(), a, create_graph=True)[0]
        loss = model(scaled).mean() - model(x).mean() + (g.norm(2, dim=1) - 1).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    if it % 4 == 0:
        print(it, n, f"{loss.item():.4f}")


class Feed:
    """Starts over at the end; the iterator is another object each time."""

    def __init__(self, items):
        self.items = items
        self.it = iter(items)
        self.epochs = 0

    def get(self):
        try:
            return next(self.it)
        except StopIteration:
            self.epochs += 1
            self.it = iter(self.items)
            return next(self.it)


feed = Feed([torch.full((3,), float(i)) for i in range(5)])
w = torch.ones(3)
seen = []
for step in range(23):
    w = w * 0.9
    w = w + 0.1
    w = w.sin()
    x = feed.get()
    w = w + x * 0.01
    w = w * w.mean()
    if step % 6 == 0:
        seen.append(round(w.sum().item(), 3))
print(feed.epochs, seen)

# What is appended before the call is there when the generator runs.
log = []


def last():
    while True:
        yield len(log), log[-1].sum().item()


ends = last()
total = torch.zeros(2)
for i in range(10):
    y = torch.ones(2) * i
    y = y + total * 0.5
    y = y.tanh()
    log.append(y)
    count, s = next(ends)
    total = total + s * count
    total = total / (1 + count)
print(count, [round(v, 4) for v in total.tolist()])

# An iterator is still the object that it was, and is true.
source = iter(range(100))
same = source
other = iter(range(3))
hits = 0
v = torch.zeros(2)
for i in range(12):
    v = v + 1
    v = v.exp()
    v = v / v.sum()
    if source is same and source is not other and source is not None and source:
        hits += 1
    k = next(source)
    v = v + k
    v = v * 0.5
print(hits, k, [round(a, 4) for a in v.tolist()])

# What is no iterator any more is noticed; a default ends it.
stream = iter([torch.tensor(float(i)) for i in range(8)])
out = torch.zeros(())
ended = 0
for i in range(14):
    out = out + 1
    out = out * 0.5
    out = out.cos()
    item = next(stream, None)
    if item is None:
        ended += 1
    else:
        out = out + item
print(ended, f"{out.item():.4f}")

loader = itertools.cycle([torch.arange(3.0), torch.ones(3)])
h = torch.zeros(3)
for i in range(12):
    h = h.sin() + 1
    h = h * 0.3
    h = h + next(loader)
    h = h - h.mean()
print([round(a + 2, 4) for a in h.tolist()])
