# What a mask selects is changed and put back: `x[mask] += 1`.
import torch

torch.manual_seed(0)


def step(g, low):
    m = g > low
    g[m] += 7
    g[m] *= torch.arange(float(g.shape[-1])).expand_as(g)[m]
    g[g > 9] -= 5
    return g


g, h = torch.zeros(6), torch.zeros(3, 4)
for i in range(20):
    g += torch.rand(6)
    h += torch.rand(3, 4)
    step(g, 1.0)
    step(h, 1.5)
    h[h.sum(1) > 4] *= 0.5
    h[:, h.sum(0) > 4] -= 0.25
print(g, h)

w = torch.randn(5, requires_grad=True)
for i in range(10):
    y = w * 2
    z = y.clone()
    z[y > 0] += 1
    low = y < 0
    z[low] *= y[low]
    z.sum().backward()
    with torch.no_grad():
        w -= 0.01 * w.grad
        w.grad[w.grad > 2] -= 1
    w.grad = None
print(w)


def loop(x):
    for i in range(30):
        x[x > 1] -= 1
        x = x + 0.1
        if x.sum() > 3:
            low = x < 0.5
            x[low] += x[low].sum() / 10
    return x


for i in range(5):
    print(loop(torch.rand(5)))


def changed(x, m):
    x[m] += 1
    m[0] = ~m[0]
    x[m] += 10
    return x


for i in range(6):
    print(changed(torch.zeros(4), torch.tensor([True, False, i > 2, i > 4])))
