# Checkpoints compute again in the backward pass, with the same random numbers.

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint, checkpoint_sequential
torch.manual_seed(0)
calls = []

class Blk(nn.Module):

    def __init__(s):
        super().__init__()
        s.l = nn.Linear(4, 4)
        s.d = nn.Dropout(0.5)

    def forward(s, x):
        calls.append(torch.is_grad_enabled())
        return s.d(torch.relu(s.l(x)))
b = Blk()
x = torch.randn(3, 4, requires_grad=True)
for re in (True, False):
    calls.clear()
    torch.manual_seed(1)
    y = checkpoint(b, x, use_reentrant=re)
    print(calls, y.grad_fn is not None)
    r = torch.rand(1)
    y.sum().backward()
    print(calls, r, x.grad.sum(), b.l.weight.grad.sum())
    print(torch.rand(1))
    x.grad = None
    b.zero_grad()
torch.manual_seed(1)
y = b(x)
y.sum().backward()
print(x.grad.sum(), b.l.weight.grad.sum())
bn = nn.BatchNorm1d(4)
y = checkpoint(bn, x, use_reentrant=False)
print(bn.num_batches_tracked)
y.sum().backward()
print(bn.num_batches_tracked, bn.running_mean)
seq = nn.Sequential(*[nn.Sequential(nn.Linear(4, 4), nn.Tanh()) for _ in range(4)])
y = checkpoint_sequential(seq, 2, x, use_reentrant=False)
y.sum().backward()
print(y.sum())
y = checkpoint_sequential(seq, 2, x, use_reentrant=True)
y.sum().backward()
print(x.grad.sum())
import warnings
warnings.simplefilter('error')
try:
    checkpoint(seq, torch.ones(1, 4), use_reentrant=True)
except UserWarning as w:
    print(w)
warnings.simplefilter('default')

def f(x, k=1):
    return {'a': x * k, 'b': [x.sin()]}
o = checkpoint(f, x, k=3, use_reentrant=False)
(o['a'].sum() + o['b'][0].sum()).backward()
try:
    checkpoint(f, x, k=3, use_reentrant=True)
except ValueError as e:
    print(e)
y = checkpoint(seq, x, use_reentrant=True)
try:
    torch.autograd.grad(y.sum(), x)
except RuntimeError as e:
    print(str(e)[:120])
y = checkpoint(seq, x, use_reentrant=False)
print(torch.autograd.grad(y.sum(), x)[0].sum())
n = [0]

def bad(x):
    n[0] += 1
    return x.sin() if n[0] == 1 else x.sin().cos() * x
y = checkpoint(bad, x, use_reentrant=False)
try:
    y.sum().backward()
    print('ok')
except Exception as e:
    print(type(e).__name__, str(e)[:100])

def early(x):
    calls.append('a')
    y = x.sin().exp()
    calls.append('b')
    return y
calls.clear()
y = checkpoint(early, x, use_reentrant=False)
y.sum().backward()
print(calls)
y = checkpoint(lambda x: x ** 3, x, use_reentrant=False)
g, = torch.autograd.grad(y.sum(), x, create_graph=True)
print(torch.autograd.grad(g.sum(), x)[0].sum())
