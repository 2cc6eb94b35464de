# Gradients through lists that grow in loops whose length moves; who is named by the list and a variable.
import torch
from torch import nn

torch.manual_seed(0)
cell = nn.GRUCell(3, 3)
W = torch.randn(3, 3, requires_grad=True)


def show(v):
    return [round(x, 3) + 0.0 for x in v.flatten().tolist()]


def states(xs):
    h = torch.zeros(3)
    outs = []
    for x in xs:
        h = torch.tanh(x @ W + h)
        outs.append(h)
    return outs, h


def through_states(xs):
    outs, h = states(xs)
    loss = (torch.stack(outs) ** 2).sum() + (h * 3).sum()
    W.grad = None
    loss.backward()
    return W.grad.clone()


def gru(xs):
    h = torch.zeros(1, 3)
    outs = []
    for x in xs:
        h = cell(x[None], h)
        outs.append(h)
    y = torch.cat(outs)
    cell.zero_grad()
    (y * y).sum().backward()
    return torch.cat([p.grad.flatten() for p in cell.parameters()])


def losses(xs):
    each = []
    for x in xs:
        each.append(((x @ W) ** 2).mean())
    loss = sum(each) / len(each) + max(each) * 0.1
    (g,) = torch.autograd.grad(loss, [W])
    return g


def sometimes(xs):
    h = torch.zeros(3)
    kept = []
    for x in xs:
        h = torch.relu(x @ W) + h * 0.5
        if x[0] > 0:
            kept.append(h * x)
    W.grad = None
    (torch.stack(kept).sum() if kept else h.sum()).backward()
    return W.grad.clone()


def some_of(x, n, which):
    outs = []
    for t in range(n):
        x = torch.sin(x @ W) + 0.1 * t
        outs.append(x)
    loss = 0
    if which & 1:
        loss = loss + torch.stack(outs).mean()
    if which & 2:
        loss = loss + outs[0].sum() * 0.1
    if which & 4:
        loss = loss + outs[-1].max()
    W.grad = None
    loss.backward()
    return W.grad


def attention(xs):
    keys = []
    h = torch.ones(3)
    for x in xs:
        keys.append(torch.tanh(x @ W))
        k = torch.stack(keys)
        h = (torch.softmax(k @ h, 0)[:, None] * k).sum(0)
    W.grad = None
    h.sum().backward()
    return W.grad


def outside(xs):
    # The tape goes on behind the function.
    return [x @ W for x in xs]


for i in range(30):
    xs = torch.randn(1 + i * 7 % 9, 3)
    print(i, show(some_of(xs[0], 1 + i % 5, 1 + i % 7)))
    for f in (through_states, gru, losses, sometimes, attention):
        print(i, f.__name__, show(f(xs)))
    outs, h = states(xs)
    print(outs[-1] is h, outs[0].requires_grad, outs[0].grad_fn.name(), h.grad_fn.name())
    rows = outside(xs)
    W.grad = None
    (rows[0] * rows[-1]).sum().backward()
    print(len(rows), show(W.grad))
