"""Quantiles, modes, runs, running extrema, covariances."""

import torch

torch.manual_seed(0)
torch.set_printoptions(precision=3)
x = torch.tensor([[3.0, 1.0, 4.0, 1.0, 5.0], [9.0, 2.0, 6.0, 5.0, 3.0]], requires_grad=True)
print(torch.diff(x).detach(), torch.diff(x, n=2, dim=0).shape, torch.diff(torch.tensor([True, False, False, True])), torch.diff(torch.tensor([1, 4]), prepend=torch.tensor([0])))
print(torch.autograd.grad(x.diff(n=2).pow(2).sum(), x))
print(torch.quantile(x, 0.4).detach(), torch.quantile(x, torch.tensor([0.1, 0.5, 0.9]), dim=1).detach(), x.quantile(0.25, dim=0, keepdim=True).detach())
for how in ["lower", "higher", "midpoint", "nearest"]:
    print(torch.quantile(x, 0.3, dim=1, interpolation=how).detach())
print(torch.autograd.grad(torch.quantile(x, torch.tensor([0.2, 0.6]), dim=1).sum(), x))
n = torch.tensor([[1.0, float("nan"), 3.0], [4.0, 5.0, 6.0]])
print(torch.quantile(n, 0.5, dim=1), torch.nanquantile(n, 0.5, dim=1), torch.nansum(n), torch.nanmean(n, dim=1, keepdim=True), n.nansum(0))
values, indices = torch.mode(torch.tensor([[1, 2, 2, 3], [4, 4, 3, 3]]))
print(values, indices, torch.tensor([1.0, 5.0, 5.0]).mode(keepdim=True), torch.mode(torch.tensor([[1, 2], [1, 3]]), 0))
u = torch.tensor([1, 1, 2, 2, 3, 1, 1, 2])
print(torch.unique_consecutive(u), u.unique_consecutive(return_inverse=True, return_counts=True), torch.unique_consecutive(torch.tensor([[1, 2], [1, 2], [0, 2]]), dim=0))
print(torch.cummax(x, 1), torch.cummin(x.detach(), dim=0), torch.cummax(torch.tensor([1.0, float("nan"), 5.0]), 0))
print(torch.autograd.grad(torch.cummax(x, 1).values.sum(), x), torch.logcumsumexp(x, 1).detach())
print(torch.autograd.grad(torch.logcumsumexp(x, 1).sum(), x))
print(torch.cov(x).detach(), torch.cov(x[0]).detach(), torch.corrcoef(x).detach(), torch.cov(torch.tensor([[1, 2, 3], [6, 5, 1]]), correction=0))
print(torch.cov(x, fweights=torch.tensor([1, 2, 1, 3, 1])).detach(), torch.cov(x, aweights=torch.tensor([0.5, 1.0, 1.5, 1.0, 2.0])).detach())
print(torch.autograd.grad(torch.corrcoef(x)[0, 1], x))
print(torch.trapezoid(torch.tensor([1, 2, 4])), torch.trapz(x.detach(), dx=0.5), torch.trapezoid(x.detach(), torch.tensor([0.0, 1.0, 3.0, 4.0, 6.0])), torch.cumulative_trapezoid(torch.tensor([1.0, 2.0, 4.0])))
print(torch.dist(torch.tensor([1.0, 2.0]), torch.tensor([4.0, 6.0])), torch.dist(torch.ones(3), torch.zeros(3), 1), torch.zeros(0).median(), torch.zeros(0, dtype=torch.int64).median())
for f in [
    lambda: torch.quantile(torch.tensor([1, 2]), 0.5),
    lambda: torch.quantile(torch.ones(3), 1.5),
    lambda: torch.diff(torch.tensor(1)),
    lambda: torch.cov(torch.ones(2, 2, 2)),
    lambda: torch.zeros(0).median(0),
]:
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
