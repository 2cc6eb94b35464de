# Iterations that leave their loop: by break, by return, out of a while, where tensors say so.
import torch

torch.manual_seed(0)
w = torch.eye(3) * 0.9


def settle(x, most):
    for k in range(most):
        y = torch.tanh(x @ w + 0.1)
        if (y - x).abs().max() < 0.02:
            return k, y
        x = y
    return most, x


def hunt(x):
    k = 0
    while True:
        x = x * 1.1 + torch.rand(3)
        k += 1
        if x.sum() > 12:
            break
    return k, x


trace = []
for i in range(40):
    trace.append(settle(torch.randn(2, 3), 60)[0])
    k, x = hunt(torch.zeros(3))
    trace.append(k)
print(trace)
lengths = []
for episode in range(30):
    s, total = torch.zeros(2), 0.0
    for t in range(25):
        s = s + 0.3 * torch.randn(2)
        total += s[0].item()
        print(f"{episode} {t} {total:.4f}") if t == 24 else None
        if s.norm() > 1:
            break
    else:
        lengths.append("all")
    lengths.append((t, round(total, 3)))
print(lengths)
for i in range(50):
    x = torch.full((3,), float(i))
    try:
        for row in (x, x + 1, x + 2):
            z = row.sum() * 2
            if z > 100:
                raise ValueError(f"{i}: {z.item()}")
            if z > 60:
                break
    except ValueError as e:
        if i % 8 == 0:
            print(e)
        continue
    finally:
        x = x + z
print(i, z.item(), x.tolist())
