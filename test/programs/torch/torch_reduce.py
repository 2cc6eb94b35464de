import torch

x = torch.tensor([[1.0, 5.0, 3.0], [4.0, 2.0, 6.0]])
print(x.sum(), x.sum(0), x.sum(1), x.sum(dim=1, keepdim=True), x.sum((0, 1)), x.sum(-1))
print(x.mean(), x.mean(0), x.mean(dim=-1, keepdim=True))
print(x.max(), x.min(), x.amax(0), x.amin(1), x.argmax(), x.argmin(), x.argmax(1), x.argmax(dim=0, keepdim=True))
values, indices = x.max(dim=1)
print(values, indices)
r = x.min(0)
print(r.values, r.indices, r[0])
print(torch.max(x, 1))
print(x.var(), x.std(), x.var(0), x.std(dim=1), x.var(unbiased=False), x.std(0, correction=0))
print(x.prod(), x.prod(1), torch.prod(torch.tensor([1, 2, 3])))
print((x > 2).all(), (x > 2).any(), (x > 2).any(dim=0), (x > 0).all(1), (x > 3).sum())
print(x.norm(), x.norm(dim=1), x.norm(p=1), x.norm(float("inf")), torch.linalg.vector_norm(x, 2, 0))
print(x.logsumexp(1), x.cumsum(1), x.cumsum(0), x.cumprod(1))
print(torch.var_mean(x, dim=0), torch.std_mean(x))
print(torch.count_nonzero(torch.tensor([0, 1, 2])), x.median(), x.median(1))
print(torch.tensor([float("nan"), 1.0]).max(), torch.tensor([3, 1, 2]).sum(), torch.tensor(5.0).sum())
print(x.sum().item(), x.mean().item(), x.argmax().item(), type(x.sum().item()), type(x.argmax().item()))
print(torch.zeros(0).sum(), torch.ones(2, 0).sum(1))
for f in [lambda: torch.zeros(0).max(), lambda: x.sum(2), lambda: x.sum((0, 0))]:
    try:
        f()
    except (RuntimeError, IndexError) as e:
        print(type(e).__name__, e)
