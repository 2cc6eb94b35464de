# Gradients of what a function computed on the way: its results depend on one another.
import torch

torch.manual_seed(0)
W = (torch.eye(2) * 0.5).requires_grad_()


def show(grads):
    return [None if g is None else [round(v, 4) for v in g.flatten().tolist()] for g in grads]


def inside(x):
    h = torch.tanh(x @ W)
    k = torch.tanh(h @ W)
    return torch.autograd.grad(k.sum(), [h])


def states(xs):
    hs = []
    h = torch.ones(2)
    for x in xs:
        h = torch.tanh(h @ W + x)
        hs.append(h)
    return hs


def two(x):
    h = torch.tanh(x @ W)
    return (h * h).sum(), h


for n in [3] * 6 + [5, 3, 2, 2, 4, 4, 1, 6]:
    xs = torch.ones(n, 2) * 0.1
    print(n, show(inside(xs[0])))
    hs = states(xs)
    print(show(torch.autograd.grad(hs[-1].sum() + hs[0].sum(), hs, allow_unused=True)))
    loss, h = two(xs)
    print(show(torch.autograd.grad(loss, [h])))
    loss, h = two(xs)
    h.retain_grad()
    (loss + h.sum()).backward()
    print(show([h.grad]))
