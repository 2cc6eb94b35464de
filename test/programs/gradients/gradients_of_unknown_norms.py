"""Gradients where what is largest is no number, and of medians that several share; memory that a tensor grows in."""
import torch

inf, nan = float("inf"), float("nan")


def gradient(f, values):
    x = torch.tensor(values, requires_grad=True)
    y = f(x)
    y.backward(torch.ones_like(y))
    return y.tolist(), x.grad.tolist()


def norms(values):
    return [gradient(lambda x: torch.linalg.vector_norm(x, p), values) for p in (inf, -inf)]


for i in range(12):
    print(i, norms([1.0, nan, 3.0]), norms([3.0, -3.0, float(i % 4)]))
    print(i, gradient(lambda x: torch.linalg.vector_norm(x, inf, dim=1), [[nan, 1.0], [float(i), -2.0]]))
for values in ([nan, 1.0, 1.0], [2.0, 2.0, 1.0], [inf, inf, 1.0], [0.0, 0.0, 0.0], [3.0, nan, 1.0, 2.0]):
    print(values, gradient(torch.nanmedian, values))
a = torch.arange(4.0)
b, c = a[:2], a.view(2, 2)
b.resize_(6)
b[0] = 9
print(a.tolist(), b.shape, b[:4].tolist(), c.tolist())
c.resize_(2, 3)
c[0, 1] = 7
print(a.tolist(), b[:4].tolist(), c.shape)
