# Objects whose class, attribute order and attribute set change.
import torch


class A:
    pass


def read(o, x):
    return x * o.scale + o.shift


def make(i):
    o = A()
    if i % 3 == 0:
        o.scale, o.shift = 2.0, 1
    elif i % 3 == 1:
        o.shift, o.scale = 1, 2.0
    else:
        o.name = "extra"
        o.scale, o.shift = torch.tensor(2.0), 1
    return o


class B:
    scale = 3.0

    @property
    def shift(self):
        return self.scale / 2


total = torch.zeros(2)
for i in range(135):
    o = B() if i > 20 else make(0 if i < 8 else i)
    total = total * 0.5 + read(o, torch.ones(2))
    if i % 6 == 0:
        print(i, total.tolist())
