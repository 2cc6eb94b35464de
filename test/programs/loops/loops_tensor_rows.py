# Iterating over the rows of a tensor, and unpacking it.
import torch


def rows(m):
    total = torch.zeros(m.shape[1])
    for i, row in enumerate(m):
        total = total + row * (i + 1)
    first, *rest = m
    a, b = m[0, :2]
    for v in m[:, 0]:
        total = total + v
    return (total * first).sum() + a * b + len(rest)


torch.manual_seed(15)
m = torch.randn(3, 4, requires_grad=True)
for i in range(10):
    out = rows(m)
    out.backward()
print(f"{out.item():.4f}")
print([f"{v:.3f}" for v in m.grad.flatten().tolist()])
out = rows(torch.randn(5, 2))
print(f"{out.item():.4f}")
