import torch
# A write to memory that a later backward pass needs, through whatever view a region took of it.
def rows(x, w):
    return (x[0] * w).sum()


def columns(x, w):
    return (x.t()[1:3] * w[:2, None]).sum()


def diagonal(x, w):
    return (torch.diagonal(x)[:3] * w).sum()


def reshaped(x, w):
    return (x.reshape(-1)[:3] * w).sum()


def two(x, w):
    a = x[0] * w
    b = x[1] + w
    return a.sum(), b.sum()


def made(x, w):
    h = (x * w).exp()
    return h, h[0].sum()


def own_view(x, w):
    y = x + 1.0
    v = y[1]
    return y, (v * w).sum()


def outcome(f):
    try:
        f()
        return "ok"
    except RuntimeError as e:
        return str(e).split(":")[0][:70]


for kind in (rows, columns, diagonal, reshaped):
    for i in range(30):
        x = torch.arange(12.0).reshape(4, 3) + i
        w = torch.ones(3, requires_grad=True)
        y = kind(x, w)
        if i % 3 == 1:
            x[0, 0] = 5.0
        elif i % 3 == 2:
            x.mul_(2)
        r = outcome(lambda: y.backward())
        if i > 26:
            print(kind.__name__, i, r, w.grad)

for i in range(30):
    x = torch.arange(12.0).reshape(4, 3) + i
    w = torch.ones(3, requires_grad=True)
    a, b = two(x, w)
    x.zero_()
    r = outcome(lambda: b.backward()), outcome(lambda: a.backward())
    if i > 27:
        print("two", i, r, w.grad)

for i in range(30):
    x = torch.arange(12.0).reshape(4, 3) / 10
    w = torch.ones(3, requires_grad=True)
    h, s = made(x, w)
    if i % 2:
        with torch.no_grad():
            h.add_(1.0)
    r = outcome(lambda: s.backward())
    if i > 27:
        print("made", i, r, w.grad)

for i in range(30):
    x = torch.arange(12.0).reshape(4, 3) / 10
    w = torch.ones(3, requires_grad=True)
    y, s = own_view(x, w)
    if i % 2:
        y[0] = 3.0
    r = outcome(lambda: s.backward())
    if i > 27:
        print("own_view", i, r, w.grad)
