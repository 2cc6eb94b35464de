"""Batches whose length does not depend on where they start, and the last one of an epoch, which is smaller."""

import torch

torch.manual_seed(0)
x = torch.randn(22, 3)
y = (x.sum(1) > 0).float()
w = torch.zeros(3, requires_grad=True)
B = 4


def step(xb, yb):
    loss = torch.nn.functional.binary_cross_entropy_with_logits(xb @ w, yb)
    loss.backward()
    with torch.no_grad():
        w.sub_(w.grad * 0.1)
        w.grad.zero_()
    return loss.item()


def epoch_by_start(n):
    total = 0.0
    for i in range(0, n, B):
        total += step(x[i : i + B], y[i : i + B])
    return total


def epoch_by_number(count):
    total = 0.0
    for i in range(count):
        total += step(x[i * B : (i + 1) * B], y[i * B : (i + 1) * B])
    return total


class Loader:
    def __init__(self, size):
        self.size = size
        self.at = 0

    def next(self):
        batch = x[self.at : self.at + self.size]
        self.at = (self.at + self.size) % len(x)
        return batch


for epoch in range(6):
    print(f"{epoch_by_start(20):.5f} {epoch_by_start(22):.5f} {epoch_by_number(5):.5f} {epoch_by_number(6):.5f}")

# The batch goes over the end, and is empty at last.
loader = Loader(5)
sizes, sums = [], []
for i in range(30):
    batch = loader.next()
    sizes.append(len(batch))
    sums.append(round((batch * 2).sum().item(), 4))
print(sizes, sums)
for start in [0, 3, 18, 19, 20, 21, 22, 25, -4, -2, 0, 3]:
    part = x[start : start + 3]
    print(start, tuple(part.shape), round(part.mul(2).sum().item(), 4))


def windows(values, width, count):
    out = []
    for i in range(count):
        out.append(values[i + 1 : i + 1 + width].mean())
    return torch.stack(out)


for count in [4, 4, 4, 6, 20, 4, 4, 21]:
    values = torch.arange(24.0, requires_grad=True)
    (windows(values, 3, count) ** 2).sum().backward()
    print(count, values.grad.tolist())
for size in [2, 3, 2, 4, 2]:
    loader = Loader(size)
    print([len(loader.next()) for i in range(12)], [round(loader.next().sum().item(), 4) for i in range(12)])
