"""`sum`, `min` and `max` of lists from outside that get longer, shorter, or hold something else."""
from collections import deque

import torch

torch.manual_seed(0)
w = torch.randn(4, 3, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)


class Meter:
    def __init__(self):
        self.values = []

    def update(self, v):
        self.values.append(v)

    @property
    def avg(self):
        return sum(self.values) / len(self.values)


def train(n=8):
    loss = ((torch.randn(n, 4) @ w) ** 2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss


history = {"loss": [], "norm": []}
window, last = [], deque(maxlen=5)
meter = Meter()
for step in range(50):  # expect: tier 2, at most 10 entries in tier 0
    loss = train(2 + step % 3)
    value = loss.item()
    history["loss"].append(value)
    history["norm"].append(w.norm().item())
    window.append(value)
    if len(window) > 6:
        window.pop(0)
    last.append(value)
    meter.update(value)
    mean = sum(window) / len(window)
    best = min(history["loss"])
    if value <= best:
        meter.update(best)
    if step % 7 == 6:
        print(step, f"{mean:.4f} {best:.4f} {max(history['norm']):.4f} {sum(last) / len(last):.4f} {max(last):.4f}",
              f"{sum(history['loss']) / len(history['loss']):.4f} {meter.avg:.4f} {min(meter.values):.4f}")

counts, mixed, empty = [3, 1, 2], [1.5], []
for step in range(40):
    x = torch.ones(2) * step
    total = x.sum() + sum(counts) + max(counts) - min(counts)
    if step % 4 == 1:
        counts.append(step)
    y = x.sum() * sum(mixed)
    if step == 20:
        mixed.append(2)
    if step == 25:
        mixed.append(2.5)
    if step == 30:
        counts[0] = 100
    try:
        z = (x * sum(empty)).sum() + max(empty)
    except ValueError as e:
        z = str(e)
    if step == 33:
        empty.append(4)
    if step % 5 == 0 or step > 31:
        print(step, total.item(), y.item(), type(sum(mixed)).__name__, z if isinstance(z, str) else z.item())
nan = float("nan")
odd = [1.0, 2.0]
for step in range(30):
    x = torch.ones(()) * step
    if step == 10:
        odd.insert(1, nan)
    if step == 15:
        odd.insert(0, nan)
    if step == 20:
        odd[:] = [0.0, -0.0]
    low, high = x + min(odd), x + max(odd)
    if step % 5 == 0:
        print(step, low.item(), high.item(), min(odd), max(odd), sum(odd))
negative = [-0.0]
for step in range(20):
    x = torch.ones(()) * step
    total = x * 0 + sum(negative)
    if step > 16:
        print(step, sum(negative), min(negative), total.item())
