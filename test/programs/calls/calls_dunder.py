# __getitem__, __len__, __iter__, __contains__, __bool__, __eq__ and __hash__ of own classes.
import torch


class Data:
    def __init__(self, n):
        self.items = [torch.full((2,), float(i)) for i in range(n)]

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        if isinstance(i, slice):
            return self.items[i]
        return self.items[i] * 2

    def __iter__(self):
        return iter(self.items)

    def __contains__(self, v):
        return any(bool((t == v).all()) for t in self.items)

    def __bool__(self):
        return len(self) > 2


def work(d, i):
    total = d[i % len(d)] + sum(d)
    for t in d:
        total = total + t
    if d and 1.0 in d:
        total = total + len(d[1:])
    return total


for i in range(16):
    y = work(Data(3 if i < 10 else 2), i)
    if i % 5 == 4:
        print(i, y.tolist())
