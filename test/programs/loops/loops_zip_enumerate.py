# zip of unequal lengths, enumerate with a start, reversed, sorted and nested combinations.
import torch

torch.manual_seed(14)
xs = [torch.randn(2) for _ in range(4)]
ws = [0.5, -1.0, 2.0]


def combine():
    out = torch.zeros(2)
    for i, (x, w) in enumerate(zip(xs, ws), 1):
        out = out + i * w * x
    for x in reversed(xs):
        out = out * 0.5 + x
    for k in sorted([3, 1, 2], reverse=True):
        out = out - k
    for a, b, c in zip(range(3), "xyz", ws):
        out = out + a * (b == "y") * c
    return out


for i in range(60):
    xs[i % 4] = xs[i % 4] + 0.1
    out = combine()
print([f"{v:.4f}" for v in out.tolist()])
