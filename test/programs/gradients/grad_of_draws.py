# What is drawn requires grad as its parameters do, and gives them zeros; erfinv; Variable is a leaf.
import torch

torch.manual_seed(0)
a = torch.tensor([0.1, 0.2], requires_grad=True)
s = torch.tensor([0.5, 0.7], requires_grad=True)
print(torch.normal(a, 1.0).grad_fn.name(), torch.normal(0.0, s).grad_fn.name(), torch.normal(a, s).grad_fn.name(), torch.bernoulli(a).grad_fn.name())


def sampled(a, s):
    a.grad = s.grad = None
    x = torch.normal(a * 2, s) * 3 + a
    (x.sum() + torch.bernoulli(s).sum()).backward()
    return x, a.grad, s.grad


for i in range(6):
    print(*sampled(a, s))
m = torch.tensor([0.3, -0.2, 0.9, 1.0], requires_grad=True)
y = torch.erfinv(m)
(y * torch.arange(4.0))[:3].sum().backward()
print(y, m.grad)


def kept(x):
    v = torch.autograd.Variable(x * 2)
    x.grad = None
    (v * x).sum().backward()
    return v.requires_grad, x.grad, torch.autograd.Variable(v, requires_grad=True).is_leaf


for i in range(6):
    print(*kept(a))
