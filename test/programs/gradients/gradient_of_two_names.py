# Behind a branch a tensor is what another name is, or a new one: its gradient is one sum then.
import torch

torch.manual_seed(1)
w = torch.randn(3, requires_grad=True)


def step(x, i):
    t = x * w
    first = t
    if i % 3 == 0:
        t = t * 1.25 + w
    u = first * 0.3
    loss = (t * u).sum() + (first * first * 0.7).tanh().sum() + (t * 0.11).sum() + first.sum() * 0.013
    w.grad = None
    loss.backward()
    with torch.no_grad():
        w.sub_(w.grad.clamp(-1, 1) * 0.05)
    return w.grad


def branches(x, flags):
    h = x * w
    out = h.sum() * 0
    for flag in flags:
        g = h
        if flag:
            g = torch.tanh(h)
        out = out + (g * h).sum() + (g * 0.3).sum()
        h = g
    return out


for i in range(30):
    print(i, step(torch.full((3,), float(i % 5) - 2.0), i))
for i in range(30):
    w.grad = None
    loss = branches(torch.full((3,), 0.7), [i % 2 == 0, i % 3 == 0])
    loss.backward()
    print(i, loss.item(), w.grad)
