# Tensors that have two names, or share memory, when they leave compiled code; a copy that does not.
import torch


def overlapping(x):
    c = x * 2
    return c[:], c.view(4), c[1:], c.view(2, 2)


def copied(x):
    t = x * 1
    u = t.view(2, 2).t().reshape(4)
    v = t.view(2, 2).t().flatten()
    t.add_(10)
    return u, v, t


def two_lists(n, x):
    params, groups = [], {"decay": [], "no": []}
    for i in range(n):
        w = x * (i + 1)
        b = x * 0
        params += [w, b]
        groups["decay"].append(w)
        groups["no"].append(b)
    return params, groups


def stacked(n, x):
    hs, outs = [], []
    h = x
    for i in range(n):
        h = torch.tanh(h + i * 0.1)
        hs.append(h)
        outs.append(h)
    return torch.stack(hs).sum() + torch.stack(outs).mean()


def no_trips(k, x):
    t0 = x * 1
    t1 = t0
    if k % 5 != 1:
        for i in range(k % 4):
            t1 = t1 * 0.5
    return t0, t1


def swapped(n, k, x):
    t1 = x * 2
    t2 = x + 2
    kept = [t2]
    if k % 2 == 1:
        for i in range(n):
            t2, t1 = t1, t2
    return t1, t2, kept


for k in range(24):
    x = torch.ones(4) * (k % 3)
    a, b, c, d = overlapping(x)
    a.add_(1)
    print(a.tolist(), b.tolist(), c.tolist(), d.tolist())
    u, v, t = copied(torch.arange(4.0) + k)
    u.mul_(2)
    print(u.tolist(), v.tolist(), t.tolist())
    params, groups = two_lists(k % 4 + 1, x)
    for p in groups["decay"]:
        p.mul_(0.5)
    for p in groups["no"]:
        p.add_(1)
    print([p.tolist() for p in params], f"{stacked(k % 4 + 1, x).item():.4f}")
    t0, t1 = no_trips(k, x)
    t0.add_(1)
    print(t0 is t1, t1.tolist())
    t1, t2, kept = swapped(k % 3 + 1, k, x)
    t1.add_(10)
    print(kept[0] is t1, kept[0] is t2, kept[0].tolist())

for k in range(12):
    w = torch.ones(3, requires_grad=True)
    loss = (w * k).sum()
    loss.backward()
    print(id(k) is None, w.grad)
    y = w[w > 1 + k % 2]
    y.sum().backward()
    print(y.tolist(), w.grad)
