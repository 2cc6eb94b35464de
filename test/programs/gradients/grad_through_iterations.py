# A gradient in each iteration, of what earlier iterations computed with the same parameter.
import torch

torch.manual_seed(1)
w = torch.randn(3, requires_grad=True)


def step(x, n, other):
    before = x * w
    t = before if other else x
    for _ in range(n):
        g = torch.autograd.grad((t * w).sum(), [w], retain_graph=True)
        t = t + g[0] * 0.1
        t = t + before
    return t.sum().item(), g[0].sum().item()


def nested(x, n):
    t = x * w
    for _ in range(n):
        for _ in range(n):
            g, = torch.autograd.grad((t * w).sum(), [w], retain_graph=True)
            t = t + g * 0.1
    return t.sum().item()


def alone(x, n):
    # Here each iteration's gradient is about its own forward alone.
    total = 0.0
    h = x
    for _ in range(n):
        loss = (h * w).pow(2).sum()
        g, = torch.autograd.grad(loss, [w])
        h = h + g.clamp(-1, 1) * 0.1
        total = total + loss.detach()
    return float(total)


for i in range(24):
    x = torch.full((3,), float(i % 5) - 2.0)
    print(i, "%.4f %.4f" % step(x, 1 + i % 4, i % 3 == 0), "%.4f" % alone(x, 1 + i % 5), "%.4f" % nested(x, 1 + i % 3))
