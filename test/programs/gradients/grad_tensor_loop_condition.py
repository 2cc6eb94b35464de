# Gradient descent until the gradient is small: the loop's condition is a tensor's.
import torch


def minimise(a, lr, limit):
    x = torch.zeros(2, requires_grad=True)
    steps = 0
    while True:
        loss = ((x - a) ** 2).sum() + 0.1 * (x ** 4).sum()
        (g,) = torch.autograd.grad(loss, x)
        if g.norm() < 1e-3 or steps >= limit:
            break
        x = (x - lr * g).detach().requires_grad_()
        steps += 1
    return x.detach(), steps


torch.manual_seed(5)
for k in range(10):
    x, steps = minimise(torch.randn(2), 0.1 + 0.02 * k, 60 if k % 4 else 7)
    print(k, steps, [f"{v:.3f}" for v in x.tolist()])
