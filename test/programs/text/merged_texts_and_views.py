# Text that a branch replaces now and then, and views that one side of a branch makes.
import torch

torch.manual_seed(2)
w = torch.randn(4, 3, requires_grad=True)
label = "none yet"
log = []
for step in range(40):  # expect: tier 2, at most 10 entries in tier 0
    x = torch.randn(3, 4)
    weight = None if step % 4 else torch.linspace(0.5, 1.5, 3).unsqueeze(1)
    err = ((x @ w) ** 2).sum(1)
    if weight is not None:
        err = err * weight.squeeze(1)
    loss = err.mean()
    loss.backward()
    with torch.no_grad():
        w -= 0.01 * w.grad
    w.grad = None
    if step % 7 == 0:
        label = f"step {step} loss {loss.item():.3f}"
    if step % 10 == 9:
        print(label, len(label))
    if step % 13 == 5:
        log.append(label)
print(log)


class Meter:
    def __init__(self):
        self.best = None
        self.text = ""
        self.row = None

    def update(self, step, x):
        mean = x.mean().item()
        if self.best is None or mean > self.best:
            self.best = mean
            self.text = f"{step}: {mean:.3f}"
        if step % 2:
            row = x[1]
        else:
            row = x.t()[0]
        return row.sum() * 2


meter = Meter()
total = torch.zeros(())
for step in range(40):  # expect: tier 2, at most 10 entries in tier 0
    total = total + meter.update(step, torch.randn(3, 3) * 0.1 * step)
print(meter.text, f"{meter.best:.4f}", total)


def part_of(x, flag):
    y = x * 2
    part = None
    if flag:
        part = y[0]
    y.add_(1)
    return y.sum() if part is None else part.sum() + y.sum()


for step in range(40):  # expect: tier 2, at most 10 entries in tier 0
    r = part_of(torch.full((2, 2), float(step)), step % 3 == 0)
    if step % 9 == 0:
        print(r)


def kept_part(x, flag):
    y = x * 2
    part = y[0] if flag else None
    return y, part


for step in range(40):
    y, part = kept_part(torch.full((2, 2), float(step)), step % 3 == 0)
    if part is not None:
        part.zero_()
    if step % 9 == 0:
        print(y, part)


def shown(x, flag):
    part = None
    if flag:
        part = x[0]
    z = x.sum()
    return part, z


x = torch.ones(2, 2)
for step in range(40):
    part, z = shown(x, step % 3 == 0)
    if part is not None:
        part += 1
print(x, z)
