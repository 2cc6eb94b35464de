# Boolean masks as indices: extents that only the values decide, forward, backward and where nothing is left.
import torch

torch.manual_seed(0)
w = torch.randn(6, 3, requires_grad=True)


def step(x, limit):
    h = torch.tanh(x @ w)
    picked = h[h.sum(1) > limit]
    loss = (picked**2).sum() / max(len(picked), 1) + h[h > 0.5].sum() * 0.1
    loss.backward()
    return loss.item(), len(picked)


def places(x):
    out = torch.zeros_like(x)
    high = x > 0.2
    out[high] = x[high] * 2 - 1
    rows = x.sum(1) < 0
    out[rows] += x[rows].abs()
    r, c = torch.where(x > 1.0)
    low = torch.nonzero(x < -1.0)
    last = torch.randint(0, x.shape[0], (6,))
    out[last] = torch.arange(6.0)[:, None] + torch.zeros(6, x.shape[1])
    picked = torch.masked_select(x, high)
    return out.sum() + r.sum() - c.sum() + low.sum() + picked.sum() / (len(picked) + 1)


empty = 0
total = 0.0
for i in range(120):
    x = torch.randn(4 + i % 5, 6)
    loss, n = step(x, 0.3 * (i % 7) - 0.8)
    empty += n == 0
    with torch.no_grad():
        w -= 0.01 * w.grad
        w.grad = None
    total += places(x).item()
    if i % 20 == 0:
        print(i, f"{loss:.4f}", n, f"{total:.3f}")
print(empty, f"{w.sum().item():.4f} {total:.3f}")
