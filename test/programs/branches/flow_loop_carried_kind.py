# A variable that is None, then an int, then a tensor within one loop.
import torch


def run(xs, limit):
    best = None
    where = -1
    for i, x in enumerate(xs):
        s = x.sum()
        if best is None or s > best:
            best = s
            where = i
        if where >= 0 and i - where > limit:
            best = best * 0.9
            where = i
    return best, where


torch.manual_seed(0)
xs = [torch.randn(2, requires_grad=True) for _ in range(8)]
for k in range(16):
    n = 8 if k < 10 else k % 8 + 1
    best, where = run(xs[:n], k % 3)
    best.backward()
    with torch.no_grad():
        xs[k % 8].add_(0.3)
    if k % 3 == 0:
        print(k, f"{best.item():.4f}", where)
print([None if x.grad is None else round(x.grad[0].item(), 3) for x in xs])
