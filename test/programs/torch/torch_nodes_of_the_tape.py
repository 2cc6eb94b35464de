# Operations of the tape: names, what comes before them, hooks, hooks of several gradients.

import torch
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * 3
z = y.exp().sum()
print(z.grad_fn.name(), type(z.grad_fn).__name__)

def walk(fn, d=0):
    print('  ' * d + fn.name())
    for n, i in fn.next_functions:
        if n is not None:
            print('  ' * d, i)
            walk(n, d + 1)
walk(z.grad_fn)
acc = y.grad_fn.next_functions[0][0]
print(acc.variable is x, type(acc).__name__)
z.grad_fn.metadata['k'] = 3
print(z.grad_fn.metadata)
h = y.grad_fn.register_hook(lambda gi, go: print('hook', gi, go))
p = y.grad_fn.register_prehook(lambda go: (go[0] * 2,))
z.backward(retain_graph=True)
print(x.grad)
h.remove()
p.remove()
x.grad = None
z.backward(retain_graph=True)
print(x.grad)
print(isinstance(z.grad_fn, torch.autograd.graph.Node))
print(x.grad_fn, x.is_leaf)
e = torch.autograd.graph.get_gradient_edge(y)
print(torch.autograd.grad(z, e, retain_graph=True))
print(torch.autograd.graph.get_gradient_edge(x).node.name())
acc.register_hook(lambda gi, go: print('acc', gi, go))
z.backward()
print((y @ y).grad_fn.name(), torch.relu(y).grad_fn.name(), torch.cat([y, y]).grad_fn.name(), y.view(1, 2).grad_fn.name(), y[0].grad_fn.name(), torch.stack([y, y]).grad_fn.name(), y.mean().grad_fn.name(), (y / 2).grad_fn.name(), (-y).grad_fn.name(), (y - 1).grad_fn.name(), y.unsqueeze(0).grad_fn.name())
print(z.grad_fn._saved_self.shape if hasattr(z.grad_fn, '_saved_self') else 'none', y.exp().grad_fn._saved_result)
print((x * y).grad_fn._saved_self, (x * y).grad_fn._saved_other)

import torch
a = torch.rand(2, 3, requires_grad=True)
b = torch.rand(2, 3, requires_grad=True)
c = a * b
d = a * b
n = []

def fn(grads):
    n.append([g is not None for g in grads])
h = torch.autograd.graph.register_multi_grad_hook((a, b, c, d), fn)
c.sum().backward(retain_graph=True)
print(n)
c.sum().backward(inputs=(a,), retain_graph=True)
print(n)
h.remove()
h = torch.autograd.graph.register_multi_grad_hook((c, d), lambda g: n.append('any'), mode='any')
(c + d).sum().backward()
print(n)

import torch
from torch import nn
torch.manual_seed(0)
m = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
log = []
for n, p in m.named_parameters():
    p.register_hook(lambda g, n=n: log.append((n, round(g.norm().item(), 4))))
for n, mod in m.named_modules():
    if n:
        mod.register_full_backward_hook(lambda mod, gi, go, n=n: log.append((n, [None if g is None else tuple(g.shape) for g in gi], [tuple(g.shape) for g in go])))
x = torch.randn(3, 4, requires_grad=True)
m(x).pow(2).mean().backward()
print(*log, sep='\n')
acc = m[0].weight.expand_as(m[0].weight).grad_fn.next_functions[0][0]
n = []
acc.register_hook(lambda *u: n.append('acc'))
m(x).sum().backward()
print(n)

class Clip(torch.autograd.Function):

    @staticmethod
    def forward(ctx, x, lo, hi):
        ctx.lo, ctx.hi = (lo, hi)
        ctx.mark_non_differentiable()
        return x.view_as(x)

    @staticmethod
    def backward(ctx, g):
        return (g.clamp(ctx.lo, ctx.hi), None, None)
w = torch.ones(3, requires_grad=True)
o = Clip.apply(w * 5, -1, 1)
o.sum().backward()
print(w.grad, o.grad_fn.lo, o.grad_fn.name(), type(o.grad_fn).__name__)
h = w * 2
h.register_hook(lambda g: g * 10)
h.retain_grad()
h.sum().backward()
print(h.grad, w.grad)
