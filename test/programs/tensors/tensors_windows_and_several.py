# Windows (unfold) are views: writes go through, both ways, and gradients come back. One of several views must not be
# changed where gradients flow, nor used once what it shows was changed.
import torch


def told(f):
    try:
        return f()
    except (RuntimeError, IndexError) as e:
        return type(e).__name__ + ": " + str(e).split(" This view")[0]


def through(x, dim, size, step):
    w = x.unfold(dim, size, step)
    w.mul_(2)
    x.sub_(1)
    return w, w.data_ptr() == x.data_ptr(), w.stride()


def seen(x, k):
    w = x.unfold(0, 3, 1)
    a = w.sum(1)
    x[k] = 100.0
    return a, w.sum(1)


def part(kind, x):
    return {
        "unbind": lambda: x.unbind(0)[1],
        "split": lambda: x.split(2)[0],
        "sizes": lambda: x.split([1, 3])[1],
        "chunk": lambda: x.chunk(2)[1],
        "of a part": lambda: x.chunk(2)[1][:1],
        "iter": lambda: next(iter(x)),
        "slice": lambda: x[:2],
        "tensor_split": lambda: torch.tensor_split(x, 2)[0],
    }[kind]()


def changed(kind, leaf):
    x = torch.ones(4, requires_grad=True)
    x = x if leaf else x * 3
    part(kind, x).mul_(2)
    return x.sum().item()


def by_gradient(kind):
    x = torch.ones(4)
    part(kind, x).mul_(torch.tensor(2.0, requires_grad=True))
    return x.requires_grad


def after(kind):
    x = torch.ones(4, requires_grad=True) * 3
    p = part(kind, x)
    x.mul_(2)
    return (p * 2).sum().item()


def outside(kind):
    x = torch.ones(4)
    part(kind, x).mul_(2)
    y = torch.ones(4, requires_grad=True) * 3
    part(kind, y).detach().mul_(2)
    with torch.no_grad():
        part(kind, y).add_(1)
    return x.tolist(), y.tolist()


KINDS = ("unbind", "split", "sizes", "chunk", "of a part", "iter", "slice", "tensor_split")
for i in range(30):
    views = [
        through(torch.arange(12).reshape(3, 4) + i, *how)
        for how in ((1, 1, 3), (1, 2, 2), (0, 1, 2), (0, 3, 1), (-1, 2, 3))
    ]
    reads = seen(torch.arange(6.0) + i, i % 6)
    f = torch.ones(3, 7, requires_grad=True)
    (f.unfold(1, 3, 2).pow(2) * (i + 1)).sum().backward()
    g = torch.ones(2, 6, requires_grad=True)
    h = g * 1
    h.unfold(1, 2, 4).mul_(torch.tensor([2.0, 3.0]))
    (h * h).sum().backward()
    first = [told(lambda: changed(kind, False)) for kind in KINDS]
    leaves = [told(lambda: changed(kind, True)) for kind in KINDS]
    mixed = [told(lambda: by_gradient(kind)) for kind in KINDS if kind not in ("unbind", "iter")]
    later = [told(lambda: after(kind)) for kind in KINDS]
    free = [outside(kind) for kind in KINDS if kind != "of a part"]
for v in views:
    print(v)
print(reads)
print(f.grad)
print(g.grad)
for v in first + leaves + mixed + later + free:
    print(v)
x = torch.arange(8.0)
for how in ((0, 9, 1), (0, -1, 1), (0, 2, 0), (0, 2, -1), (1, 2, 1), (0, 0, 3)):
    print(how, told(lambda: tuple(x.unfold(*how).shape)))
print(torch.tensor(3.0).unfold(0, 1, 1), told(lambda: torch.tensor(3.0).unfold(0, 2, 1)))
