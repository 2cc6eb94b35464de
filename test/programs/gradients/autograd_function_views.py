# User's functions of autograd that hand inputs and views through: gradient reversal, straight-through, reshapes.
import torch
import torch.nn as nn
torch.manual_seed(5)
class GRL(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, s):
        ctx.s = s
        return x.view_as(x)
    @staticmethod
    def backward(ctx, g):
        return -g * ctx.s, None
class Pass(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x
    @staticmethod
    def backward(ctx, g):
        return g.clamp(-0.1, 0.1)
class Flat(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.shape = x.shape
        return x.reshape(-1)
    @staticmethod
    def backward(ctx, g):
        return g.reshape(ctx.shape) * 2
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(6, 8); self.b = nn.Linear(8, 2); self.d = nn.Linear(8, 2)
    def forward(self, x, s):
        h = torch.tanh(self.a(x))
        h = Pass.apply(h)
        return self.b(h), self.d(GRL.apply(h, s)), Flat.apply(h)
net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(40):
    x = torch.randn(5, 6)
    a, d, f = net(x, 0.5 if i % 2 else 1.0)
    loss = (a ** 2).mean() + (d - 1).abs().mean() + (f * f.detach()).mean()
    opt.zero_grad(); loss.backward(); opt.step()
    if i % 10 == 9:
        print(i, f"{loss.item():.4f} {net.a.weight.grad.sum().item():.4f} {net.d.weight.grad.sum().item():.4f}")
w = torch.randn(3, requires_grad=True)
def f(w, k):
    y = GRL.apply(w, k)
    z = Pass.apply(w * 2)
    return y, z
for i in range(20):
    y, z = f(w, 1.0 + i % 3)
    (y.sum() + (z ** 2).sum()).backward()
    with torch.no_grad():
        w -= 0.05 * w.grad
    w.grad = None
    if i % 6 == 5: print([round(v, 4) for v in w.tolist()])
x = torch.randn(4, 3)
for i in range(12):
    v = (x * w).clone()
    h = Pass.apply(v)
    out = GRL.apply(Pass.apply(h), 2.0)
    r = h is v, out is h
    loss = (out * h).sum()
    loss.backward()
    with torch.no_grad():
        w -= 0.02 * w.grad
    w.grad = None
print(r, [round(v, 4) for v in w.tolist()])
