# In-place changes on one side of a branch, and what backward says of them.
import torch

torch.manual_seed(0)


def err(e):
    return str(e)[:60]


def one_side(x, w, k):
    y = x * w
    if k % 3 == 0:
        z = y * y          # keeps y
    else:
        z = y + 1
    if k % 2 == 0:
        y.add_(1)          # bad only if z kept y
    try:
        z.sum().backward()
        g = w.grad.clone()
        w.grad = None
        return g.tolist()
    except RuntimeError as e:
        w.grad = None
        return err(e)


def by_data(x, w):
    y = x * w
    if x.sum() > 0:
        z = y.exp()
    else:
        z = y + 1
    if x[0] > 0:
        z.mul_(2)
    try:
        z.sum().backward()
        g = w.grad.clone()
        w.grad = None
        return g.tolist()
    except RuntimeError as e:
        w.grad = None
        return err(e)


def one_data(x, w):
    y = x * w
    h = y.sigmoid() if x[0] > 0 else y * 3
    if not x[0] > 0:
        h.add_(1)
    s = h * 2
    s.sum().backward()
    g = w.grad.clone()
    w.grad = None
    return g.tolist()


def saved_on_side(x, w):
    y = x * w
    t = x.clone()
    if x[0] > 0:
        out = (y * t).sum()
    else:
        out = y.sum()
        t.zero_()
    out.backward()
    g = w.grad.clone()
    w.grad = None
    return g.tolist(), t.tolist()


def loop(x, w, n):
    h = x * w
    acc = torch.zeros(2)
    for i in range(n):
        if i % 2:
            acc = acc + h * h
        else:
            acc = acc + h
            acc.add_(1)
    try:
        acc.sum().backward()
        g = w.grad.clone()
        w.grad = None
        return g.tolist()
    except RuntimeError as e:
        w.grad = None
        return err(e)


w = torch.ones(2, requires_grad=True)
xs = [torch.tensor([1., 2.]), torch.tensor([-1., 3.]), torch.tensor([1., -3.]), torch.tensor([-1., -3.])]
for k in range(24):
    x = xs[(k * 7 + k // 4) % 4]
    print(k, one_side(x, w, k), by_data(x, w), one_data(x, w), saved_on_side(x, w), loop(x, w, k % 5))
