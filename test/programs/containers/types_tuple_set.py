# Tuples, nested and starred unpacking, sets and frozensets.
import torch


def stats(x):
    return x.mean(), (x.max(), x.min()), x.shape


def work(x, seen):
    mean, (high, low), (n,) = stats(x)
    a, *middle, b = (mean, high, low, n)
    seen.add(n)
    seen |= {n + 1, 0}
    both = seen & frozenset([0, 3, 4])
    pair = (a, b) + (len(middle),)
    x, mean = mean, x
    return pair[0] * pair[1] + middle[0] - middle[1] + len(both) + x * 0 + mean.sum() * 0, seen


torch.manual_seed(2)
seen = set()
for i in range(15):
    out, seen = work(torch.randn(3 + i % 2), seen)
print(f"{out.item():.4f}", sorted(seen))
