# Compressed layouts: CSR, CSC, BSR; a graph network over COO and CSR.

import torch
crow = torch.tensor([0, 2, 4])
col = torch.tensor([0, 1, 0, 1])
v = torch.tensor([1.0, 2.0, 3.0, 4.0])
c = torch.sparse_csr_tensor(crow, col, v, dtype=torch.float64)
print(c)
print(c.crow_indices(), c.col_indices(), c.values(), c.shape, c.layout, c._nnz(), c.is_sparse, c.is_sparse_csr)
print(c.to_dense())
print(c @ torch.ones(2, 1, dtype=torch.float64))
print(c.matmul(torch.tensor([1.0, 2.0], dtype=torch.float64)))
a = torch.tensor([[0, 0, 1.0, 0], [1, 2, 0, 0], [0, 0, 0, 0]])
s = a.to_sparse_csr()
print(s)
print(s.to_sparse_coo())
print(a.to_sparse().to_sparse_csr().crow_indices())
print(a.to_sparse_csc())
print(a.to_sparse(layout=torch.sparse_csr).values())
print((s * 2).values(), (s + s).to_dense(), s.sum())
print(s.t().layout, s.clone().values(), s.to(torch.float64).dtype)
print(torch.sparse.mm(s, torch.ones(4, 2)))
print(torch.mv(s, torch.ones(4)))
print(torch.addmm(torch.ones(3, 2), s, torch.ones(4, 2)))
w = torch.randn(4, 2, requires_grad=True)
(s @ w).sum().backward()
print(w.grad)
print(s[1].to_dense() if True else 0)
print(s.numel(), s.dim())
try:
    torch.sparse_csr_tensor(torch.tensor([0, 2, 5]), col, v)
except RuntimeError as e:
    print(e)
print(torch.sparse_coo_tensor(torch.tensor([[0, 1], [1, 0]]), torch.tensor([1.0, 2.0])).to_sparse_csr())
print(a.to_sparse_bsr((1, 2)))

import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(0)
n = 12
A = (torch.rand(n, n) < 0.3).float()
A = (A + A.t() > 0).float() + torch.eye(n)
A = A.clamp(max=1)
d = A.sum(1).pow(-0.5)
A = (d[:, None] * A * d[None]).to_sparse()

class GC(nn.Module):

    def __init__(s, i, o):
        super().__init__()
        s.w = nn.Parameter(torch.randn(i, o) * 0.3)
        s.b = nn.Parameter(torch.zeros(o))

    def forward(s, x, a):
        return torch.spmm(a, x @ s.w) + s.b

class GCN(nn.Module):

    def __init__(s):
        super().__init__()
        s.a = GC(5, 8)
        s.b = GC(8, 3)

    def forward(s, x, adj):
        return F.log_softmax(s.b(F.dropout(F.relu(s.a(x, adj)), 0.2, s.training), adj), 1)
x = torch.randn(n, 5)
y = torch.randint(0, 3, (n,))
m = GCN()
o = torch.optim.Adam(m.parameters(), lr=0.05, weight_decay=0.0005)
for ad in (A, A.to_sparse_csr()):
    for i in range(5):
        o.zero_grad()
        l = F.nll_loss(m(x, ad), y)
        l.backward()
        o.step()
        print(round(l.item(), 4))
