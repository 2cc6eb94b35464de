# Functions that go by indices, whose sources or results lie in the memory that they write or read.
import torch


def told(name, f):
    x = torch.arange(6.0)
    try:
        f(x)
        print(name, x.tolist())
    except RuntimeError as e:
        print(name, str(e)[:70])


at = torch.tensor([1, 0])
every = torch.tensor([1, 0, 2, 3, 4, 5])
CALLS = [
    ("gather", lambda x: torch.gather(x, 0, every, out=x)), ("index_select", lambda x: torch.index_select(x, 0, every, out=x)),
    ("take", lambda x: torch.take(x, every, out=x)), ("take apart", lambda x: torch.take(x[2:], at, out=x[:2])),
    ("scatter_", lambda x: x.scatter_(0, at, x)), ("scatter_ apart", lambda x: x.scatter_(0, at, x[2:4] * 1)),
    ("scatter_ within", lambda x: x.scatter_(0, at, x[2:4])), ("index_add_", lambda x: x.index_add_(0, every, x)),
    ("index_add_ apart", lambda x: x[:2].index_add_(0, at, x[2:4])), ("index_copy_", lambda x: x.index_copy_(0, at, x[2:4])),
    ("index_put_", lambda x: x.index_put_((at,), x[:2])), ("x[at] = x", lambda x: x.__setitem__(at, x[:2])),
    ("x[at] = y", lambda x: x[:2].__setitem__(at, x[2:4])), ("x[mask]", lambda x: x.__setitem__(x > 2, x[2])),
    ("masked_fill_", lambda x: x.masked_fill_(x > 2, x[0])), ("x[1:] = x[:-1]", lambda x: x.__setitem__(slice(1, None), x[:-1])),
    ("copy flipped", lambda x: x.copy_(x.flip(0))),
]
for _ in range(6):
    for name, f in CALLS:
        told(name, f)


def parts(w):
    w[0] = w[0].real
    return w


def whole(w):
    w[:] = w.real
    return w


for _ in range(4):
    for f in (parts, whole):
        try:
            print(f.__name__, f(torch.tensor([1 + 2j, 3 + 4j])).tolist())
        except RuntimeError as e:
            print(f.__name__, str(e)[:70])
y = torch.zeros(2)
print(torch.take(torch.arange(3.0), torch.tensor([2, 1]), out=y) is y, y.tolist())
print(torch.masked_select(torch.arange(3.0), torch.tensor([True, False, True]), out=torch.empty(0)).tolist())
print(torch.take_along_dim(torch.arange(6).reshape(2, 3), torch.tensor([[-1], [0]]), 1).tolist())
print(torch.scatter(torch.ones(3) * 2, 0, torch.tensor([0, 2, 0]), torch.tensor([3.0, 5.0, 7.0]), reduce="multiply").tolist())
print([t.tolist() for t in torch.meshgrid(torch.arange(3), indexing="xy")])
print(torch.tensordot(torch.arange(4.0).reshape(2, 2), torch.arange(2.0).reshape(2, 1), dims=([1], [1])).tolist())
