"""Mirrors, stacks, splits, diagonals and products of many dimensions."""

import torch

x = torch.arange(6.0).reshape(2, 3).requires_grad_()
print(torch.fliplr(x).detach(), torch.flipud(x).detach(), torch.rot90(x).detach(), x.rot90(2, [0, 1]).detach(), torch.rot90(x, -1).detach())
print(torch.autograd.grad((torch.rot90(x) * torch.arange(6.0).reshape(3, 2)).sum(), x))
print(torch.dstack([torch.tensor([1, 2]), torch.tensor([3, 4])]), torch.column_stack([torch.tensor([1, 2]), torch.tensor([[3, 4], [5, 6]])]), torch.row_stack([torch.tensor([1, 2]), torch.tensor([3, 4])]))
print(torch.tensor_split(torch.arange(7), 3), torch.arange(8).tensor_split([1, 3]), torch.tensor_split(torch.arange(6).reshape(2, 3), (1,), dim=1))
print(torch.hsplit(torch.arange(8).reshape(2, 4), 2), torch.vsplit(torch.arange(4).reshape(4, 1), [1, 3]), torch.dsplit(torch.arange(4).reshape(1, 2, 2), 2))
v = torch.tensor([1.0, 2.0], requires_grad=True)
print(torch.diag_embed(v).detach(), torch.diag_embed(torch.ones(2, 2), offset=1).shape, torch.diag_embed(torch.tensor([[1, 2], [3, 4]]), -1, 0, 2), torch.diagflat(torch.tensor([[1, 2], [3, 4]]), 1))
print(torch.autograd.grad((torch.diag_embed(v, 1) * torch.arange(9.0).reshape(3, 3)).sum(), v))
print(torch.cartesian_prod(torch.tensor([1, 2]), torch.tensor([4, 5, 6])), torch.combinations(torch.tensor([1, 2, 3])), torch.combinations(torch.tensor([1, 2]), 3, with_replacement=True))
print(torch.block_diag(torch.ones(1, 2), torch.tensor([3.0, 4.0]), torch.tensor(5)), torch.kron(torch.tensor([[1, 2]]), torch.tensor([[1, 0], [0, 1]])), torch.kron(torch.tensor([1.0, 2.0]), torch.tensor([3, 4])))
print(torch.vander(torch.tensor([1, 2, 3])), torch.vander(torch.tensor([2.0, 3.0]), 2, increasing=True), torch.unravel_index(torch.tensor([5, 2]), (2, 3)))
print(torch.slice_scatter(torch.zeros(3, 2), torch.ones(1, 2), 0, 1, 2), torch.select_scatter(torch.zeros(2, 2), torch.tensor([1.0, 2.0]), 1, -1), torch.zeros(5).slice_scatter(torch.ones(2), start=0, end=4, step=2))
print(torch.broadcast_shapes((2, 1), (1, 3), (3,)), torch.argwhere(torch.tensor([[0, 1], [2, 0]])), torch.atleast_3d(torch.ones(2)).shape)
m = torch.zeros(4, 3)
print(m.fill_diagonal_(2.0), torch.zeros(5, 2).fill_diagonal_(1, wrap=True), torch.zeros(2, 2, 2, dtype=torch.int64).fill_diagonal_(3))
print(torch.cross(torch.tensor([1.0, 0.0, 0.0]), torch.tensor([0.0, 1.0, 0.0]), dim=0), torch.linalg.cross(torch.tensor([[1, 2, 3]]), torch.tensor([[4, 5, 6], [1, 1, 1]])))
print(torch.tensordot(x, x, dims=([0, 1], [0, 1])).detach(), torch.tensordot(torch.ones(2, 3), torch.ones(3, 4), dims=1).shape, torch.tensordot(torch.arange(4).reshape(2, 2), torch.arange(4).reshape(2, 2), [[0], [1]]))
print(torch.addmv(torch.ones(2), x, torch.ones(3), beta=2, alpha=0.5).detach(), torch.addr(torch.zeros(2, 2), torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0])), torch.addbmm(torch.ones(2, 2), torch.ones(3, 2, 2), torch.ones(3, 2, 2)))
print(torch.matrix_power(torch.tensor([[1.0, 1.0], [1.0, 0.0]]), 10), torch.linalg.matrix_power(torch.eye(2, dtype=torch.int64), 0), torch.matrix_power(torch.tensor([[2.0, 0.0], [0.0, 4.0]]), -2))
print(torch.chain_matmul(torch.ones(2, 3), torch.ones(3, 2), torch.ones(2, 1)), torch.linalg.multi_dot([torch.ones(1, 2), torch.ones(2, 2)]), torch.linalg.vecdot(torch.ones(2, 3), torch.ones(3)))
print(torch.einsum("ij,j->i", torch.ones(3, 1), torch.ones(2)), torch.einsum("bij,bjk->bik", torch.ones(1, 2, 3), torch.ones(4, 3, 2)).shape)
t = torch.arange(6).reshape(2, 3)
print(t.t_().shape, t.unsqueeze_(0).shape, t.transpose_(0, 1), t.squeeze_(1), t.swapaxes_(0, 1))
y = v * 2
y.unsqueeze_(0)
print(y, torch.autograd.grad((y * torch.tensor([[3.0, 5.0]])).sum(), v))
for f in [
    lambda: torch.fliplr(torch.ones(2)),
    lambda: torch.hsplit(torch.ones(3), 2),
    lambda: torch.tensordot(torch.ones(2, 3), torch.ones(2, 3), dims=1),
    lambda: torch.linalg.cross(torch.ones(2), torch.ones(2)),
    lambda: torch.broadcast_shapes((2, 3), (4,)),
    lambda: torch.einsum("ij,j->i", torch.ones(3, 3), torch.ones(2)),
    lambda: torch.matrix_power(torch.ones(2, 3), 2),
    lambda: torch.slice_scatter(torch.ones(3, 3), torch.ones(2, 3), 0, 0, 1),
]:
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
