"""Sparse tensors as graph networks use them: made, added up, multiplied, trained through."""
import torch
import torch.nn as nn
import torch.nn.functional as F

i = torch.tensor([[0, 1, 1, 2, 0], [2, 0, 2, 1, 2]])
v = torch.tensor([3.0, 4.0, 5.0, 6.0, 7.0])
a = torch.sparse_coo_tensor(i, v, (3, 4))
print(a.shape, a.size(0), a.dim(), a.dtype, a.layout, a.is_sparse, a._nnz(), a.is_coalesced(), a.sparse_dim(), a.dense_dim(), a.numel(), a.device)
c = a.coalesce()
print(c.indices(), c.values(), c._nnz(), c.is_coalesced(), a.to_dense())
print(c)
print(torch.sparse_coo_tensor([[0, 2]], [1, 2]), torch.sparse_coo_tensor(i, v, dtype=torch.float64).coalesce())
x = torch.arange(12.0).reshape(4, 3)
for value in (
    torch.mm(a, x), torch.spmm(a, x), torch.sparse.mm(a, x), a @ x, a.mm(x), a.matmul(x), torch.matmul(a, x[:, 0]), a @ x[:, 0], a.t().to_dense(),
    torch.sparse.addmm(torch.ones(3, 3), a, x, beta=2.0, alpha=0.5), (a * 2).to_dense(), (2 * a / 4).to_dense(), (a + a).to_dense(), (-a).to_dense(),
    torch.ones(3, 4) + a, (a - a.clone()).to_dense(), a.transpose(0, 1).to_dense(), (c * c).to_dense(), a.float().to_dense(), a.double().to_dense(),
    torch.sparse.sum(a), torch.sparse.sum(a, 0).to_dense(), torch.sparse.sum(a, dim=1).to_dense(), a.sum(), torch.sparse.softmax(c, 1).to_dense(),
    torch.sparse.log_softmax(c, dim=1).to_dense(), (a * torch.ones(3, 4)).to_dense(), torch.ones(3, 4).to_sparse().to_dense(), a.index_select(0, torch.tensor([2, 0])).to_dense(),
    c[1].to_dense(), c.select(1, 2).to_dense(), torch.ones(3, 4).sparse_mask(c).to_dense(), torch.sparse.FloatTensor(i, v, torch.Size([3, 4])).to_dense(),
    torch.mm(a, a.t().to_dense()), torch.sparse.mm(a, a.t()).to_dense(), torch.eye(3).to_sparse().to_dense(), a.pow(2).to_dense(), a.abs().to_dense(),
):
    print(value)
d = torch.tensor([[0.0, 2.0], [3.0, 0.0]])
s = d.to_sparse()
print(s.indices(), s.values(), s.is_coalesced(), isinstance(s, torch.Tensor), torch.is_tensor(s), d.to_sparse_coo()._nnz())
w = v.clone().requires_grad_()
y = torch.sparse.mm(torch.sparse_coo_tensor(i, w, (3, 4)), x.requires_grad_())
(y * torch.arange(9.0).reshape(3, 3)).sum().backward()
print(w.grad, x.grad)
for call in (
    lambda: a.indices(), lambda: a.values(), lambda: torch.mm(a, torch.ones(3, 3)), lambda: torch.sparse_coo_tensor([[0, 5]], [1.0, 2.0], (3,)),
    lambda: torch.sparse_coo_tensor([[0, -1]], [1.0, 2.0], (3,)), lambda: torch.sparse_coo_tensor([[0, 1]], [1.0, 2.0], (3, 3)),
):
    try:
        print(call())
    except RuntimeError as e:
        print(type(e).__name__, str(e).split("\n")[0])


class GraphConvolution(nn.Module):
    def __init__(self, fan_in, fan_out):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(fan_in, fan_out))
        self.bias = nn.Parameter(torch.zeros(fan_out))
        nn.init.xavier_uniform_(self.weight)

    def forward(self, x, adj):
        return torch.spmm(adj, torch.mm(x, self.weight)) + self.bias


torch.manual_seed(0)
n = 12
dense = (torch.rand(n, n) < 0.3).float() + torch.eye(n)
adj = (dense / dense.sum(1, keepdim=True)).to_sparse()
features, labels = torch.randn(n, 5), torch.randint(0, 3, (n,))
first, second = GraphConvolution(5, 8), GraphConvolution(8, 3)
optimizer = torch.optim.Adam(list(first.parameters()) + list(second.parameters()), lr=0.05)
for epoch in range(40):
    optimizer.zero_grad()
    loss = F.cross_entropy(second(F.relu(first(features, adj)), adj), labels)
    loss.backward()
    optimizer.step()
    if epoch % 10 == 9:
        print(epoch, "%.4f" % loss.item())
