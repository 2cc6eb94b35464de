import torch
from torch import nn
import types, math

class A:
    k = 2
    def f(self, x):
        return x * self.k
    @property
    def p(self):
        return self.k + 1
class B(A):
    def f(self, x):
        return x - self.k

def helper(x):
    return x + 1

def step(x, o, v, fl):
    y = o.f(x) + helper(x) * o.p
    if fl:
        y = y * v if v is not None else y
    return y + len(str(v)) + math.floor(2.5)

log = []
o = A()
x0 = torch.ones(2)
vals = [1, 1, True, 1.0, 2, None, 2.5, torch.tensor(3.0), -0.0, 0, False, 10**30, "s" * 0 or 4, torch.tensor([1.0, 2.0]), torch.tensor(2), 3, 3, 3]
for i in range(60):
    v = vals[i % len(vals)]
    if i == 20:
        A.k = 5
    if i == 24:
        o.k = 7
    if i == 28:
        o.__class__ = B
    if i == 32:
        helper = lambda x: x - 1
    if i == 36:
        A.f = lambda self, x: x * 100
        o = A()
    if i == 40:
        o.f = types.MethodType(lambda self, x: x + self.k, o)
    if i == 44:
        del o.f
        A.p = property(lambda self: 50)
    if i == 48:
        x0 = torch.ones(3)
        v = None
    if i == 50:
        x0 = torch.ones(2, dtype=torch.float64)
    if i == 52:
        x0 = torch.ones(2, requires_grad=True)
    if i == 54:
        math.floor = lambda z: 1000
    if i == 56:
        len = lambda s: -1
    if i == 58:
        del len
        x0 = torch.ones(2, 2).t()[:, :1].t()
    try:
        r = step(x0, o, v, i % 4 != 0)
        log.append((i, r.dtype, r.requires_grad, [round(float(t), 3) for t in r.detach().flatten()]))
    except Exception as e:
        log.append((i, type(e).__name__, str(e)[:60]))
for l in log:
    print(l)

net = nn.Sequential(nn.Linear(2, 2), nn.ReLU(), nn.BatchNorm1d(2))
torch.manual_seed(1)
for p in net.parameters():
    nn.init.constant_(p, 0.5)
outs = []
def fwd(m, x):
    return m(x).sum()
for i in range(50):
    if i == 15:
        net[1] = nn.Tanh()
    if i == 20:
        net[0].weight.data.mul_(2)
    if i == 25:
        net.eval()
    if i == 30:
        net[0] = nn.Linear(2, 2, bias=False)
        nn.init.constant_(net[0].weight, 0.1)
    if i == 35:
        net.append(nn.Linear(2, 1))
        nn.init.constant_(net[3].weight, 1.0); nn.init.constant_(net[3].bias, 0.0)
    if i == 40:
        net[0].forward = lambda x: x * 3
    if i == 45:
        net[0].register_forward_hook(lambda m, a, o: o + 100)
    outs.append(round(fwd(net, torch.arange(4.0).view(2, 2) + i * 0.1).item(), 4))
print(outs)

torch.set_default_dtype(torch.float64)
def mk(n):
    return torch.zeros(n) + 1.5, torch.tensor(1.0), torch.arange(2) / 2
for i in range(20):
    if i == 12:
        torch.set_default_dtype(torch.float32)
    r = mk(2)
    if i in (11, 12, 19):
        print([t.dtype for t in r])

lst = [torch.zeros(1)]
alias = lst
def push(a, b, x):
    a.append(x)
    b[0] = b[0] + 1
    return a.__len__() + b.__len__(), a is b
for i in range(20):
    if i == 10:
        alias = list(lst)
    r = push(lst, alias, torch.ones(1) * i)
print(r, lst[0], alias[0], sum(lst).item())
