# Generators that delegate are consumed by the function that makes them.
import torch


def walk(xs):
    for x in xs:
        yield x * 2
    return len(xs)


def both(xs, ys):
    n = yield from walk(xs)
    m = yield from walk(ys)
    yield torch.tensor(float(n * m))


def total(xs, ys):
    out = torch.zeros(2)
    for v in both(xs, ys):
        out = out + v
    first = next(both(ys, xs))
    return out + first


xs = [torch.ones(2) * i for i in range(3)]
ys = [torch.ones(2) * 0.5]
for i in range(14):
    y = total(xs, ys)
    ys[0] = ys[0] + i * 0.1
print([f"{v:.4f}" for v in y.tolist()])
