# Generator expressions over what moves, for functions that take all of their items.
import torch

w = torch.arange(3.0)


def totals(xs, k):
    a = sum(x * k for x in xs)
    b = sum((x.sum() for x in xs if x[0] > 0), torch.tensor(1.0))
    c = list(x + k for x in xs)
    d = max(x.sum().item() for x in xs)
    e = min((y for y in (x.mean().item() for x in xs)))
    return a, b, len(c), c[-1], d, e


def stops(xs, limit):
    seen = []

    def look(x):
        seen.append(x.sum().item() > limit)
        return seen[-1]

    return any(look(x) for x in xs), all(not look(x) for x in xs), len(seen)


def pairs(xs, ys):
    return sum(x * y for x, y in zip(xs, ys)), sum(i * x for i, x in enumerate(xs))


def numbers(n):
    return sum(i * i for i in range(n)), max(i % 7 for i in range(n + 1)), sum(1 for _ in range(n))


torch.manual_seed(0)
for i in range(40):
    xs = torch.randn(1 + i % 7, 3)
    ys = torch.ones(1 + i % 7, 3) * i
    a, b, n, last, d, e = totals(xs, float(i))
    print(i, a.sum().round(decimals=3).item(), f"{b.item():.3f}", n, f"{last.sum().item():.3f} {d:.3f} {e:.3f}")
    print(*stops(xs, 2.0), *(f"{p.sum().item():.3f}" for p in pairs(xs, ys)), numbers(i))
