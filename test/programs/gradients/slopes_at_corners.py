"""Gradients, and gradients of gradients, where a function's derivative is not that of the operations that compute it."""
import torch
import torch.nn.functional as F

inf, nan = float("inf"), float("nan")


def text(t):
    return " ".join("%.5g" % (round(v, 12) + 0.0 if abs(v) < inf else v) for v in t.detach().flatten().tolist())


POINTS = [-inf, -3.0, -2.0, -1.0, -0.5, -0.0, 0.0, 0.5, 1.0, 2.0, 3.5, inf, nan]
FUNCTIONS = [
    ("acos", torch.acos), ("asin", torch.asin), ("atan", torch.atan), ("acosh", torch.acosh), ("asinh", torch.asinh),
    ("atanh", torch.atanh), ("erfc", torch.erfc), ("erfinv", torch.erfinv), ("entr", torch.special.entr),
    ("sigmoid", torch.sigmoid), ("logsigmoid", F.logsigmoid), ("elu", F.elu), ("celu", lambda x: F.celu(x, 2.0)),
    ("selu", F.selu), ("softplus", lambda x: F.softplus(x, 2.0, 3.0)), ("silu", F.silu),
    ("sinh", torch.sinh), ("sinc", torch.sinc), ("hardswish", F.hardswish), ("inverse square", lambda x: x**-2), ("no power", lambda x: x**0),
    ("lgamma", lambda x: torch.lgamma(x * x - 0.6)), ("digamma", lambda x: torch.digamma(x * x - 0.6)),
    ("fmod", lambda x: torch.fmod(x, 1.5)), ("trunc", lambda x: torch.div(x, 1.5, rounding_mode="trunc")),
]


def one(function, x):
    x.grad = None
    y = function(x)
    y.sum().backward()
    return y, x.grad


for name, function in FUNCTIONS:
    x = torch.tensor(POINTS, dtype=torch.float64, requires_grad=True)
    for i in range(30):
        y, g = one(function, x)
    print(name, text(y), "|", text(g))
    (g,) = torch.autograd.grad(function(x).sum(), x, create_graph=True)
    print("  twice", text(torch.autograd.grad(g.sum(), x)[0]) if g.requires_grad else "none")

x = torch.tensor([0.2, -0.6], dtype=torch.float64, requires_grad=True)
third = torch.autograd.grad(torch.erfinv(x).sum(), x, create_graph=True)[0]
third = torch.autograd.grad(third.sum(), x, create_graph=True)[0]
print("erfinv three times", text(torch.autograd.grad(third.sum(), x)[0]))

SIDES = [-inf, -1.0, 0.0, 1.0, 2.0, inf]
PAIRS = [
    ("atan2", torch.atan2), ("xlogy", torch.xlogy), ("xlog1py", torch.special.xlog1py), ("logaddexp", torch.logaddexp),
    ("logaddexp2", torch.logaddexp2), ("fmod", torch.fmod), ("remainder", torch.remainder),
    ("floor", lambda a, b: torch.div(a, b, rounding_mode="floor")), ("hypot", torch.hypot),
    ("large hypot", lambda a, b: torch.hypot(a * 1e300, b * 1e300)), ("copysign", torch.copysign),
]


def two(function, a, b):
    a.grad = b.grad = None
    y = function(a, b)
    y.sum().backward()
    return y, a.grad, b.grad


for name, function in PAIRS:
    a = torch.tensor([p for p in SIDES for q in SIDES], dtype=torch.float64, requires_grad=True)
    b = torch.tensor([q for p in SIDES for q in SIDES], dtype=torch.float64, requires_grad=True)
    for i in range(30):
        y, p, q = two(function, a, b)
    print(name, text(y), "|", text(p), "|", text(q))
    first, second = torch.autograd.grad(function(a, b).sum(), (a, b), create_graph=True)
    if name not in ("fmod", "floor", "large hypot", "copysign"):
        print("  twice", *(text(h) for h in torch.autograd.grad(first.sum() + second.sum(), (a, b))))

x = torch.tensor([0.0, 0.0, 0.5, 1.0, 1.0, 1e-13], requires_grad=True)
y = torch.tensor([0.0, 1.0, 0.5, 1.0, 0.0, 0.0], requires_grad=True)


def loss():
    x.grad = y.grad = None
    F.binary_cross_entropy(x, y, reduction="sum").backward()
    return x.grad, y.grad


for i in range(30):
    p, q = loss()
print("bce", text(p), "|", text(q))


def middle(x):
    x.grad = None
    m = x.median()
    m.backward()
    return m.item(), x.grad


for data in ([1.0, 2.0, 2.0, 3.0], [inf, inf, 1.0], [nan, 1.0, 2.0]):
    x = torch.tensor(data, requires_grad=True)
    for i in range(30):
        m, g = middle(x)
    print("median", m, text(g))

# What was saved for a slope must not be written over.
for function in (torch.acos, torch.erfc, F.softplus, torch.atan, lambda v: torch.xlogy(v, v)):
    leaf = torch.tensor([0.25, 0.5], requires_grad=True)
    x = leaf * 1
    y = function(x)
    x.add_(1)
    try:
        y.sum().backward()
        print("none", text(leaf.grad))
    except RuntimeError as e:
        print(str(e)[:60])


# Functions without a derivative.
def refused(name, function, *tensors):
    for i in range(20):
        try:
            y = function(*tensors)
            y = y if isinstance(y, torch.Tensor) else y[0]
            shown = y.requires_grad
            y.sum().backward()
            told = "no error"
        except (RuntimeError, NotImplementedError) as e:
            told = f"{type(e).__name__}: {e}"
    print(name, shown, told)


x = torch.tensor([0.5, 1.5, 1.5], requires_grad=True)
z = torch.tensor([2.0, 0.0, 1.0], requires_grad=True)
refused("floor_divide", torch.floor_divide, x, 2.0)
refused("//", lambda a, b: a // b, torch.ones(3), x)
refused("heaviside", torch.heaviside, x, z)
refused("aminmax", torch.aminmax, x)
refused("unique", torch.unique, x)
refused("unique of parts", lambda t: torch.unique(t, dim=0), x)
refused("unique_consecutive", torch.unique_consecutive, x)
refused("bincount", lambda w: torch.bincount(torch.tensor([0, 1, 1]), w), x)
with torch.no_grad():
    print((x // 2).requires_grad, torch.unique(x).requires_grad)

# Where a value belongs in what is sorted, and in what is not.
print(torch.searchsorted(torch.tensor([3, 1, 4, 1, 5, 9, 2, 6]), torch.tensor([1, 2, 4, 7, 10])))
print(torch.searchsorted(torch.tensor([[1.0, 3.0, nan], [2.0, 2.0, 2.0]]), torch.tensor([[2.0, nan], [2.0, 3.0]]), right=True))
print(torch.bucketize(torch.tensor([2.5, 0.0, nan]), torch.tensor([0.0, 2.0, 1.0, 3.0])), torch.bucketize(2, torch.tensor([1, 2, 2, 3])))
