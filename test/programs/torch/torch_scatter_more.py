"""Writes at indices: index_put, scatter_reduce, masked_scatter, put."""

import torch

x = torch.zeros(2, 3)
i, j = torch.tensor([0, 1, 1]), torch.tensor([2, 0, 0])
print(x.index_put((i, j), torch.tensor([1.0, 2.0, 3.0])), x.index_put((i, j), torch.tensor([1.0, 2.0, 3.0]), accumulate=True))
print(torch.index_put(x, (torch.tensor([1]),), torch.tensor(5.0)), x.index_put((torch.tensor([True, False]),), torch.tensor(4.0)))
print(x.index_put_((i,), torch.ones(3), accumulate=True) is x, x)
base = torch.ones(4, requires_grad=True)
src = torch.tensor([2.0, 5.0, 3.0, 3.0], requires_grad=True)
index = torch.tensor([0, 0, 1, 1])
for how in ["sum", "prod", "mean", "amax", "amin"]:
    for own in [True, False]:
        y = base.scatter_reduce(0, index, src, reduce=how, include_self=own)
        print(how, own, y.detach(), torch.autograd.grad((y * torch.arange(1.0, 5.0)).sum(), [base, src]))
m = torch.zeros(2, 3, dtype=torch.int64)
print(m.scatter_reduce(1, torch.tensor([[0, 0, 2]]), torch.tensor([[4, 6, 9]]), "mean", include_self=False), m.scatter_reduce(0, torch.tensor([[1, 1, 0]]), torch.tensor([[-4, 6, 9]]), "amax"), m.scatter_reduce_(1, torch.tensor([[2, 2], [0, 1]]), torch.tensor([[3, 5], [7, 9]]), "sum"))
mask = torch.tensor([[True, False, True], [False, True, False]])
s = torch.tensor([10.0, 20.0, 30.0, 40.0], requires_grad=True)
z = torch.zeros(2, 3, requires_grad=True)
y = z.masked_scatter(mask, s)
print(y.detach(), torch.autograd.grad((y * torch.arange(6.0).reshape(2, 3)).sum(), [z, s]))
w = torch.zeros(3)
print(w.masked_scatter_(torch.tensor([False, True, True]), torch.tensor([1.0, 2.0])), w)
p = torch.zeros(2, 2)
print(p.put_(torch.tensor([0, -1]), torch.tensor([5.0, 6.0])), torch.put(p, torch.tensor([[1, 1]]), torch.tensor([[1.0, 2.0]]), accumulate=True))
print(torch.tensor([[10, 30, 20]]).take_along_dim(torch.tensor([[0, 2, 1]]), 1), torch.arange(3).put_(torch.tensor(1), torch.tensor(9)))
a = torch.tensor([1.0, 2.0])
print(a.apply_(lambda v: v * 3), a.map_(torch.tensor([1.0, 10.0]), lambda p, q: p + q))
for f in [
    lambda: base.scatter_reduce(0, index, src, reduce="foo"),
    lambda: torch.zeros(3).index_put((torch.tensor([0]),), torch.tensor([1])),
    lambda: torch.zeros(3).masked_scatter(torch.tensor([True] * 3), torch.ones(2)),
    lambda: x.index_put((None, i), torch.ones(3)),
    lambda: torch.zeros(3).put_(torch.tensor([4]), torch.ones(1)),
    lambda: torch.zeros(3).index_put((torch.tensor([5]),), torch.ones(1)),
]:
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
