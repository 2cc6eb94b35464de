# Functions whose derivative is constant by parts, where gradients of gradients are asked for: infinite gradients pass as
# they are, and the second gradient is a zero without a sign.
import torch
import torch.nn.functional as F

FUNCTIONS = [
    ("relu6", F.relu6), ("hardtanh", F.hardtanh), ("relu", F.relu), ("leaky_relu", F.leaky_relu),
    ("softshrink", F.softshrink), ("hardshrink", F.hardshrink), ("threshold", lambda x: F.threshold(x, 0.1, 3.0)),
    ("rrelu", F.rrelu), ("prelu", lambda x: F.prelu(x, torch.tensor([0.1]))), ("abs", torch.abs),
    ("clamp", lambda x: x.clamp(-1, 1)), ("hardswish", F.hardswish), ("elu", F.elu), ("celu", F.celu), ("selu", F.selu),
    ("maximum", lambda x: torch.maximum(x, torch.zeros(6))), ("clamp of min", lambda x: x.clamp(min=0)),
]
inf = float("inf")


def leaf():
    return torch.tensor([-7.0, -0.2, 0.1, 0.9, 3.0, 8.0], requires_grad=True)


def first(f, x, weights):
    (g,) = torch.autograd.grad((f(x) * weights).sum(), x, create_graph=True)
    return g.detach()


def second(f, x, weights):
    (g,) = torch.autograd.grad(f(x).sum(), x, create_graph=True)
    try:
        (h,) = torch.autograd.grad((g * weights).sum(), x, allow_unused=True)
    except RuntimeError as e:
        return str(e)[:60]
    return h


for name, f in FUNCTIONS:
    for weights in ([-1.0, 1.0] * 3, [inf, -inf] * 3):
        for i in range(5):
            h = second(f, leaf(), torch.tensor(weights))
            if name in ("rrelu", "prelu", "leaky_relu", "relu", "relu6", "hardtanh", "softshrink", "hardshrink") or weights[1] == 1:
                print(name, "twice", h)
    for weights in ([inf] * 6, [-inf] * 6, [-1.0] * 6, [float("nan")] * 6):
        for i in range(5):
            print(name, first(f, leaf(), torch.tensor(weights)))
