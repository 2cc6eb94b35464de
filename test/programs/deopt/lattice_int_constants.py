# An int argument that is constant, changes once, then always changes.
import torch


def f(x, k):
    y = x * k + k // 2
    if k > 100:
        y = y - 100
    return y.sum() + k % 7


x = torch.tensor([1.0, 0.5])
out = []
for k in [3] * 6 + [4] * 4 + list(range(5, 15)) + [1000, -3, 2 ** 40] * 4 + list(range(-5, 20)) * 2 + [1000, -3, 2 ** 40]:
    out.append(f(x, k).item())
print(out[::9], out[-3:])
