# Windows of pooling: overlapping, padded, dilated, ceil_mode, adaptive; ties and NaN.
import torch
import torch.nn.functional as F

torch.manual_seed(4)


def step(x):
    a = F.max_pool2d(x, 3, 2, 1)
    b = F.avg_pool2d(x, 3, 1, 1)
    c = F.max_pool2d(x, 2, dilation=2, ceil_mode=True)
    d = F.avg_pool2d(x, (2, 3), (2, 2), (1, 1), ceil_mode=True, count_include_pad=False)
    e = F.adaptive_avg_pool2d(x, (4, 3))
    f = F.adaptive_max_pool2d(x, (2, 5))
    return [a, b, c, d, e, f]


x = torch.randn(2, 3, 8, 9, requires_grad=True)
for i in range(6):
    outs = step(x)
    loss = sum((k + 1) * o.pow(2).sum() for k, o in enumerate(outs))
    (g,) = torch.autograd.grad(loss, x)
print([tuple(o.shape) for o in outs])
print([f"{o.sum().item():.4f}" for o in outs], f"{g.abs().sum().item():.3f}")

ties = torch.tensor([[[[1.0, 1.0, 0.0, 2.0], [1.0, 1.0, 2.0, 2.0]]]], requires_grad=True)
value, place = F.max_pool2d(ties, 2, return_indices=True)
value.sum().backward()
print(value.tolist(), place.tolist(), ties.grad.tolist())
odd = torch.tensor([[[1.0, float("nan"), 3.0, float("-inf")]]])
print(F.max_pool1d(odd, 2, 1).tolist())
print(F.max_pool1d(torch.full((1, 1, 4), float("-inf")), 2).tolist())
x = torch.randn(1, 2, 6)
value, place = F.max_pool1d(x, 2, return_indices=True)
print(torch.equal(x.gather(2, place), value), place.shape)
print(F.max_pool3d(torch.arange(32.0).reshape(1, 2, 4, 4), 2).tolist())
