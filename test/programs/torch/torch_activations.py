import torch
import torch.nn.functional as F

x = torch.tensor([-30.0, -3.0, -1.0, -0.5, 0.0, 0.5, 1.0, 3.0, 30.0], requires_grad=True)
functions = {
    "relu": F.relu, "sigmoid": torch.sigmoid, "tanh": torch.tanh, "gelu": F.gelu,
    "gelu_tanh": lambda t: F.gelu(t, approximate="tanh"), "silu": F.silu, "elu": F.elu,
    "celu": F.celu, "selu": F.selu, "leaky": F.leaky_relu, "leaky2": lambda t: F.leaky_relu(t, 0.2),
    "softplus": F.softplus, "hardtanh": F.hardtanh, "relu6": F.relu6, "hardsigmoid": F.hardsigmoid,
    "hardswish": F.hardswish, "logsigmoid": F.logsigmoid, "mish": F.mish, "softsign": F.softsign,
    "tanhshrink": F.tanhshrink, "hardshrink": F.hardshrink, "softshrink": F.softshrink,
    "threshold": lambda t: F.threshold(t, 0.1, 20), "softmax": lambda t: F.softmax(t, dim=0),
    "log_softmax": lambda t: F.log_softmax(t, dim=-1), "exp": lambda t: torch.exp(t / 10),
    "sin": torch.sin, "cos": torch.cos, "erf": torch.erf, "abs": torch.abs, "square": torch.square,
    "expm1": lambda t: torch.expm1(t / 10), "log1p": lambda t: torch.log1p(t.abs()),
    "sqrt": lambda t: torch.sqrt(t.abs() + 1), "rsqrt": lambda t: torch.rsqrt(t.abs() + 1),
    "tan": lambda t: torch.tan(t / 10), "sinh": lambda t: torch.sinh(t / 10), "cosh": lambda t: torch.cosh(t / 10),
    "reciprocal": lambda t: (t + 0.25).reciprocal(), "pow3": lambda t: t**3, "log": lambda t: torch.log(t.abs() + 0.1),
}
weights = torch.linspace(0.5, 1.5, 9)
for name, f in functions.items():
    y = f(x)
    x.grad = None
    (y * weights).sum().backward()
    print(name, [f"{v:.4e}" for v in y.tolist()])
    print("  grad", [f"{v:.4e}" for v in x.grad.tolist()])
z = torch.tensor([[1.0, 2.0, 3.0], [1.0, 1.0, 1.0]])
print(F.softmax(z, dim=1), z.softmax(0), F.log_softmax(z, 1), F.softmin(z, dim=1))
print(F.glu(torch.arange(6.0)), F.prelu(torch.tensor([-1.0, 2.0]), torch.tensor([0.25])), F.normalize(z))
print(torch.floor(x), torch.ceil(x), torch.round(x), torch.trunc(x), torch.sign(x), torch.frac(x))
print(torch.log2(torch.tensor([1.0, 8.0])), torch.log10(torch.tensor([100.0])), torch.exp2(torch.tensor([3.0])))
