import torch

x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
y = (x * x).sum()
print(x.requires_grad, y.requires_grad, x.is_leaf, y.is_leaf, x.grad, y.grad_fn is not None)
y.backward()
print(x.grad)
(x * 3).sum().backward()
print(x.grad)
x.grad.zero_()
print(x.grad)
x.grad = None
z = x * 2
z.retain_grad()
(z**2).mean().backward()
print(z.grad, x.grad)
with torch.no_grad():
    w = x * 2
    print(w.requires_grad, torch.is_grad_enabled())
print(torch.is_grad_enabled(), x.detach().requires_grad, x.data.requires_grad)


@torch.no_grad()
def f(t):
    return t * 2


print(f(x).requires_grad)
with torch.no_grad(), torch.enable_grad():
    print((x * 2).requires_grad)
with torch.set_grad_enabled(False):
    print((x * 2).requires_grad)
with torch.inference_mode():
    print((x * 2).requires_grad)
a = torch.tensor(2.0, requires_grad=True)
b = a**3
(g,) = torch.autograd.grad(b, a, create_graph=True)
(g2,) = torch.autograd.grad(g, a)
print(g.item(), g2.item())
x.grad = None
x.register_hook(lambda grad: grad * 10)
x.sum().backward()
print(x.grad)
m = torch.ones(2, 2, requires_grad=True)
out = (m @ m).relu().view(-1)[1:].max() + m.t().exp().mean() - m[0, 1].sqrt()
out.backward()
print(out.item(), m.grad)
v = torch.arange(4.0, requires_grad=True)
v.pow(2).backward(torch.tensor([1.0, 0.5, 0.25, 2.0]))
print(v.grad)
t = torch.zeros(3)
t[1] = a
t.sum().backward()
print(a.grad, t)
for f in [
    lambda: (x * 2).backward(),
    lambda: torch.ones(1).sum().backward(),
    lambda: y.backward(),
    lambda: x.add_(1),
    lambda: torch.tensor([1, 2], requires_grad=True),
    lambda: torch.tensor([1.0, 2.0], requires_grad=True).numpy() if False else x.sum().requires_grad_(False),
]:
    try:
        f()
    except RuntimeError as e:
        print(str(e)[:80])
print(y, x * 2, (x + 1).sum(), x.view(3, 1).t())
