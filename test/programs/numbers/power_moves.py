"""Powers of tensors whose exponent moves: forms of their own, the others, gradients, ints that refuse."""
import torch

torch.manual_seed(0)


def run(p, x):
    y = (x ** p).sum()
    y.backward()
    g = x.grad.clone()
    x.grad = None
    return f"{y.item():.4g}", [f"{v:.3g}" for v in g.tolist()]


x = (torch.rand(4) + 0.1).requires_grad_()
z = torch.zeros(2, requires_grad=True)
ints = [2, 3, 1, 0, 4, 5, -1, -2, -3]
for i in range(80):
    p = ints[i * 7 % 9]
    print(i, p, run(p, x), run(max(p, 0), z))
floats = [2.0, 0.5, 1.5, 1.0, -0.5, -1.0, 3.0, 0.0, 2.5, -2.0, -1.5]
for i in range(60):
    p = floats[i * 7 % 11]
    print(i, p, run(p, x))
n, b = torch.arange(5), torch.tensor([True, False])
for i in range(60):
    p = [2, 3, 1, 0, 4, 9, -1][i * 3 % 7]
    try:
        half = [f"{v:.4g}" for v in (n ** (p * 0.5)).tolist()]
        print(i, p, (n ** p).tolist(), torch.pow(n, p).sum().item(), (b ** p).tolist(), half)
    except RuntimeError as e:
        print(i, p, e)
