# The sign of zero, and what a gradient is there, of activations and remainders.
import torch
import torch.nn.functional as F

values = torch.tensor([-0.0, 0.0, float('inf'), -float('inf'), 3.0, -1.0, 6.0, 7.0] * 3)
functions = {
    'relu': F.relu,
    'relu_': lambda x: (x * 1.0).relu_(),
    'relu6': F.relu6,
    'hardtanh': F.hardtanh,
    'hardtanh from 0': lambda x: F.hardtanh(x, 0.0, 1.0),
    'hardtanh to 0': lambda x: F.hardtanh(x, -1.0, 0.0),
    'clamp': lambda x: x.clamp(min=0),
    'fmod': lambda x: torch.fmod(x, 3.0),
    'remainder': lambda x: torch.remainder(x, 3.0),
    'hardswish': F.hardswish,
    'leaky_relu': F.leaky_relu,
}


def sign_and_slope(f, x):
    y = f(x)
    y[torch.isfinite(y)].sum().backward()
    return y, x.grad


def value(f, x):
    return f(x)


for name, f in functions.items():
    for i in range(5):
        x = values.clone().requires_grad_()
        y, g = sign_and_slope(f, x)
        with torch.no_grad():
            z = value(f, values)
        if i in (0, 4):
            print(name, [str(v) for v in y.tolist()[:8]], g.tolist()[:8], torch.signbit(z[z == z]).sum().item())
x = torch.tensor([-0.0, 0.0, 1.0, 0.5], requires_grad=True)
for i in range(4):
    x.grad = None
    torch.logit(x).sum().backward()
    print(x.grad.tolist())
