# Lists sorted by numbers that the graph computes: what is sorted stays the object that it is, equal keys keep their
# order, and a NaN is left to tier 0.
import torch

torch.manual_seed(2)


def evolve(pool, sigma):
    ranked = sorted(pool, key=lambda p: (p - 0.5).pow(2).sum().item())
    best = ranked[:2]
    return best + [b + sigma * torch.randn(3) for b in best] + [(best[0] + best[1]) / 2]


def orders(x):
    numbers = x.tolist()
    up, down = sorted(numbers), sorted(numbers, reverse=True)
    signs = sorted(range(len(numbers)), key=lambda i: numbers[i] > 0)
    pairs = [(n, name) for n, name in zip(numbers, 'abcd')]
    pairs.sort(key=lambda p: abs(p[0]))
    return up, down, signs, [name for _, name in pairs]


def nudge(tensors):
    tensors.sort(key=lambda t: t.sum().item())
    tensors[0].add_(0.7)
    return tensors[-1]


pool = [torch.randn(3) for _ in range(5)]
for i in range(40):
    pool = evolve(pool, 0.3 if i < 20 else 0.1)
    print(i, round(pool[0].sum().item(), 3))

for i in range(40):
    x = torch.sin(torch.arange(4.0) * 2 + i)
    if i == 30:
        x[1] = float('nan')
    up, down, signs, named = orders(x)
    print(i, [round(v, 3) for v in up], down == up[::-1], signs, named)

kept = [torch.randn(2) for _ in range(3)]
was = list(kept)
for i in range(40):
    largest = nudge(kept)
    print(i, [next(j for j in range(3) if was[j] is t) for t in kept], largest is kept[2], round(largest.sum().item(), 3))
