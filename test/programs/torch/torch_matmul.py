import torch

a = torch.arange(6.0).view(2, 3)
b = torch.arange(12.0).view(3, 4)
v = torch.tensor([1.0, 2.0, 3.0])
print(a @ b, torch.mm(a, b), a.matmul(v), torch.mv(a, v), v @ v, torch.dot(v, v), v @ b)
c = torch.arange(24.0).view(2, 3, 4)
d = torch.arange(16.0).view(2, 4, 2)
print(torch.bmm(c, d), c @ torch.ones(4, 2), (c @ torch.ones(4)).shape, (a @ c.transpose(0, 1)[:, :2].reshape(3, 8)).shape)
print((torch.ones(5, 1, 2, 3) @ torch.ones(4, 3, 2)).shape)
print(torch.outer(v, v), torch.addmm(torch.ones(2, 4), a, b, beta=0.5, alpha=2), torch.ger(v, v[:2]))
print(torch.einsum("ij,jk->ik", a, b), torch.einsum("ij->ji", a), torch.einsum("ij,ij->", a, a))
print(torch.einsum("bij,bjk->bik", c, d), torch.einsum("i,j->ij", v, v), torch.einsum("ii", torch.ones(3, 3)))
print(torch.einsum("...ij->...ji", c).shape, torch.einsum("bhid,bhjd->bhij", torch.ones(2, 3, 4, 5), torch.ones(2, 3, 6, 5)).shape)
print(torch.nn.functional.linear(a, torch.ones(2, 3), torch.tensor([1.0, 2.0])))
print(torch.tensor([[1, 2], [3, 4]]) @ torch.tensor([[1], [2]]))
print(torch.cdist(a, a + 1))
x = a.clone().requires_grad_()
w = b.clone().requires_grad_()
(x @ w).pow(2).sum().backward()
print(x.grad, w.grad)
for f in [
    lambda: a @ a,
    lambda: torch.bmm(c, c),
    lambda: v @ a,
    lambda: a @ torch.ones(3, 2, dtype=torch.float64),
    lambda: torch.dot(v, v[:2]),
    lambda: torch.tensor(1.0) @ a,
    lambda: torch.mm(v, a),
]:
    try:
        f()
    except RuntimeError as e:
        print(e)
