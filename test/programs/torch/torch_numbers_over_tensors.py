# A number divided by a tensor is a product with reciprocals, which rounds twice.
import torch

x = torch.arange(1, 200).float()
for t in (x, x.double(), x.half(), x.bfloat16(), x.int()):
    q = 3 / t
    print(q.dtype, torch.equal(q, t.reciprocal() * 3), int((q != torch.full((1,), 3.0).to(q.dtype) / t).sum()))
print(1 / torch.tensor([True]), 2.5 / torch.tensor(4), 1j / torch.tensor([2.0]), 2 / torch.tensor([1 + 1j]), 1 / torch.tensor([0.0, -0.0]))
x = torch.tensor([0.5, 3.0, 7.0], requires_grad=True)
y = 3 / x
print(y, y.grad_fn.next_functions[0][0].name(), (1 / x.sum()).grad_fn.name())
y.sum().backward()
print(x.grad)
(g,) = torch.autograd.grad((5 / x).sum(), x, create_graph=True)
g.sum().backward()
print(x.grad)


def step(x, n):
    for i in range(1, n):
        x = i / (x + 1) + 3 / (x + i)
    return x


for i in range(30):
    x = torch.linspace(0.1, 9, 7, requires_grad=True)
    y = step(x, 4)
    y.sum().backward()
print([round(n, 4) for n in y.tolist()], round(x.grad.sum().item(), 3))
