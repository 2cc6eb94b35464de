# What a loop of moving length leaves behind are other names of tensors, and views of them: a write to one
# is seen through the other, in the region and after it.
import torch


class Box:
    pass


def row(w, n):
    last = None
    for i in range(n):
        last = w[i]
    return last


def inner_row(w, n):
    y = w * 2
    last = y[0]
    for i in range(n):
        last = y[i : i + 2].t()
    y.add_(1)
    return last.sum(), y, last


def two_names(w, n):
    u = v = w
    for i in range(n):
        u = w * i
        v = u
    return u, v


def attribute(box, y, t):
    u = t.detach()
    for r in y:
        box.t = u
    u[0] = 1.5
    return t.sum()


def nested(box, y, t, n):
    u = torch.zeros(3)
    for k in range(n):
        u = t.detach()
        for r in y:
            box.t = u
    u[0] = -1.0
    return t.detach()


def behind(w, n):
    prev = cur = w[0]
    for i in range(n):
        prev = cur
        cur = w[i]
    return prev.sum() + cur.sum()


def lists(w, n):
    state = [w, w * 2]
    keep = state
    for i in range(n):
        state = [state[0] + 1, state[1] - 1]
        keep = state
    keep.append(n)
    return state


def views_of_views(w, n):
    for i in range(n):
        q = w.t()[i % 3]
        p = q[1:]
    w[2] = 50.0 + n
    return q.sum(), p


def written(w, n):
    h = w.clone()
    for i in range(n):
        h = h * 2
        g = h
    h[0] = 7.0
    return g[0].sum(), h.sum(), g is h


def flags(w, n):
    p = w.clone().requires_grad_()
    for i in range(n):
        last = p[i]
    loss = (last * last).sum()
    loss.backward()
    return p.grad.sum(), last.requires_grad, loss.detach()


box = Box()
box.t = torch.ones(3)
for i in range(24):
    w = torch.arange(12.0).reshape(4, 3) + i % 5
    y = torch.arange(3.0 * (1 + i % 4)).reshape(-1, 3)
    n = 1 + i % 3
    a = row(w, n)
    w += 1
    print(i, a.tolist())
    s, b, c = inner_row(w, n)
    b += 1
    print(s.item(), c[0].tolist())
    u, v = two_names(w, i % 3)
    u += 5
    print(v[0].tolist(), u is v, u is w)
    t = torch.full((3,), float(i % 5) - 2.0)
    print(attribute(box, y, t).item(), box.t.tolist())
    t += 1
    print(box.t.tolist())
    print(nested(box, y, t, i % 4).tolist(), box.t.tolist())
    print(behind(w, n).item())
    print([float(v) if isinstance(v, int) else v.sum().item() for v in lists(w, i % 3)])
    s, p = views_of_views(w, n)
    w[3] = -1.0
    print(s.item(), p.tolist())
    print([v if isinstance(v, bool) else v.item() for v in written(w, n)])
    print([v if isinstance(v, bool) else v.item() for v in flags(w, n)])
