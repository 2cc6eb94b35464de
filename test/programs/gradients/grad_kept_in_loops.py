# What a loop's body keeps for backward must not be written to before it: the error is PyTorch's. And a graph
# that enable_grad() makes under no_grad() is one behind the region, too.
import torch

w = torch.ones(3, requires_grad=True)
b = torch.full((3,), 2.0, requires_grad=True)
m = torch.eye(3, requires_grad=True)


def attempt(f, *args):
    try:
        f(*args).sum().backward()
        found = [None if p.grad is None else [round(g, 3) for g in p.grad.tolist()] for p in (w, b)]
    except RuntimeError as e:
        found = str(e)[:80]
    w.grad = b.grad = None
    return found


def written_behind(x, n):
    a = x * 2
    h = x
    for _ in range(n):
        h = h * w * a
    if n > 2:
        a.mul_(2)
    return h


def written_in_body(x, n):
    u = b + 1
    for k in range(n):
        u = u * x
        if k == 2:
            u.mul_(u.detach())
    return u


def by_itself(x, i):
    u = b * x
    u.mul_(u.detach() if i % 2 else u.detach().clone())
    return u


def layer(v):
    return torch.tanh(m @ v) * v[1:].sum()


def written_outside(x, i):
    u = x * 1.0
    h = layer(u)
    if i % 3 == 0:
        u[i % 2 :].mul_(0.5)
    return h


def twice(x, n):
    for _ in range(n):
        loss = (w * x).prod()
        loss.backward()
    return loss


def enabled(x, n):
    u = x * b
    with torch.no_grad():
        for _ in range(n):
            with torch.set_grad_enabled(bool(x.mean() < u.mean())):
                u = (x * w).sigmoid() * b.sum()
    return u


for i in range(12):
    x = torch.full((3,), i % 5 - 1.0)
    n = i % 4 + 1
    print(i, attempt(written_behind, x, n), attempt(written_in_body, x, n), attempt(by_itself, x, i))
    print(" ", attempt(twice, x, n), attempt(enabled, x, n), attempt(written_outside, x, i))
