import torch
from torch import nn

torch.manual_seed(3)
calls = []


class RoundThrough(torch.autograd.Function):
    """A straight-through estimator."""

    @staticmethod
    def forward(ctx, x, levels):
        return torch.round(x * levels) / levels

    @staticmethod
    def backward(ctx, g):
        return g, None


class Swish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        s = torch.sigmoid(x)
        ctx.save_for_backward(x, s)
        return x * s

    @staticmethod
    def backward(ctx, g):
        x, s = ctx.saved_tensors
        calls.append(len(calls))
        if ctx.needs_input_grad[0]:
            return g * (s + x * s * (1 - s))
        return None


class Pair(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.a, ctx.b = a, b
        return a * b, a + b

    @staticmethod
    def backward(ctx, gp, gs):
        return gp * ctx.b + gs, gp * ctx.a + gs * 2


class Reverse(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale):
        ctx.scale = scale
        return x.clone()

    @staticmethod
    def backward(ctx, g):
        return -ctx.scale * g, None


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.one, self.two = nn.Linear(4, 8), nn.Linear(8, 4)

    def forward(self, x, scale):
        h = Swish.apply(self.one(x))
        product, total = Pair.apply(self.two(h), x)
        quantized = RoundThrough.apply(torch.tanh(total), 4)
        return quantized + product * 0.1 + Reverse.apply(h, scale).sum() * 0.01


net = Net()
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
x = torch.randn(3, 4)
for step in range(30):  # expect: tier 2, at most 10 entries in tier 0
    optimizer.zero_grad()
    loss = (net(x, 0.1 * step) - 0.5).pow(2).mean()
    loss.backward()
    optimizer.step()
    if step % 3 == 0:
        print(step, f"{loss.item():.5f}", len(calls))

w = torch.tensor([0.3, -0.8, 1.4], requires_grad=True)
for i in range(12):  # expect: tier 2, at most 10 entries in tier 0
    y = Swish.apply(w)
    only = Pair.apply(y, w)[1]
    g, = torch.autograd.grad(only.sum() * i, w)
    z = Swish.apply(w * 2) if i % 2 else RoundThrough.apply(w, 2 + i)
    z.sum().backward()
    print(i, [f"{v:.4f}" for v in g.tolist()], [f"{v:.4f}" for v in w.grad.tolist()], y.requires_grad)
print(z.grad_fn.name())


class Wrong(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, g):
        return g, g


for i in range(8):
    try:
        Wrong.apply(w).sum().backward()
    except RuntimeError as e:
        print(i, e)
print(len(calls))
