# Two updates in one region: a parameter after its update is a leaf, also for what was not updated.
import torch

torch.manual_seed(0)
a = torch.randn(3, requires_grad=True)
b = torch.randn(3, requires_grad=True)


def both(x):
    grads = []
    for _ in range(2):
        loss = ((x * a * b) ** 2).sum()
        loss.backward()
        grads.append((a.grad.clone(), b.grad.clone()))
        with torch.no_grad():
            b.sub_(0.01 * b.grad)
        a.grad = b.grad = None
    return grads


def alternate(x, first, second):
    out = torch.tanh(x * a)
    loss = ((out * b) ** 2).mean()
    first.zero_grad()
    loss.backward()
    first.step()
    loss = ((torch.tanh(x * a) * b - 1) ** 2).mean()
    second.zero_grad()
    loss.backward()
    second.step()
    return a.grad.clone(), b.grad.clone()


def attack(x, n):
    x = x.clone().requires_grad_()
    for _ in range(n):
        loss = torch.sin(x * a * b).sum()
        gx, gb = torch.autograd.grad(loss, (x, b))
        with torch.no_grad():
            b.add_(0.01 * gb)
    return gx, gb


first = torch.optim.SGD([b], lr=0.1, momentum=0.9)
second = torch.optim.Adam([a], lr=0.1)
for i in range(40):
    x = torch.randn(3)
    g = both(x)
    h = alternate(x, first, second)
    k = attack(x, 3)
    if i % 8 == 7:
        for t in [*g[0], *g[1], *h, *k]:
            print([round(v, 3) for v in t.tolist()], end=" ")
        print()
    with torch.no_grad():
        a.copy_(torch.ones(3) + i % 3)
        b.copy_(torch.ones(3) * 0.5)
