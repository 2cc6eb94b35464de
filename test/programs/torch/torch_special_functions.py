"""Inverse circular functions, gamma functions, logarithms of sums."""

import torch

torch.set_printoptions(precision=3)
x = torch.tensor([-0.9, -0.5, -0.2, 0.0, 0.1, 0.45, 0.7, 0.95], requires_grad=True)
for f in [torch.atan, torch.asin, torch.acos, torch.asinh, torch.atanh, torch.sinc]:
    y = f(x)
    (g,) = torch.autograd.grad(y.sum(), x)
    print(f.__name__, y.detach(), g)
big = torch.tensor([-50.0, -3.0, -1.5, -1.0, 1.0, 2.0, 4.5, 1e6, float("inf")])
print(big.atan(), big.asinh()[:8], torch.acosh(torch.tensor([1.0, 1.5, 10.0])))
p = torch.tensor([0.3, 1.0, 1.7, 2.0, 5.5, 20.0, -0.4, -2.6], requires_grad=True)
for f in [torch.lgamma, torch.digamma]:
    y = f(p)
    (g,) = torch.autograd.grad(y.sum(), p)
    print(y.detach(), g)
print(torch.lgamma(torch.tensor([0.0, -1.0, float("inf")])), torch.digamma(torch.tensor([0.0, -1.0])))
a = torch.tensor([1.0, -1.0, 0.0, 2.0, 7.0, 3.0], requires_grad=True)
b = torch.tensor([2.0, -1.0, 5.0, 2.0, float("-inf"), -40.0], requires_grad=True)
y = torch.logaddexp(a, b)
ga, gb = torch.autograd.grad(y[:4].sum(), [a, b])
print(y.detach(), ga, gb, torch.logaddexp2(a, b).detach()[2:], torch.logaddexp(b[4], b[4]).item())
q = torch.tensor([0.1, 0.5, 0.9], requires_grad=True)
print(torch.logit(q), torch.logit(torch.tensor([0.0, 0.5, 1.0]), eps=1e-3), torch.autograd.grad(torch.logit(q).sum(), q))
u = torch.tensor([0.0, 0.0, 2.0, 3.0], requires_grad=True)
v = torch.tensor([1.0, 4.0, 0.5, float("nan")], requires_grad=True)
print(torch.xlogy(u, v).detach(), torch.xlogy(u, 2.0).detach(), torch.xlogy(0, torch.tensor(0.0)), torch.autograd.grad(torch.xlogy(u[:3], v[:3]).sum(), [u, v]))
points = torch.tensor([[1.0, 1.0], [1.0, -1.0], [-1.0, -1.0], [-1.0, 1.0], [0.0, -1.0], [-0.0, -1.0], [0.0, 0.0], [3.0, 0.0]])
print(torch.atan2(points[:, 0], points[:, 1]), torch.atan2(torch.tensor([1, 2]), torch.tensor([3, -4])))
s = torch.tensor([3.0, -4.0], requires_grad=True)
t = torch.tensor([4.0, 3.0], requires_grad=True)
print(torch.hypot(s, t), torch.autograd.grad(torch.hypot(s, t).sum(), [s, t]))
print(torch.copysign(torch.tensor([1, -2, 3]), torch.tensor([-0.0, 1.0, -5.0])), torch.signbit(torch.tensor([-0.0, 0.0, -1.0, 2.0])))
print(torch.deg2rad(torch.tensor([180, 90])), torch.rad2deg(torch.tensor([3.14159265])), torch.ldexp(torch.tensor([1.5]), torch.tensor([3])))
print(torch.atan(torch.tensor([1, 2])).dtype, torch.asin(torch.tensor(0.5, dtype=torch.float64)), q.atan().grad_fn.name(), torch.lgamma(q).grad_fn.name())
z = torch.tensor([0.5, -0.5])
print(z.atan_() is z, z, torch.special.gammaln(torch.tensor(4.0)), torch.special.entr(torch.tensor([0.0, 0.5, -1.0])))
try:
    torch.atan("x")
except TypeError as e:
    print("TypeError", str(e)[:46])
