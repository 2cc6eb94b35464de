import math
import torch

w = torch.tensor([1.0, -2.0, 3.0])


def step(a, b, w):
    q, r = a // b, a % b
    return (w * q).sum().item(), (w * r).sum().item(), q, r, math.copysign(1.0, q), math.copysign(1.0, r)


values = [0.0, -0.0, 0.3, -0.3, 1.0, -7.5, 7.5, 1e300, -1e-310, 5.0, math.inf, -math.inf, math.nan]
for a in values:
    for b in [1.0, -1.0, 0.1, -0.7, 3.0, 1e-300, math.inf, -math.inf]:
        print(a, b, step(a, b, w))


def phases(n):
    t = 0.0
    out = []
    for i in range(n):
        t += 0.4
        phase = 0.4 * i % 1
        if t // 1.5 % 2 == 0:
            phase = -phase
        out.append((w * phase).sum())
        t %= 10.0
    return torch.stack(out).sum(), t


for n in range(1, 40):
    total, t = phases(n)
    print(n, f'{total.item():.5f}', f'{t:.6f}')
for b in [2.0, 0.0, 1.0]:
    try:
        print(step(3.0, b, w))
    except ZeroDivisionError as e:
        print(type(e).__name__, e)
