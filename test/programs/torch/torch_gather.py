import torch
import torch.nn.functional as F

x = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
idx = torch.tensor([[0, 2], [1, 1]])
print(x.gather(1, idx), torch.gather(x, 0, torch.tensor([[0, 1, 0]])))
print(x.index_select(1, torch.tensor([2, 0])), torch.index_select(x, 0, torch.tensor([1])))
print(torch.zeros(2, 4).scatter_(1, idx, 1.0), torch.zeros(2, 4).scatter(1, idx, x[:, :2]))
print(torch.zeros(2, 3).scatter_add_(1, idx, torch.ones(2, 2)))
print(x.masked_fill(x > 3, 0.0), x.masked_select(x > 2), torch.take(x, torch.tensor([0, 5])))
print(torch.nonzero(x > 2), torch.nonzero(x > 2, as_tuple=True), torch.where(x > 4))
print(torch.topk(x, 2), x.topk(1, dim=0, largest=False))
print(torch.sort(torch.tensor([3, 1, 2])), x.sort(descending=True), torch.argsort(torch.tensor([3, 1, 2])))
print(torch.unique(torch.tensor([3, 1, 3, 2])), torch.unique(torch.tensor([1, 1, 2]), return_counts=True))
print(torch.unique(torch.tensor([2, 1, 2]), return_inverse=True), torch.bincount(torch.tensor([0, 1, 1, 3])))
print(F.one_hot(torch.tensor([0, 2, 1])), F.one_hot(torch.tensor([1]), num_classes=4))
w = torch.arange(12.0).view(4, 3)
print(F.embedding(torch.tensor([[0, 3], [1, 1]]), w))
print(torch.index_add(torch.zeros(3), 0, torch.tensor([0, 2, 0]), torch.tensor([1.0, 2.0, 3.0])))
print(torch.zeros(3).index_fill_(0, torch.tensor([1]), 5.0), torch.kthvalue(torch.tensor([3.0, 1.0, 2.0]), 2))
x.requires_grad_()
(x.gather(1, idx) * torch.tensor([[1.0, 2.0], [3.0, 4.0]])).sum().backward()
print(x.grad)
x.grad = None
x.topk(1).values.sum().backward()
print(x.grad)
x.grad = None
x[torch.tensor([0, 0, 1])].sum().backward()
print(x.grad)
