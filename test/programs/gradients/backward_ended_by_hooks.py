"""What a hook that raises leaves: the gradients of the leaves that had theirs before, in every loop alike."""
import torch
from torch import nn

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(4, 5), nn.Linear(5, 3)
        self.w = nn.Parameter(torch.ones(5) * 0.5)

    def forward(self, x):
        return self.b(torch.tanh(self.a(x)) * self.w)


class Half(torch.autograd.Function):
    @staticmethod
    def forward(ctx, v):
        return v * 0.5

    @staticmethod
    def backward(ctx, g):
        if now[0] % 3 == 1:
            raise ValueError('backward')
        return g * 0.5


now, log = [0], []


def text(t):
    return None if t is None else round(t.sum().item(), 3)


def seen(net):
    return [text(p.grad) for p in net.parameters()]


def raising(name):
    def hook(g):
        log.append(name)
        if now[0] % 3 == 1:
            raise RuntimeError(name)
    return hook


def step(net, x, twice):
    y = net(x)
    if twice:
        y = y + net(x * 0.5)
    loss = (y ** 2).mean()
    loss.backward()
    return loss.item()


for name in ('w', 'a.weight', 'a.bias', 'b.weight', 'b.bias'):
    for accumulated in (False, True):
        for twice in (False, True):
            net = Net()
            p = dict(net.named_parameters())[name]
            if accumulated:
                p.register_post_accumulate_grad_hook(raising(name))
            else:
                p.register_hook(raising(name))
            kinds = {}
            for i in range(30):
                now[0] = i
                net.zero_grad()
                try:
                    step(net, torch.ones(3, 4) * 0.1, twice)
                    end = 'end'
                except RuntimeError as e:
                    end = str(e)
                kinds[end, str(seen(net))] = len(kinds)
            for kind in kinds:
                print(name, accumulated, twice, *kind)

# The order in which all hooks run.
net = Net()
for name, p in net.named_parameters():
    p.register_hook(raising('hook ' + name))
    p.register_post_accumulate_grad_hook(raising('done ' + name))
now[0] = 0
orders = {}
for i in range(30):
    del log[:]
    step(net, torch.ones(3, 4), i % 2)
    orders[tuple(log)] = i
for order, i in orders.items():
    print(i, order)

# Functions of the user's, and inner gradients that are kept.
net = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 2))
for i in range(30):
    now[0] = i
    net.zero_grad()
    h = net[0](torch.ones(1, 4))
    h.retain_grad()
    loss = net[1](Half.apply(h)).sum() + h.sum() * 0.1
    try:
        loss.backward()
    except ValueError as e:
        pass
    if i < 3 or i > 27:
        print(i, seen(net), text(h.grad))

# What was used on the way to two losses, and what is no part of the second.
w, v = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
v.register_hook(raising('v'))
for i in range(30):
    now[0] = i
    w.grad = v.grad = None
    try:
        ((w * 2).sum() + (w * v).sum()).backward()
    except RuntimeError:
        pass
    try:
        torch.autograd.grad((v * w).sum(), [w, v])
    except RuntimeError:
        log.append('grad')
    if i < 2 or i > 27:
        print(i, w.grad, v.grad, len(log))
