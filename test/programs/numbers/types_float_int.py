# A scalar that is an int at first and becomes a float, then grows beyond 64 bits.
import torch


def scale(x, s):
    return (x * s).sum()


x = torch.tensor([1.0, 2.0, 3.0])
s = 1
out = []
for i in range(20):
    out.append(scale(x, s).item())
    s = s * 2 if i < 10 else s / 3
print([f"{v:.4f}" for v in out[::3]], type(s).__name__)
n = 1
for i in range(70):
    n = n * 2 + 1
print(n, n % 1000, (torch.tensor([float(n % 97)]) + n % 5).item())
