# Activations in place, of tensors that are not leaves: backward takes what they were.
import torch
import torch.nn as nn
import torch.nn.functional as F

FUNCTIONS = [
    ("silu", F.silu), ("hardswish", F.hardswish), ("mish", F.mish), ("elu", F.elu), ("selu", F.selu), ("celu", F.celu),
    ("leaky_relu", F.leaky_relu), ("relu", F.relu), ("relu6", F.relu6), ("hardtanh", F.hardtanh),
    ("hardsigmoid", F.hardsigmoid), ("threshold", lambda y, inplace: F.threshold(y, 0.1, 0.0, inplace)),
    ("elu of -1", lambda y, inplace: F.elu(y, -1.0, inplace)), ("celu of -1", lambda y, inplace: F.celu(y, -1.0, inplace)),
    ("leaky_relu of -0.1", lambda y, inplace: F.leaky_relu(y, -0.1, inplace)),
    ("dropout", lambda y, inplace: F.dropout(y, 0.0, True, inplace)),
]
MAKERS = [
    ("mul", lambda x: x * 2), ("square", lambda x: x * x), ("exp", lambda x: x.exp()), ("sigmoid", lambda x: x.sigmoid()),
    ("matmul", lambda x: x @ torch.ones(3, 3)), ("view", lambda x: (x * 2).view(-1)), ("part", lambda x: (x * 2)[1:]),
    ("transposed", lambda x: (x * 2).t()),
    ("norm", lambda x: F.batch_norm(x, torch.zeros(3), torch.ones(3), None, None, True)),
]


def gradient(f, make):
    x = torch.linspace(-3, 3, 12).reshape(4, 3).clone().requires_grad_()
    y = make(x)
    z = f(y, inplace=True)
    assert z is y
    try:
        (z * z).sum().backward()
    except RuntimeError as e:
        return "raises " + ("modified" if "modified by an inplace" in str(e) else str(e)[:90])
    return "%.3f" % x.grad.abs().sum().item()


for name, f in FUNCTIONS:
    for made, make in MAKERS:
        print(name, made, *sorted({gradient(f, make) for _ in range(6)}))


def second(f):
    x = torch.linspace(-2, 2.5, 6, dtype=torch.float64).requires_grad_()
    y = f(x * 2, inplace=True)
    (g,) = torch.autograd.grad((y * y).sum(), x, create_graph=True)
    (h,) = torch.autograd.grad(g.sum(), x)
    return [round(v, 6) for v in g.tolist()], [round(v, 6) for v in h.tolist()]


for name, f in FUNCTIONS[:6]:
    out = [second(f) for _ in range(6)]
    assert all(o == out[0] for o in out)
    print(name, *out[0])


# What is kept of a leaf is refused; without gradients nothing is kept.
leaf = torch.ones(3, requires_grad=True)
for name, f in FUNCTIONS[:4]:
    try:
        f(leaf, inplace=True)
    except RuntimeError as e:
        print(name, e)
    with torch.no_grad():
        t = torch.tensor([-1.0, 0.5])
        print(f(t, inplace=True) is t, [round(v, 5) for v in t.tolist()])


class Block(nn.Module):
    def __init__(self, act):
        super().__init__()
        self.a, self.norm, self.b = nn.Linear(4, 8), nn.BatchNorm1d(8), nn.Linear(8, 2)
        self.act = act(inplace=True)

    def forward(self, x):
        h = self.act(self.norm(self.a(x)))
        # Used twice: the one place holds the result of both.
        return self.b(self.act(h + 1) + h)


for act in (nn.SiLU, nn.Hardswish, nn.Mish, nn.ELU, nn.SELU, nn.CELU, nn.Hardsigmoid, nn.LeakyReLU, nn.ReLU6):
    torch.manual_seed(0)
    net = Block(act)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
    x, y = torch.randn(16, 4), torch.randn(16, 2)
    for step in range(12):
        optimizer.zero_grad()
        loss = F.mse_loss(net(x), y)
        loss.backward()
        optimizer.step()
    print(act.__name__, "%.4f" % loss.item())


# Leaves, and what is a view of them or of nothing on the tape.
for make in (
    lambda: torch.zeros(3, 2)[0].requires_grad_(),
    lambda: torch.zeros(6).reshape(3, 2).requires_grad_(),
    lambda: torch.zeros(6).requires_grad_().detach().requires_grad_(),
    lambda: torch.zeros(6, requires_grad=True)[1:],
):
    try:
        make().mul_(2)
    except RuntimeError as e:
        print(e)
