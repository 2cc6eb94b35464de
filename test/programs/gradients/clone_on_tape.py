# What goes back through a clone is added up when the clone is come to.
import torch

torch.manual_seed(1)
w = torch.randn(3, requires_grad=True)


def step(x):
    t = x * w
    v = w.clone()
    u = w * 2
    loss = (t * u).sum() + (v + w).sum() * 0.37 + (v * v).sum()
    w.grad = None
    loss.backward()
    with torch.no_grad():
        w.sub_(w.grad * 0.1)
    return w.grad


for i in range(30):
    print(i, step(torch.full((3,), float(i % 5) - 2.0)))
