# A leaf and other tensors with the same elements: a use of those is none of the leaf.
import torch

torch.manual_seed(3)
w = torch.randn(3, requires_grad=True)
b = torch.randn(3, requires_grad=True)


def halved_by_a_view(flag):
    t, u = b, torch.zeros(3)
    if flag:
        u = t.detach()
        u.mul_(0.5)
    else:
        t = t + w
    ((t.sin() - u) ** 2).mean().backward()


def halved_by_data(flag):
    u = b.data
    u.mul_(0.5)
    (b * u).sum().backward()


def copied(flag):
    x = torch.randn(3)
    with torch.no_grad():
        b.copy_(x)
    (b * x * w).sum().backward()


def part_of_it(flag):
    u = b.detach()[1:]
    u.add_(0.25)
    (b[1:] * u).sum().backward()


def twice_the_same(flag):
    a = torch.zeros(3, requires_grad=True)
    u = torch.zeros(3)
    (((a + u + 1) ** 2) * w).sum().backward()
    b.grad = a.grad.clone()


def made_of_it(flag):
    x = torch.randn(3)
    p = torch.nn.Parameter(x)
    y = x.clone().requires_grad_()
    (p * x * y).sum().backward()
    b.grad = p.grad + y.grad


def by_data_attribute(flag):
    x = torch.randn(3)
    p = torch.nn.Parameter(torch.ones(3))
    p.data = x
    (p * x * b).sum().backward()
    b.grad.add_(p.grad)


def two_leaves(flag):
    with torch.no_grad():
        w.copy_(b)
    (b * w * w).sum().backward()


def update(name):
    grad = b.grad
    with torch.no_grad():
        b.sub_(grad * 0.05)
    print(name, [f"{v:.4f}" for v in b.tolist() + grad.tolist()])
    b.grad = w.grad = None


for i in range(9):
    halved_by_a_view(i % 3 == 0)
    update("halved_by_a_view")
for i in range(9):
    halved_by_data(i % 3 == 0)
    update("halved_by_data")
for i in range(9):
    copied(i % 3 == 0)
    update("copied")
for i in range(9):
    part_of_it(i % 3 == 0)
    update("part_of_it")
for i in range(9):
    twice_the_same(i % 3 == 0)
    update("twice_the_same")
for i in range(9):
    made_of_it(i % 3 == 0)
    update("made_of_it")
for i in range(9):
    by_data_attribute(i % 3 == 0)
    update("by_data_attribute")
for i in range(9):
    two_leaves(i % 3 == 0)
    update("two_leaves")
