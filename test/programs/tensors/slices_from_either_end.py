# Slices whose bounds count from the start or from the end, as branches and numbers of the graph say.
import torch

torch.manual_seed(6)
x = torch.randn(6, 4)


def head_or_tail(x, k, n):
    z = x[:n] if k % 3 else x[-n:]
    return z


def clipped(x, bound=None):
    return x if bound is None else x.clamp(-bound, bound)


def signed(x, b):
    return x[b:].sum() + x[:b].mean(0).sum()


total = 0.0
for k in range(60):  # expect: tier 2, at most 12 entries in tier 0
    n = 1 if k < 15 else 2 if k < 30 else 3
    z = clipped(head_or_tail(x, k, n), 0.5 if k % 5 == 0 else None)
    f = (lambda t: t / n) if k % 2 else (lambda t: t * n)
    b = 2 if x[k % 6, 0] > 0 else -2
    total += f(z).sum().item() + signed(x, b).item()
    if k % 10 == 9:
        print(k, n, tuple(z.shape), f"{total:.4f}")
    x = x * 0.9 + 0.1 * torch.randn(6, 4)
kept = head_or_tail(x, 2, 2)
kept.mul_(0)
print(x[:3].tolist(), f"{total:.4f}")
