import torch

x = torch.tensor([1.0, 2.0, 3.0])
y = x
print(x.add_(1) is x, y, x.mul_(2), x.sub_(1), x.div_(3), x.pow_(2), x.neg_(), x.abs_())
print(x.fill_(4), x.zero_(), x.copy_(torch.tensor([1, 2, 3])), x.clamp_(1.5, 2.5))
x += 1
x -= 0.5
x *= 2
x /= 4
x **= 2
print(x, y, x is y)
x.sqrt_().exp_().log_().round_()
print(x)
a = torch.zeros(2, 3)
a[0].fill_(7)
a.t()[1] += 1
a.view(-1)[5] = 9
print(a)
b = a[:, 1:]
b.zero_()
print(a, b)
c = a.clone()
c += 1
print(a.sum(), c.sum(), a.detach().add_(1).sum(), a.sum())
d = torch.tensor([1, 2, 3])
d += 2
d //= 2
print(d)
e = torch.ones(3)
e.addcmul_(e, e, value=2).addcdiv_(e, e + 1).lerp_(torch.zeros(3), 0.5)
print(e)
f = torch.ones(3)
torch.add(f, 1, out=f)
torch.mul(f, torch.tensor([1.0, 2.0, 3.0]), out=f)
print(f)
g = torch.tensor([True, False])
g |= torch.tensor([False, False])
g &= torch.tensor([True, True])
print(g)
p = torch.ones(2, requires_grad=True)
with torch.no_grad():
    p -= 0.1 * torch.ones(2)
    p.sub_(0.1)
print(p)
q = p * 1
q.mul_(3)
q[0] = 5
q.sum().backward()
print(q, p.grad)
p.data = torch.tensor([8.0, 9.0])
p.data[0] = 1
print(p)
for f in [
    lambda: torch.ones(2).add_(torch.ones(3, 2)),
    lambda: torch.tensor([1]).add_(0.5),
    lambda: torch.ones(1).expand(3).add_(1),
    lambda: torch.ones(3).copy_(torch.ones(2)),
]:
    try:
        f()
    except RuntimeError as e:
        print(str(e)[:90])
