# Embeddings whose gradients have only the rows that were asked for.

import torch
from torch import nn
torch.manual_seed(0)
e = nn.Embedding(10, 3, sparse=True)
opt = torch.optim.SparseAdam(e.parameters(), lr=0.1)
idx = torch.tensor([1, 2, 2, 5])
for i in range(3):
    opt.zero_grad()
    l = (e(idx) ** 2).sum()
    l.backward()
    if i == 0:
        print(e.weight.grad)
        print(e.weight.grad.is_sparse, e.weight.grad.coalesce().indices())
    opt.step()
    print(round(l.item(), 5))
print(e.weight[:3])
e = nn.Embedding(10, 3, sparse=True, padding_idx=0)
for O in (lambda p: torch.optim.SGD(p, lr=0.1), lambda p: torch.optim.SGD(p, lr=0.03, momentum=0.9), lambda p: torch.optim.Adagrad(p, lr=0.1)):
    o = O(e.parameters())
    for _ in range(2):
        o.zero_grad()
        l = e(torch.tensor([[0, 1], [3, 1]])).pow(2).sum()
        l.backward()
        o.step()
    print(l.item(), e.weight[:4])
b = nn.EmbeddingBag(10, 3, mode='sum', sparse=True)
l = b(torch.tensor([1, 2, 4, 5, 4, 3, 2, 9]), torch.tensor([0, 4])).sum()
l.backward()
print(b.weight.grad)
try:
    o = torch.optim.Adam(e.parameters())
    o.step()
except RuntimeError as ex:
    print(ex)
print(torch.nn.utils.clip_grad_norm_([torch.nn.Parameter(torch.ones(2))], 1.0))
g = e.weight.grad
print(g.to_dense()[:2], (g + g).coalesce().values().shape, (g * 2)._nnz())
