# A function returns None, one of the tensors that it was given, or a new one; the caller asks which.
import torch


def first_large(xs, limit):
    best = xs[0]
    for x in xs:
        m = x.max()
        if m > limit:
            return x * 10
        if m > best.max():
            best = x
    return best


torch.manual_seed(7)
xs = [torch.randn(3) for _ in range(3)]
out = []
for k in range(60):  # expect: tier 2, at most 20 entries in tier 0
    r = first_large(xs, k * 0.15 - 0.3) if k % 5 else None
    out.append("None" if r is None else f"{r.sum().item():.3f}")
print(out[::7])

w = torch.ones(3, requires_grad=True)
v = torch.full((3,), 2.0, requires_grad=True)
for k in range(60):
    h = None
    if k % 4:
        h = (w * k).sum() if w.sum() > v.sum() else (v * 2).mean()
    if h is not None:
        h.backward()
        with torch.no_grad():
            w -= 0.01 * (w.grad if w.grad is not None else 0)
            v += 0.01 * (v.grad if v.grad is not None else 0)
print([f"{x:.4f}" for x in w.tolist()], [f"{x:.4f}" for x in v.tolist()])
