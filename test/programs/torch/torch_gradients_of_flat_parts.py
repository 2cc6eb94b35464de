"""Gradients of gradients that are constant by parts are zeros, and not None: an optimizer moves by its momentum."""
import torch
import torch.nn.functional as F
from torch import nn

x0 = torch.tensor([[0.5, -1.5, 2.0, 0.25], [0.1, -0.2, 3.0, -4.0]])


def second(f):
    x = x0.clone().requires_grad_()
    w = torch.ones(2, 4, requires_grad=True)
    y = f(x)
    weight = w[tuple(slice(n) for n in y.shape)]
    (g,) = torch.autograd.grad((y * weight).sum(), x, create_graph=True)
    return [
        None if v is None else [round(n, 4) + 0.0 for n in (torch.zeros(v.shape) + v).flatten().tolist()]
        for v in torch.autograd.grad(g.sum(), [x, w], allow_unused=True)
    ]


FUNCTIONS = {
    "relu": F.relu,
    "relu6": F.relu6,
    "leaky_relu": lambda x: F.leaky_relu(x, 0.1),
    "hardtanh": F.hardtanh,
    "hardshrink": F.hardshrink,
    "softshrink": F.softshrink,
    "threshold": lambda x: F.threshold(x, 0.1, 20.0),
    "prelu": lambda x: F.prelu(x, torch.tensor([0.2])),
    "max_pool1d": lambda x: F.max_pool1d(x, 2),
    "max_pool2d": lambda x: F.max_pool2d(x[None], 2)[0],
    "avg_pool1d": lambda x: F.avg_pool1d(x, 2),
    "in place": lambda x: F.relu(x * 1, inplace=True),
    "leaky in place": lambda x: F.leaky_relu(x * 1, 0.1, inplace=True),
    "abs": lambda x: x.abs(),
    "clamp": lambda x: x.clamp(-1, 1),
    "where": lambda x: torch.where(x > 0, x, x * 2),
    "tanh": torch.tanh,
    "prod": lambda x: (x * torch.tensor([1.0, 1.0, 0.0, 1.0])).prod(1, True),
    "logcumsumexp": lambda x: x.logcumsumexp(1),
}
for k in range(4):
    for name, f in FUNCTIONS.items():
        r = second(f)
        if k == 3:
            print(name, r)

# A critic whose gradient is held near one: its biases get zeros, and momentum moves them on.
torch.manual_seed(0)
critic = nn.Sequential(nn.Linear(2, 4), nn.LeakyReLU(0.2), nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 1))
opt = torch.optim.SGD(critic.parameters(), lr=0.01, momentum=0.9)
for k in range(14):
    a, b = torch.randn(6, 2), torch.randn(6, 2) + 2
    loss = critic(a).mean() - critic(b).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    mix = ((a + b) / 2).requires_grad_()
    (g,) = torch.autograd.grad(critic(mix).sum(), mix, create_graph=True)
    penalty = ((g.norm(2, dim=1) - 1) ** 2).mean()
    opt.zero_grad()
    penalty.backward()
    opt.step()
    if k % 4 == 1:
        grads = [None if p.grad is None else round(p.grad.abs().sum().item(), 4) for p in critic.parameters()]
        print(round(loss.item(), 4), round(penalty.item(), 4), grads)
print([round(p.sum().item(), 4) for p in critic.parameters()])
