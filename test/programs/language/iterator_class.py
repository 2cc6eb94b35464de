# Classes with __iter__ and __next__: in loops, sum(), list(), zip(), next(), for as many items as moves.
import torch

torch.manual_seed(1)


class Walk:
    def __init__(self, x, n):
        self.x, self.n, self.taken = x, n, 0

    def __iter__(self):
        self.i = 0
        return self

    def __next__(self):
        if self.i >= self.n:
            raise StopIteration
        self.i += 1
        self.taken += 1
        self.x = self.x + 0.1 * torch.cos(self.x * self.i)
        return self.x


class Batches:
    def __init__(self, data, size):
        self.data, self.size = data, size

    def __iter__(self):
        return BatchesFrom(self.data, self.size)


class BatchesFrom:
    def __init__(self, data, size):
        self.data, self.size, self.at = data, size, 0

    def __iter__(self):
        return self

    def __next__(self):
        if self.at >= len(self.data):
            raise StopIteration()
        self.at += self.size
        return self.data[self.at - self.size:self.at]


def total(walk):
    s = torch.zeros(3)
    for k, p in enumerate(walk):
        s = s + p * (k + 1)
    return s


def epoch(data, w):
    for k, b in zip(range(10), Batches(data, 4)):
        w = w - 0.1 * ((b @ w - 0.5) @ b) / len(b)
    first = next(iter(Batches(data, 2)))
    return w, k, first.sum(), len(list(Batches(data, 3)))


x, w, data = torch.randn(3), torch.zeros(3), torch.randn(10, 3)
long_walk = Walk(torch.zeros(3), 1000)
shared = iter(long_walk)
for i in range(40):
    walk = Walk(x, 2 + i % 3)
    s = total(walk)
    x = torch.tanh(s)
    w, k, first, n = epoch(data, w)
    one = next(shared)
    left = next(Walk(x, 0).__iter__(), 'nothing')
    print(i, walk.taken, k, n, left, [round(v, 3) for v in (s + w + one).tolist()], round(first.item(), 3))
print(long_walk.taken, long_walk.i)
