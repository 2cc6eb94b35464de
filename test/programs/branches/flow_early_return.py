# Several returns, from inside loops and branches.
import torch


def first_large(xs, limit):
    if not xs:
        return None
    if limit < 0:
        return xs[0]
    best = xs[0]
    for x in xs:
        m = x.max()
        if m > limit:
            return x * 10
        if m > best.max():
            best = x
    return best


torch.manual_seed(7)
xs = [torch.randn(3) for _ in range(5)]
out = []
for k in range(240):
    r = first_large(xs if k != 5 else [], k * 0.15 - 0.3)
    out.append("None" if r is None else f"{r.sum().item():.3f}")
print(out)
