"""Generators that compute: what lies between two yields is compiled."""
import torch

torch.manual_seed(3)


def batches(data, size):
    """Normalised minibatches in a random order."""
    order = torch.randperm(len(data))
    for at in range(0, len(data), size):  # expect: tier 2, at most 14 entries in tier 0
        rows = data[order[at : at + size]]
        centred = rows - rows.mean(0)
        scaled = centred / (centred.std(0) + 1e-5)
        yield scaled.clamp(-2.0, 2.0), rows.sum(1)
    seen = len(order)


def noisy(steps):
    """State is carried over the yield, and a value is sent in."""
    scale, seen = 1.0, 0
    x = torch.zeros(4)
    while seen < steps:
        x = (x * 0.9 + torch.randn(4) * scale).tanh()
        got = yield x, seen  # expect: tier 2, at most 6 entries in tier 0
        if got is not None:
            scale = got
        x = x - x.mean() + x.abs().sum() * 0.01
        seen += 1
    return x.sum()


def through(items):
    for a, b in items:
        a = a * 2.0 + 1.0
        a = a.relu() - b.unsqueeze(1)
        yield a.sin()


class Source:
    def __init__(self, n):
        self.n, self.made = n, 0

    def __iter__(self):
        for i in range(self.n):
            self.made += 1
            x = torch.full((3,), float(i))
            y = (x * 0.1).exp().log1p() + self.made
            yield y


data = torch.randn(96, 5)
w = torch.zeros(5, requires_grad=True)
for epoch in range(8):
    for x, y in batches(data, 8):
        loss = ((x @ w - y) ** 2).mean()
        loss.backward()
        with torch.no_grad():
            w -= 0.01 * w.grad
        w.grad = None
    print(f"epoch {epoch} loss {loss.item():.5f}")

gen = noisy(60)
total, scale = torch.zeros(4), None
try:
    while True:
        x, seen = gen.send(scale)
        total = total + x
        scale = 0.5 if seen % 20 == 10 else None
except StopIteration as done:
    print(f"{done.value:.5f}", [round(v, 4) for v in total.tolist()])

s = 0.0
for y in through(batches(data, 4)):
    s += y.sum().item()
print(f"{s:.4f}")

source = Source(40)
print(f"{sum(t.sum() for t in source):.4f}", source.made)
closing = noisy(50)
for k in range(30):
    next(closing)
closing.close()
try:
    next(closing)
except StopIteration:
    print("closed")
