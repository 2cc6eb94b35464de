# What gradients flow to may change from one iteration to the next: a parameter that the variable no longer
# depends on has no gradient (not one of zeros), and requires_grad at the head of a loop is what it is then.
import torch

torch.manual_seed(0)
w = torch.randn(3, requires_grad=True)
b = torch.randn(3, requires_grad=True)
c = torch.randn(3, requires_grad=True)


def grads():
    found = [None if p.grad is None else [round(g, 3) for g in p.grad.tolist()] for p in (w, b, c)]
    for p in (w, b, c):
        p.grad = None
    return found


def replaced(x, n):
    u = b + 1
    for k in range(n):
        u = x * w - k
    u.sum().backward()
    return grads()


def replaced_sometimes(x, n):
    u, old = b + 1, c * 2
    for k in range(n):
        if (x.sum() + k) % 2 > 0.5:
            old = u
            u = x * w - k
        else:
            u = u * 0.5
    (u.sum() + old.prod()).backward()
    return grads()


def by_turns(x, n):
    t, u, v = w * 1, b * 2, c * 3
    for _ in range(n):
        t, u, v = u, v, t * x
    t.sum().backward()
    return grads()


def on_first(x, n):
    v = x * 0.5
    for _ in range(n):
        v = v + x if v.requires_grad else v * b
    v.sum().backward()
    return grads()


def late(x, rows):
    t, v = b.detach(), x
    for row in rows:
        t = t * 1.0
        t[1] = v[0]
        v = b.relu() + row[0]
    return t.requires_grad, t.tolist(), v.requires_grad


def detached(x, n):
    h = x * w
    for k in range(n):
        h = h.detach() * b if (h.sum() > k) else h * c
    h.sum().backward()
    return grads()


def on_one_side(x, i):
    v = x * 0.5
    t = x * w if i % 2 else x * 3
    v = v * 1.0
    v[1] = t[0]
    return v.requires_grad, t.requires_grad


def listed(x, n):
    hs = [x * b]
    for k in range(n):
        hs.append(x * w - k)
    (hs[n // 2] + x).sum().backward()
    return grads()


def stacked(x, n):
    hs = [x]
    for k in range(n):
        hs.append(hs[-1] * w - k)
    torch.stack(hs).sum().backward()
    return grads()


for i in range(12):
    x = torch.full((3,), i % 5 - 1.5)
    n = i % 4 + 1
    print(i, replaced(x, n), replaced_sometimes(x, n), by_turns(x, n))
    print(" ", on_first(x, n), late(x, torch.ones(n, 3)), detached(x, n))
    print(" ", on_one_side(x, i), listed(x, n), stacked(x, n))
