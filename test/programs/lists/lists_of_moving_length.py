# Lists from outside with another length at each call: walked through, indexed, summed, stacked; changed and kept ones, too.
import random

import torch
from torch import nn

torch.manual_seed(0)
random.seed(0)
emb = nn.Embedding(10, 4)
cell = nn.RNNCell(4, 6)


def encode(tokens):  # expect: tier 2, at most 4 entries in tier 0
    h = torch.zeros(1, 6)
    for t in tokens:
        h = cell(emb(torch.tensor([t])), h)
    return h.sum()


def backwards(xs):  # expect: tier 2, at most 6 entries in tier 0
    h = torch.zeros(3)
    for k, x in enumerate(reversed(xs)):
        h = torch.tanh(h + x * (k + 1))
    return h


def weighted(pairs):  # expect: tier 2, at most 6 entries in tier 0
    total, n = torch.zeros(3), 0
    for x, w in pairs:
        total = total + w * x
        n += 1
    return total / n, len(pairs)


def numbers(vs):  # expect: tier 2, at most 6 entries in tier 0
    best = max(vs)
    mean = sum(vs) / len(vs)
    return torch.tensor(vs).std() + best - mean, vs[0] + vs[-1]


def stacked(xs):  # expect: tier 2, at most 6 entries in tier 0
    m = torch.stack(xs)
    return m.mean(0) + xs[0] - xs[-1], len(xs)


def first_of(xs):
    return xs[0]


def scale_first(xs, by):
    xs[0].mul_(by)
    return sum(x.sum() for x in xs)


def add_to(xs, y):
    xs.append(y * 2)
    return torch.stack(xs).sum()


def two(xs, ys):  # expect: tier 2, at most 6 entries in tier 0
    out = torch.zeros(3)
    for x, y in zip(xs, ys):
        out = out + x * y
    return out


def written_beside(xs, w):
    w.add_(1)
    s = torch.zeros(3)
    for x in xs:
        s = s + x
    return s


for i in range(40):
    n = 1 + i * 7 % 11
    tokens = [random.randrange(10) for _ in range(n)]
    xs = [torch.randn(3) for _ in range(n)]
    vs = [random.random() for _ in range(n + 1)]
    pairs = [(torch.randn(3), random.random()) for _ in range(n)]
    loss = encode(tokens)
    loss.backward()
    b = backwards(xs)
    w, count = weighted(pairs)
    z, ends = numbers(vs)
    s, m = stacked(xs)
    same = first_of(xs) is xs[0]
    t = two(xs, [x + 1 for x in xs])
    u = written_beside(xs, xs[n // 2])
    e = scale_first(xs, 0.5)
    a = add_to(xs, xs[0])
    if i % 8 == 7:
        print(i, n, f"{loss.item():.4f}", [round(v, 4) for v in b.tolist()], [round(v, 4) for v in w.tolist()], count)
        print("  ", f"{z.item():.4f} {ends:.4f}", [round(v, 4) for v in s.tolist()], m, same, f"{e.item():.4f} {a.item():.4f}")
        print("  ", [round(v, 4) for v in t.tolist()], [round(v, 4) for v in u.tolist()], len(xs))
print(f"{cell.weight_hh.grad.sum().item():.4f} {emb.weight.grad.abs().sum().item():.4f}")


def kinds(xs):
    total = 0
    for x in xs:
        total = total + x * torch.ones(2)
    return total


for xs in ([1], [1, 2], [1, 2, 3], [1, 2, 3, 4], [0.5, 1.5], [1, 2.5, 3], [True, 2], [], [torch.ones(2)] * 3, [1, torch.ones(2)], [2] * 9, [2.5] * 5):
    r = kinds(xs)
    print(r.tolist() if isinstance(r, torch.Tensor) else r, end=" ")
print()
params = [torch.ones(2, requires_grad=True) for _ in range(6)]
for k in range(12):
    loss = kinds(params[: 1 + k % 6]).sum()
    loss.backward()
print([p.grad.tolist() for p in params])
