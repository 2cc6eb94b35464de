# A chain in which each tensor is used twice by the next one: its cost must not double at each link.
import torch


def chain(t, n):
    for _ in range(n):
        t = t + t
        t = t * 0.5 - t * 0.25 + t * 0.25
    return t


torch.manual_seed(4)
x = torch.randn(5)
for i in range(12):
    y = chain(x, 30)
    assert torch.allclose(x, y), i
print([f"{v:.4f}" for v in y.tolist()])
