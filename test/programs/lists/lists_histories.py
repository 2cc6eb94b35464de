"""Histories, windows and caches that grow, and of which all is read at each step."""
import torch
from torch import nn
torch.manual_seed(55)
d = 8
q_proj, k_proj, v_proj = (nn.Linear(d, d, bias=False) for _ in range(3))


class Cache:
    def __init__(self):
        self.keys, self.values = [], []

    def reset(self):
        self.keys, self.values = [], []


@torch.no_grad()
def attend(cache, x):
    cache.keys.append(k_proj(x))
    cache.values.append(v_proj(x))
    K = torch.stack(cache.keys)
    V = torch.stack(cache.values)
    att = torch.softmax(K @ q_proj(x) / d ** 0.5, dim=0)
    return att @ V, att


def running(history, value):
    history.append(value)
    recent = history[-3:]
    return sum(history) / len(history), sum(recent) / len(recent), max(history)


cache = Cache()
x = torch.randn(d)
for seq in range(14):  # expect: tier 2, at most 5 entries in tier 0
    cache.reset()
    n = 6 + seq * 5 % 9
    for t in range(n):
        y, att = attend(cache, x)
        x = 0.5 * x + y + 0.1 * torch.randn(d)
    if seq % 3 == 0:
        print(seq, n, len(cache.keys), f"{att.max().item():.4f} {x.norm().item():.4f}", tuple(cache.keys[-1].shape))

history = []
w = torch.zeros(4, requires_grad=True)
for i in range(60):  # expect: tier 2, at most 6 entries in tier 0
    loss = ((w - torch.arange(4.0)) ** 2).sum() + 0.01 * i
    loss.backward()
    with torch.no_grad():
        w -= 0.02 * w.grad
    w.grad = None
    mean, recent, most = running(history, loss.item())
    if i % 12 == 11:
        print(i, f"{mean:.4f} {recent:.4f} {most:.4f}", len(history))

# A window: it grows, and then items come and go.
window, losses = [], []
u = torch.tensor([0.5, -0.5, 0.2, 0.1], requires_grad=True)
for step in range(90):  # expect: tier 2, at most 20 entries in tier 0
    window.append(torch.randn(4))
    if len(window) > 5:
        window.pop(0)
    first, *rest = window
    context = first * 0.5
    for r in rest[-2:]:
        context = context + r
    loss = ((u * context).sum() - window[-1].sum()) ** 2
    (g,) = torch.autograd.grad(loss, [u])
    u = (u - 0.01 * g).detach().requires_grad_()
    losses.append(loss.item())
    if step % 30 == 29:
        a, b, c = losses[-3:]
        print(step, len(window), f"{sum(losses[-30:]) / 30:.3f} {a:.3f} {b:.3f} {c:.3f}")
print(len(losses), f"{sum(losses):.3f}", [f"{v:.4f}" for v in u.tolist()])

# Keys and values that are thrown away from time to time.
keys, limit = [], 6
x = torch.randn(d)
for t in range(80):
    keys.append(x * 0.5)
    weights = torch.softmax(torch.stack(keys) @ x / d ** 0.5, dim=0)
    x = 0.4 * x + weights @ torch.stack(keys) + 0.1 * torch.randn(d)
    if len(keys) == limit:
        print(t, len(keys), f"{weights.max().item():.3f} {x.norm().item():.3f}")
        keys.clear()
        limit = 9 if limit == 6 else 6
