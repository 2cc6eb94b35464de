# Own context managers that count, swallow and set; contextlib; grad modes.
import contextlib

import torch

depth = []


class Track:
    def __init__(self, name, swallow=()):
        self.name = name
        self.swallow = swallow

    def __enter__(self):
        depth.append(self.name)
        return self

    def __exit__(self, kind, value, tb):
        depth.append("-" + self.name if kind is None else "!" + self.name)
        return kind is not None and issubclass(kind, self.swallow)


@contextlib.contextmanager
def scaled(x, by):
    x.mul_(by)
    try:
        yield x
    finally:
        x.div_(by)


def step(w, i):
    with Track("a") as t, Track("b", (ZeroDivisionError,)):
        y = w * 2
        if i % 6 == 5:
            y = y / (1 // 0)
    with torch.no_grad(), scaled(w, 2.0) as s:
        z = s.sum()
    return y.sum() * z, t.name


w = torch.ones(3, requires_grad=True)
for i in range(20):
    loss, name = step(w, i)
    loss.backward()
print(loss.item(), name, len(depth), depth[-4:], depth.count("!b"), w.grad.tolist(), w.tolist())
