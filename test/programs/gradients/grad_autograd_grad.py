# torch.autograd.grad, second derivatives with create_graph, retain_graph and hooks.
import torch


def curvature(x):
    y = (x ** 3).sum()
    (g,) = torch.autograd.grad(y, x, create_graph=True)
    (h,) = torch.autograd.grad(g.sum(), x)
    return g.detach(), h


torch.manual_seed(8)
x = torch.randn(4, requires_grad=True)
for i in range(12):
    g, h = curvature(x)
    with torch.no_grad():
        x -= 0.1 * g / (h.abs() + 1)
print([f"{v:.5f}" for v in x.tolist()], [f"{v:.4f}" for v in h.tolist()])
seen = []
y = x * 2
y.register_hook(lambda g: seen.append(g.sum().item()))
for _ in range(3):
    y.sum().backward(retain_graph=True)
print(seen, x.grad.tolist())
