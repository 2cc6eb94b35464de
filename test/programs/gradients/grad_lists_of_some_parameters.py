# Lists whose items depend on parameters in some cases only, and loops that may not run at all.
import torch

w = torch.ones(3, requires_grad=True)
v = torch.ones(3, requires_grad=True)


def stacked(xs):
    hs = []
    for x in xs:
        hs.append(x * w if x.sum() > 0.5 else x * v)
    return torch.stack(hs).sum()


def looked_into(xs):
    hs = [(x * w, x) if x[0] > 0 else (x * v, x) for x in xs]
    total = torch.zeros(3)
    for h, x in hs:
        if x[1] > 0:
            total = total + h
    return total.sum() + hs[-1][0].sum()


def maybe_none(xs):
    hs = []
    h = v * 1
    for x in xs:
        h = h * x * w
        hs.append(h)
    total = v.sum()
    for h in hs:
        total = total + h.sum()
    return total


def summed(xs):
    return v.sum() + sum((x * w).sum() for x in xs)


def shown():
    return ["-" if p.grad is None else f"{p.grad.sum().item():.3f}" for p in (w, v)]


torch.manual_seed(0)
for f in (stacked, looked_into, maybe_none, summed):
    for i in range(40):
        n = i % 6
        if f in (stacked, looked_into):
            n += 1
        elif i < 24:
            n += 1  # it always runs, until it does not
        xs = torch.randn(n, 3)
        w.grad = v.grad = None
        loss = f(xs)
        loss.backward()
        print(f.__name__, n, f"{loss.item():.3f}", *shown())
