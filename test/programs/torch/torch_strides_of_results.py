"""Results lie in memory as PyTorch lays them: as the operands do, with channels last, or row by row."""
import torch
import torch.nn as nn
import torch.nn.functional as F

cl = torch.channels_last


def show(name, t):
    print(name, tuple(t.shape), t.stride(), t.is_contiguous(), t.dim() == 4 and t.is_contiguous(memory_format=cl),
          abs(round(float(t.detach().double().sum()), 2)))


torch.manual_seed(0)
c = torch.randn(2, 4, 6, 6)
x = c.to(memory_format=cl)
p = torch.randn(6, 2, 4, 6).permute(1, 2, 0, 3)
bias = torch.randn(4, 1, 1)
w = torch.randn(8, 4, 3, 3)
norm = nn.BatchNorm2d(4)
cases = [
    ("relu", lambda t: torch.relu(t)), ("F.relu", F.relu), ("sigmoid", torch.sigmoid), ("gelu", F.gelu), ("exp", torch.exp),
    ("mul", lambda t: t * 2), ("rsub", lambda t: 1 - t), ("bias", lambda t: t + bias), ("row", lambda t: t * bias.reshape(4)[:1]),
    ("second", lambda t: c + t), ("first", lambda t: t + c), ("zero", lambda t: t + torch.tensor(1.0)),
    ("gt", lambda t: t > 0), ("where", lambda t: torch.where(t > 0, t, 0.0)), ("clamp", lambda t: t.clamp(0, 1)),
    ("turned", lambda t: t + t.transpose(2, 3)), ("half", lambda t: t[:, :2].relu()), ("stretched", lambda t: t[:, :1].expand(2, 4, 6, 6).relu()),
    ("masked", lambda t: t.masked_fill(t > 0, 1.0)), ("lerp", lambda t: torch.lerp(t, c, 0.5)), ("addcmul", lambda t: torch.addcmul(c, t, t)),
    ("prelu", lambda t: F.prelu(t, torch.tensor([0.1]))), ("dropout", lambda t: F.dropout(t, 0.5)), ("dropout2d", lambda t: F.dropout2d(t, 0.5)),
    ("flip", lambda t: t.flip(1)), ("sort", lambda t: t.sort(1)[0]), ("softmax", lambda t: t.softmax(1)), ("sum", lambda t: t.sum(1, keepdim=True)),
    ("conv", lambda t: F.conv2d(t, w)), ("conv of", lambda t: F.conv2d(c, w.to(memory_format=cl))), ("grouped", lambda t: F.conv2d(t, w[:4, :1], groups=4)),
    ("transposed", lambda t: F.conv_transpose2d(t, w.transpose(0, 1))),
    ("norm", norm), ("group", nn.GroupNorm(2, 4)), ("instance", nn.InstanceNorm2d(4)), ("layer", nn.LayerNorm(6)),
    ("max pool", lambda t: F.max_pool2d(t, 2)), ("avg pool", lambda t: F.avg_pool2d(t, 2)), ("adaptive", lambda t: F.adaptive_avg_pool2d(t, (2, 3))),
    ("interpolate", lambda t: F.interpolate(t, scale_factor=2)), ("pad", lambda t: F.pad(t, (1, 1, 1, 1))), ("reflect", lambda t: F.pad(t, (1, 1, 1, 1), mode="reflect")),
    ("cat", lambda t: torch.cat([t, t], 1)), ("cat with rows", lambda t: torch.cat([t, c], 1)), ("clone", lambda t: t.clone()), ("double", lambda t: t.double()),
    ("zeros_like", torch.zeros_like), ("contiguous", lambda t: t.contiguous()), ("mse", lambda t: F.mse_loss(t, c, reduction="none")),
    ("roll", lambda t: t.roll(1, 1)), ("index_fill", lambda t: t.index_fill(1, torch.tensor([1]), 2.0)), ("matmul", lambda t: t @ t[:, :, :6, :6]),
    ("nothing", lambda t: +t), ("neg", lambda t: -t), ("not", lambda t: ~(t > 0)), ("isnan", torch.isnan), ("pow", lambda t: t ** 2), ("hypot", lambda t: torch.hypot(t, c)),
]
for name, f in cases:
    for kind, t in (("last", x), ("turned", p)):
        torch.manual_seed(1)
        show(f"{name} {kind}", f(t))

a, b = torch.randn(3, 5).t(), torch.randn(5, 3)
for t in (a + b, b + a, a * torch.randn(3), a.relu(), torch.randn(3, 1).t() * torch.randn(4, 1), torch.randn(4, 1, 3).permute(2, 1, 0).exp()):
    print(t.shape, t.stride())

# Gradients lie as the leaf does.
for leaf in (x.clone().requires_grad_(), p.clone().requires_grad_(), c.clone().requires_grad_()):
    y = F.relu(leaf * 2) + leaf
    print(y.grad_fn.name(), y.stride(), y._base is None)
    y.sum().backward()
    print(leaf.grad.stride(), round(float(leaf.grad.sum()), 4))
    z = (leaf * 3)
    z.mul_(2)
    z.sum().backward()
    print(leaf.grad.stride(), round(float(leaf.grad.sum()), 4))

# Results may be written to, also where they were made without gradients.
q = torch.ones(2, 4, 6, 6, requires_grad=True)
with torch.no_grad():
    z = x * 2
z.add_(q * 2)
z.sum().backward()
print(z.stride(), z.requires_grad, float(q.grad.sum()))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.c1, self.b1, self.c2 = nn.Conv2d(4, 8, 3, padding=1), nn.BatchNorm2d(8), nn.Conv2d(8, 8, 3, padding=1)

    def forward(self, x):
        x = F.relu(self.b1(self.c1(x)))
        return F.max_pool2d(x + self.c2(x), 2)


torch.manual_seed(0)
net = Net().to(memory_format=cl)
opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
for step in range(30):
    out = net(x)
    loss = (out ** 2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 10 == 9:
        print(step, round(loss.item(), 4), out.stride(), net.c1.weight.stride(), net.c1.weight.grad.stride(),
              opt.state[net.c1.weight]["momentum_buffer"].stride())


def step(t, u):
    return (t * 2 + u).relu(), t.exp()


for k in range(30):
    a, b = step(x, c)
    if k % 10 == 0:
        print(a.stride(), b.stride(), round(float(a.sum()), 3))
for k in range(30):
    a, b = step(c, x)
    if k % 10 == 0:
        print(a.stride(), b.stride(), round(float(a.sum()), 3))
