# Lists that grow in loops whose length moves: stacked, joined, indexed, iterated, sliced, returned.
import torch

torch.manual_seed(0)
W = torch.randn(3, 3) * 0.5


def show(v):
    if isinstance(v, torch.Tensor):
        return [round(x, 3) for x in v.flatten().tolist()]
    if isinstance(v, (list, tuple)):
        return [show(x) for x in v]
    return round(v, 3) if isinstance(v, float) else v


def comprehension(xs):
    return torch.stack([x * 2 for x in xs], dim=1)


def tuples(xs):
    pairs = []
    for i, x in enumerate(xs):
        pairs.append((x + 1, i))
    total = 0.0
    for a, b in pairs:
        total = total + a.sum() * b
    return total, len(pairs)


def last_of(xs):
    h = torch.zeros(3)
    outs = [h]
    for x in xs:
        h = torch.tanh(x @ W + outs[-1])
        outs.append(h)
    return outs[-1], outs[0], len(outs)


def two_loops(xs):
    found = []
    for x in xs:
        found.append(x.sum())
    for x in xs:
        found.append(x.max())
    return torch.stack(found)


def broken_off(xs, n):
    found = []
    for i, x in enumerate(xs):
        if i > n:
            break
        found.append(x)
    return torch.stack(found).sum(0)


def numbers(xs):
    found = []
    for x in xs:
        found.append(x.sum().item())
    return found, len(found), found[0], max(found), min(found), sum(found)


def zipped(xs):
    a = [x + 1 for x in xs]
    b = [x * 2 for x in xs]
    t = torch.zeros(3)
    for p, q in zip(a, b):
        t = t + p * q
    for p in reversed(a):
        t = t * 0.5 + p
    return t


def indexed(xs):
    a = [x + 1 for x in xs]
    t = torch.zeros(3)
    for i in range(len(a)):
        t = t + a[i] * a[-i - 1]
    return t


def sometimes(xs):
    found = []
    for x in xs:
        if x.sum() > 0:
            found.append(x)
    return torch.stack(found) if found else None


def more_behind(xs):
    found = [x * 1 for x in xs]
    found.append(torch.ones(3))
    return torch.stack(found).sum(), len(found), bool(found)


def fill(out, xs):
    for x in xs:
        out.append(x + 1)


def filled(xs):
    out = []
    fill(out, xs)
    return torch.stack(out, -1)


def sliced(xs):
    found = [x for x in xs]
    rest = torch.stack(found[1:]) if len(found) > 1 else None
    return torch.stack(found[::-1]), rest, torch.stack(found[-2:]), len(found[:3])


def extended(xs):
    found = []
    for x in xs:
        found.extend([x, x + 1])
        found += [x]
    copy = list(found)
    copy.append(xs[0])
    return torch.cat(found).sum(), len(copy), len(found)


def summed(xs):
    losses = []
    for x in xs:
        losses.append((x * x).sum())
    return sum(losses) / len(losses), any(x > 1 for x in losses)


def with_constants(xs, n):
    words, pairs = [], []
    for i in range(n):
        words.append("a")
        pairs.append((i, "b", None))
    total = 0.0
    for x in xs:
        total = total + x.sum()
    return words, pairs, total


class Meter:
    def __init__(self):
        self.history = []
        self.pairs = []

    def run(self, xs):
        for i, x in enumerate(xs):
            self.history.append(x.sum())
            if x[0] > 0:
                self.pairs.append((i, x.mean().item()))
        return len(self.history)


meter = Meter()
for i in range(30):
    xs = torch.randn(2 + i * 7 % 11, 3)
    functions = [comprehension, tuples, last_of, two_loops, numbers, zipped, indexed]
    functions += [sometimes, more_behind, filled, sliced, extended, summed]
    for f in functions:
        print(i, f.__name__, show(f(xs)))
    print(show(broken_off(xs, i % 4)), show(with_constants(xs, i % 5)))
    print(meter.run(xs), show(meter.history[-1]), show(meter.pairs[-2:]), len(meter.pairs))
