# List, dict and set comprehensions over tensors inside the hot function.
import torch

torch.manual_seed(17)


def features(xs, k):
    squares = [x * x for x in xs]
    positive = [x for x in squares if x.sum() > 0.1]
    table = {i: x.sum() for i, x in enumerate(xs)}
    keys = {i % k for i in table}
    grid = [a * b for a in xs for b in squares[:2]]
    return sum(positive) + sum(table.values()) + len(keys) + sum(g.mean() for g in grid)


xs = [torch.randn(2) for _ in range(3)]
for i in range(14):
    out = features(xs, 2 + i % 2)
    xs[0] = xs[0] * 0.95
print([f"{v:.4f}" for v in out.tolist()])
