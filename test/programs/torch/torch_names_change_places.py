# Names of tensors that change places in loops which write to them.
import torch
# rotation of names of mutated tensors
def rot(n):
    a = torch.zeros(1); b = torch.zeros(1); c = torch.zeros(1)
    x = torch.ones(n)
    out = []
    for i in range(n):
        a, b, c = c, a, b
        a[0] += x[i]
        out.append(a[0].item())
    return out
for k in range(30):
    r = rot(k % 7 + 3)
print(r)
def swap(n):
    a = torch.arange(3.); b = torch.ones(3); v = a[1:]
    for i in range(n):
        a, b = b, a
        a[1:].add_(i)
        b.mul_(1.01)
        v = v if i % 3 else a[1:]
        v[0] -= 1
    return a, b, v
for k in range(12, 40):
    r = swap(k)
print(r)
def carry(n):
    xs = [torch.full((2,), float(i)) for i in range(4)]
    for i in range(n):
        xs[i % 4], xs[(i + 1) % 4] = xs[(i + 1) % 4], xs[i % 4]
        xs[0] += xs[3]
        xs[0] %= 97
    return torch.stack(xs)
for k in range(60):
    r = carry(k)
print(r)
buf = torch.zeros(5)
def ring(i, x):
    buf[:-1] = buf[1:].clone()
    buf[-1] = x
    return buf
last = None
for i in range(200):
    last = ring(i, float(i * i % 11))
print(last, last is buf)
def overlap(i):
    t = torch.arange(8.)
    t[1:] = t[:-1].clone() + i
    t[2:5].copy_(t[3:6].clone())
    t[::2] += t[1::2]
    return t
for i in range(150):
    o = overlap(i)
print(o)
