# Gradients of what torch.func gives, by what its functions only close over.

import torch
from torch.func import vmap, jacrev, jacfwd, hessian, grad, vjp, jvp, functional_call
torch.manual_seed(0)
net = torch.nn.Sequential(torch.nn.Linear(2, 8), torch.nn.Tanh(), torch.nn.Linear(8, 1))
x = torch.randn(5, 2)

def report(name, l):
    net.zero_grad()
    l.backward()
    print(name, round(l.item(), 4), [round(p.grad.norm().item(), 4) if p.grad is not None else None for p in net.parameters()])
report('jacrev', vmap(jacrev(net))(x).pow(2).sum())
report('jacfwd', vmap(jacfwd(net))(x).pow(2).sum())
report('hessian', vmap(hessian(lambda v: net(v).squeeze()))(x).pow(2).sum())
report('grad', vmap(grad(lambda v: net(v).squeeze()))(x).norm(dim=1).sub(1).pow(2).mean())
v, f = vjp(net, x)
report('vjp', f(torch.ones_like(v))[0].pow(2).sum())
v, f = vjp(net, x)
report('vjp value', v.sum())
o, t = jvp(net, (x,), (torch.ones_like(x),))
report('jvp', t.pow(2).sum())
o, t = jvp(net, (x,), (torch.ones_like(x),))
report('jvp value', o.pow(2).sum())
w = torch.ones(3, requires_grad=True)
g = grad(lambda a, w: (a ** 2 * w).sum())(torch.arange(3.0), w)
print(g.detach(), g.requires_grad)
g.sum().backward()
print(w.grad)
with torch.no_grad():
    print(grad(lambda a: (a ** 2 * w).sum())(torch.arange(3.0)))
print(grad(lambda a: (a ** 2).sum())(torch.arange(3.0, requires_grad=True)).requires_grad, grad(lambda a: (a ** 2).sum())(torch.arange(3.0)).requires_grad)
print(jacrev(lambda a: a * w.detach())(torch.arange(3.0)).requires_grad, hessian(lambda a: (a ** 3).sum())(torch.arange(3.0)))

import torch
from torch.func import vmap, jacrev, hessian, functional_call
torch.manual_seed(0)
net = torch.nn.Sequential(torch.nn.Linear(2, 16), torch.nn.Tanh(), torch.nn.Linear(16, 1))
params = dict(net.named_parameters())
u = lambda p, x: functional_call(net, p, (x,)).squeeze()
lap = lambda p, x: torch.trace(hessian(u, argnums=1)(p, x))
opt = torch.optim.Adam(net.parameters(), 0.01)
for i in range(3):
    x = torch.rand(8, 2)
    r = vmap(lap, (None, 0))(params, x) + torch.sin(x).sum(1)
    l = (r ** 2).mean()
    opt.zero_grad()
    l.backward()
    opt.step()
    print(round(l.item(), 4))
