"""`reversed` of ranges, and loops whose first two iterations differ from the others."""
import torch

torch.manual_seed(9)


def advantages(rewards, values, last_value):
    out = torch.zeros_like(rewards)
    last = 0
    n = len(rewards)
    for t in reversed(range(n)):
        following = last_value if t == n - 1 else values[t + 1]
        delta = rewards[t] + 0.99 * following - values[t]
        out[t] = last = delta + 0.9 * last
    return out


w = torch.randn(6, requires_grad=True)
for k in range(40):
    n = 40 + k % 7
    values = torch.sigmoid(torch.randn(n, 6) @ w)
    adv = advantages(torch.rand(n), values, torch.zeros(1))
    loss = (adv ** 2).mean()
    loss.backward()
    with torch.no_grad():
        w -= 0.01 * w.grad
    w.grad = None
    if k % 8 == 0:
        print(k, f"{loss.item():.3f} {adv[0].item():.4f}", adv.shape[0])

for k in range(30):  # expect: tier 2, at most 6 entries in tier 0
    s = torch.zeros(2)
    for i in reversed(range(3, 60 + k % 3, 4)):
        s = s * 0.9 + i
    for i in reversed(range(80, k % 4, -3)):
        s = s + i * 0.01
    for i in reversed(range(5, 5)):
        s = s * 100
    if k % 6 == 0:
        print(k, [round(v, 3) for v in s.tolist()], i)

print(list(reversed(range(10))), list(reversed(range(1, 10, 4))), list(reversed(range(9, 0, -2))), list(reversed(range(0))))

for k in range(30):
    prev, total = None, torch.zeros(3)
    for i in range(30 + k % 2):
        x = torch.full((3,), float(i % 4))
        if prev is None:
            step = 1
        else:
            step = (x - prev).abs().sum()
        total = total + x * step
        prev = x
    if k % 6 == 0:
        print(k, total.tolist(), float(step))
