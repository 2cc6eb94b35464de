import torch
import numpy as np

def both(a, b):
    a += 1
    b *= 2
    return a + b

def swap(a, b):
    a, b = b, a
    a.add_(1)
    return a, b

def views(x):
    v = x[1:]
    w = x[:-1]
    v.add_(w.clone())
    u = x.view(-1)
    u[0] = 100
    return v, w, u

def trans(x):
    y = x.t()
    y[0] = 7
    z = y.contiguous()
    z.zero_()
    r = x.reshape(-1)
    r[1] = 9
    s = y.reshape(-1)
    s[1] = 11
    return x, y, z, r, s

def through_numpy(x):
    n = x.numpy()
    n[0] = 5
    t = torch.from_numpy(n)
    t[1] = 6
    return x, n, t

def data(p):
    p.data = p.data * 2
    q = p.data
    q.add_(1)
    p.data.mul_(3)
    return p

def lists(l):
    m = l
    m = m + [torch.ones(1)]
    l += [torch.zeros(1)]
    l[0].add_(1)
    return len(l), len(m), m[0] is l[0]

def expand(x):
    e = x.expand(3, 2)
    x.add_(1)
    return e.sum(), e.clone().add_(1), e

def chain(x):
    a = x[0]
    b = a[0:1]
    b.fill_(3)
    c = x.flatten()
    c[1] = 4
    d = x.unsqueeze(0).squeeze(0)
    d[1, 1] = 8
    return x, a, c.data_ptr() == x.data_ptr(), d.data_ptr() == x.data_ptr()

def inout(x, idx):
    x[idx], x[0] = x[0].clone(), x[idx].clone()
    x[0], x[1] = x[1], x[0]
    return x

def select_write(x):
    for row in x:
        row.mul_(2)
    for i, row in enumerate(x.unbind(1)):
        row.add_(i)
    a, b = x.split(2)
    a.sub_(b)
    c = x.chunk(2, 1)
    c[0].zero_()
    return x

def detach_write(x):
    w = x * 2
    d = w.detach()
    d.zero_()
    return w, w._version

def accum():
    g = torch.zeros(2)
    h = g
    for k in range(3):
        g = g + k
        h += k
    return g, h, g is h

class M:
    total = torch.zeros(1)
    def __init__(self):
        self.buf = []
    def add(self, x):
        self.buf.append(x)
        self.total += x.sum()
        M.total += 1
        return self.total is M.total

for i in range(30):
    t = torch.arange(2.0) + i
    x = torch.arange(6.0).reshape(2, 3)
    sq = torch.arange(16.0).reshape(4, 4)
    m = M()
    r = [both(t, t), both(t.clone(), t), swap(t.clone(), t), views(torch.arange(4.0)), trans(x.clone()), through_numpy(torch.arange(3.0)), data(torch.nn.Parameter(torch.ones(2))), lists([torch.zeros(1)]), expand(torch.arange(2.0)), chain(torch.zeros(2, 2)), inout(torch.arange(5.0), i % 5), select_write(sq), detach_write(torch.ones(2, requires_grad=True)), accum(), m.add(t), "total" in vars(m)]
for v in r:
    print(v)
print(M.total)
