import torch
def f(n, x):
    return torch.zeros(n, 2) + x
def g(n, x):
    return x.repeat(n, 1)
def h(n, x):
    return torch.rand(n)
def k(n, x):
    return torch.full((2, n), 1.5) * 2
def m(n, x):
    return x.expand(n, 2).sum()
def p(n, x):
    return torch.randperm(n).shape
def q(n, x):
    return torch.arange(0, n).shape, torch.ones(n + 1).sum()
for fn in (f, g, h, k, m, p, q):
    for i in range(40):
        n = -1 if i in (3, 7, 11, 25, 39) else -3 if i in (4, 30) else i % 5 + 1
        try:
            r = fn(n, torch.ones(2))
        except RuntimeError as e:
            r = str(e)[:90]
        if i > 36 or i in (11, 25, 30):
            print(fn.__name__, i, r.shape if isinstance(r, torch.Tensor) else r)
for i in range(30):
    try:
        r = torch.ones(2).repeat(-1)
    except RuntimeError as e:
        r = str(e)
print(r)
