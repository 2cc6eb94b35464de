"""Functions that compare, choose, search and count."""

import torch

nan = float("nan")
a = torch.tensor([1.0, nan, 3.0, 2.0], requires_grad=True)
b = torch.tensor([2.0, 1.0, nan, 2.0], requires_grad=True)
print(torch.fmax(a, b).detach(), torch.fmin(a, b).detach())
print(torch.autograd.grad(torch.fmax(a, b).sum(), [a, b]))
print(torch.heaviside(torch.tensor([-1.0, 0.0, 2.0]), torch.tensor(0.5)), torch.heaviside(torch.tensor([-1, 0, 2]), torch.tensor([7])))
print(torch.float_power(torch.tensor([1, 2, 3]), 2), torch.float_power(2, torch.tensor([1.0, 0.5])), torch.float_power(torch.tensor([4.0]), torch.tensor([0.5])))
print(torch.gcd(torch.tensor([12, -18, 0, 7]), torch.tensor([8, 12, 5, 0])), torch.lcm(torch.tensor([4, 6, 0]), torch.tensor(6)))
print(torch.isposinf(torch.tensor([float("inf"), -float("inf"), 1.0])), torch.isneginf(torch.tensor([1, 2])), torch.isreal(torch.ones(2)))
print(torch.is_nonzero(torch.tensor([0.0])), torch.is_nonzero(torch.tensor(3)), torch.promote_types(torch.int32, torch.float32), torch.can_cast(torch.float32, torch.int64), torch.can_cast(torch.int64, torch.float32))
edges = torch.tensor([1.0, 3.0, 5.0, 7.0])
v = torch.tensor([[0.0, 3.0, 4.0], [7.0, 9.0, nan]])
print(torch.bucketize(v, edges), torch.bucketize(v, edges, right=True), torch.bucketize(3.0, edges))
rows = torch.tensor([[1, 3, 5, 7], [2, 4, 6, 8]])
print(torch.searchsorted(rows, torch.tensor([[3, 6], [3, 8]])), torch.searchsorted(edges, torch.tensor([3.0, 8.0]), side="right"), torch.searchsorted(edges, 5.0), torch.searchsorted(rows[0], torch.tensor([2, 9]), out_int32=True))
print(torch.searchsorted(torch.tensor([5.0, 1.0, 3.0]), torch.tensor([2.0, 4.0]), sorter=torch.tensor([1, 2, 0])))
print(torch.isin(torch.tensor([[1, 2], [3, 4]]), torch.tensor([2, 3, 9])), torch.isin(torch.tensor([1.0, 2.0]), 2.0, invert=True), torch.isin(2, torch.tensor([2, 5])))
print(torch.tensor([1.0, 3.0]).fmax(torch.tensor(2)), torch.tensor([4]).gcd(torch.tensor([6])), torch.range(1, 2, 0.5) if False else 0)
x = torch.tensor([5, 0, 12])
x.lcm_(torch.tensor(10))
print(x, torch.logical_not(torch.tensor([0, 3])), torch.tensor([1.0, 0.0]).logical_not_(), torch.tensor([1, 2, 3]).gt_(2))
for f in [
    lambda: torch.gcd(torch.tensor([1.0]), torch.tensor([2.0])),
    lambda: torch.heaviside(torch.tensor([1.0]), torch.tensor([1])),
    lambda: torch.searchsorted(edges, torch.tensor([1, 2])),
    lambda: torch.bucketize(v, v),
    lambda: int(torch.tensor([1, 2])),
    lambda: float(torch.tensor([1.0, 2.0])),
]:
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
