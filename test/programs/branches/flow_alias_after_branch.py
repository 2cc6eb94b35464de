# A tensor that is one of two, of which either is written afterwards, under its other name.
import torch

torch.manual_seed(1)


def one_of(x, y, z, c):
    h, g = x * 2, y * 3
    m = h if c.sum() > 0 else g
    n = m if c[0] > 0 else z
    k = 1 if m is h else 2
    h.add_(1)
    return m, n, m.sum().item() + k


def view_of(x, y, c):
    m = x[0] if c.sum() > 0 else y
    x.add_(1)
    return m, m.sum().item()


def carried(x, k):
    h, total = x, 0.0
    for _ in range(k):
        x.add_(1)
        total += h.sum().item()
        h = h * 0.5
    x.mul_(2)
    return h.sum().item() + total


out = []
for i in range(720):
    x, y, z, c = torch.randn(3), torch.randn(3), torch.randn(3), torch.randn(2)
    m, n, s = one_of(x, y, z, c)
    n.add_(1)
    out.append((s, m.sum().item() + z.sum().item()))
    x = torch.randn(2, 3)
    m, s = view_of(x, y, c)
    m.mul_(2)
    out.append((s, x.sum().item() + y.sum().item()))
    out.append((carried(torch.randn(3), i % 7), 0.0))
for a, b in out[::9]:
    print(f"{a:.4f} {b:.4f}")
print(f"{sum(a + b for a, b in out):.3f}")
