# The gradient of a function in pieces requires a gradient, though it does not move; a gradient of it is zero.
import torch
import torch.nn.functional as F

torch.manual_seed(0)
x = torch.randn(2, 2, 4, 4, requires_grad=True)
functions = {
    "relu": F.relu,
    "hardtanh": F.hardtanh,
    "relu6": F.relu6,
    "leaky_relu": F.leaky_relu,
    "threshold": lambda t: F.threshold(t, 0.1, 2),
    "softshrink": F.softshrink,
    "hardshrink": F.hardshrink,
    "prelu": lambda t: F.prelu(t, torch.ones(1) / 4),
    "max_pool2d": lambda t: F.max_pool2d(t, 2),
    "avg_pool2d": lambda t: F.avg_pool2d(t, 2),
    "adaptive": lambda t: F.adaptive_avg_pool2d(t, 2),
    "conv": lambda t: F.conv2d(t, torch.ones(1, 2, 2, 2)),
    "reflect": lambda t: F.pad(t, (1, 1, 1, 1), mode="reflect"),
    "clamp": lambda t: t.clamp(-1, 1),
    "abs": torch.abs,
    "upsample": lambda t: F.interpolate(t, scale_factor=2),
    "add": lambda t: t + 1,
    "tanh": torch.tanh,
}


def twice(function):
    y = function(x)
    (g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    if not g.requires_grad:
        return False, None, None
    (second,) = torch.autograd.grad((g * 2).sum(), x, allow_unused=True)
    return True, g.is_leaf, None if second is None else round(second.abs().sum().item(), 3)


for name, function in functions.items():
    for _ in range(20):
        out = twice(function)
    print(name, *out)

# A penalty on the gradient of a network.
net = torch.nn.Sequential(torch.nn.Conv2d(2, 3, 2), torch.nn.LeakyReLU(0.2), torch.nn.Flatten(), torch.nn.Linear(27, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
for step in range(25):
    data = torch.randn(2, 2, 4, 4, requires_grad=True)
    (g,) = torch.autograd.grad(net(data).sum(), data, create_graph=True)
    penalty = (g.flatten(1).norm(dim=1) - 1).pow(2).mean()
    optimizer.zero_grad()
    penalty.backward()
    optimizer.step()
    if step % 8 == 0:
        print(step, g.requires_grad, f"{penalty.item():.3f}")
