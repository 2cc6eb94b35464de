"""Arguments at the edges: large ints, objects with __index__, overlapping memory, wrong dtypes."""

import torch
import torch.nn.functional as F


def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)


class One:
    def __index__(self):
        return 1


x = torch.ones(2)
n = torch.ones(2, dtype=torch.int64)
attempt(lambda: x + 3**70)
attempt(lambda: 3**70 - x)
attempt(lambda: x * -(2**64))
attempt(lambda: n.mul_(2**70))
attempt(lambda: torch.full((2,), 2**70))
attempt(lambda: x.masked_fill(x > 0, 2**70))
attempt(lambda: torch.tensor(2**70, dtype=torch.float64))
attempt(lambda: torch.zeros(2).lerp_(torch.ones(2).double(), 0.1))
attempt(lambda: torch.lerp(x, x, torch.ones(2).double()))
attempt(lambda: torch.lerp(n, n, 0.5))
attempt(lambda: F.one_hot(torch.tensor([-1]), 4))
attempt(lambda: F.one_hot(torch.tensor([4]), 4))
attempt(lambda: F.one_hot(torch.tensor([1, 3]), 4))
attempt(lambda: F.one_hot(torch.tensor([], dtype=torch.int64)))

y = torch.arange(6).view(2, 3)
attempt(lambda: (y[One()], y[One(), One()], y[:, One()]))
y[One()] = 7
y[0, One()] = 8
print(y)

b = torch.arange(6.0)
attempt(lambda: torch.mul(b[:2], b[2:4], out=b[1:3]))
attempt(lambda: torch.exp(b[:3], out=b[1:4]))
attempt(lambda: torch.cat([b[:2], b[2:4]], out=b[1:5]))
attempt(lambda: torch.mul(b[:2], b[2:4], out=b[:2]))

x = torch.ones(4, 8)[:, ::2]
z = x.ravel()
z[3] += 1
z = x.reshape(-1)
z[4] += 2
z = x.flatten()
z[5] += 3
z = x.t().ravel()
z[0] += 9
print(x)
print(type(torch.tanh).__module__, type(len).__module__, torch.tanh.__module__, type(print).__name__)
