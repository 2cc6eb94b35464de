# Views in another dtype, read before their tensor is written to.
import torch
torch.manual_seed(0)
# dtype views with later mutation
def fn(x):
    y = x.view(torch.int32) * 2
    y.sub_(-4)
    x[:, 2:5] = 2
    return y.view(torch.int64)
acc = torch.zeros(4, 6, dtype=torch.int64)
for i in range(120):
    x = torch.arange(-12, 12, dtype=torch.int64).reshape(4, 6) + i
    acc = acc ^ fn(x)
print(acc)
def bits(f):
    b = f.view(torch.int32)
    s = (b >> 31) & 1
    e = (b >> 23) & 0xff
    f.neg_()
    return s.sum() * 1000 + e.sum(), b
tot = 0
for i in range(120):
    f = torch.tensor([1.0, -2.5, 0.0, -0.0, float('inf')]) * (i + 1)
    r, b = bits(f)
    tot += r.item()
print(tot, b.tolist(), f.view(torch.int32).equal(b))
def expand_write(x, n):
    a = x.expand(n)
    try:
        a[-1] = 3
        a.add_(1)
    except RuntimeError as e:
        return str(e)[:80]
    return a
for i in range(60):
    r = expand_write(torch.arange(4)[i % 4], 3)
print(r)
def halves(x):
    h = x.view(torch.int16)
    h[..., 0] = 1
    return x.view(torch.uint8)
for i in range(100):
    z = torch.full((2, 2), i, dtype=torch.int32)
    u = halves(z)
print(z, u, u.stride(), u.shape)
try: torch.zeros(3, 3).t().view(torch.int16)
except RuntimeError as e: print(e)
try: torch.zeros(3, 3, dtype=torch.int16).view(torch.int32)
except RuntimeError as e: print(e)
try: torch.zeros((), dtype=torch.int32).view(torch.int64)
except RuntimeError as e: print(e)
