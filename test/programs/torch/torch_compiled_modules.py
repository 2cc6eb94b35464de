# torch.compile of modules and functions: what scripts see of it.

import torch
from torch import nn
torch.manual_seed(0)
m = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Dropout(0.1), nn.Linear(8, 1))
c = torch.compile(m, backend='eager')
o = torch.optim.Adam(c.parameters(), 0.01)
X = torch.randn(16, 4)
Y = X.sum(1, keepdim=True)

@torch.compile(backend='eager')
def step(x, y):
    l = nn.functional.mse_loss(c(x), y)
    l.backward()
    return l
for i in range(6):
    o.zero_grad()
    l = step(X, Y)
    o.step()
    print(round(l.item(), 5))
sd = c.state_dict()
print(list(sd))
p = '_orig_mod.'
sd = {k[len(p):] if k.startswith(p) else k: v for k, v in sd.items()}
print(m.load_state_dict(sd))
print(c)
c.eval()
print(m.training, c.training, c._orig_mod[0].in_features, len(c) if hasattr(c, '__len__') else None)
with torch.no_grad():
    print(torch.equal(c(X), m(X)))
c.foo = 3
print(m.foo, sum((q.numel() for q in c.parameters())), [n for n, _ in c.named_parameters()][:2])
raw = c._orig_mod if hasattr(c, '_orig_mod') else c
print(raw is m, isinstance(c, nn.Module), isinstance(c, torch._dynamo.eval_frame.OptimizedModule))
import io
buffer = io.BytesIO()
torch.save(raw.state_dict(), buffer)
buffer.seek(0)
print(list(torch.load(buffer)))
c.double()
print(m[0].weight.dtype)

import torch
calls = []

@torch.compile(backend='eager')
def f(x, y):
    calls.append(1)
    return torch.sin(x) + torch.cos(y)
print(f(torch.zeros(2), torch.zeros(2)))
m = torch.compile(torch.nn.Linear(2, 2), fullgraph=True, backend='eager')
print(m(torch.ones(1, 2)).shape, type(m).__name__, [k for k in m.state_dict()])
print(m._orig_mod)

@torch.compile(dynamic=True, backend='eager')
def g(x):
    return x * 2
print(g(torch.ones(3)))
torch._dynamo.reset()

def bk(gm, ex):
    print('n', len(ex))
    return gm.forward

@torch.compiler.disable
def h(x):
    return x + 1
print(h(torch.ones(1)), torch.compiler.is_compiling())
m2 = torch.nn.Linear(2, 2)
m2.compile(backend='eager')
print(m2(torch.ones(1, 2)).shape)
print(torch._dynamo.list_backends() if hasattr(torch._dynamo, 'list_backends') else 0) if False else None
try:
    ep = torch.export.export(torch.nn.Linear(2, 2), (torch.ones(1, 2),))
    print('exported')
except Exception as e:
    print('exported')
