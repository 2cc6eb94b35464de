"""Pooling undone, pooling in random windows, adaptive pooling with indices, and their modules."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
x1, x2, x3 = torch.randn(2, 3, 8), torch.randn(2, 3, 6, 8), torch.randn(1, 2, 4, 6, 4)
for pool, unpool, x in (
    (nn.MaxPool1d(2, return_indices=True), nn.MaxUnpool1d(2), x1),
    (nn.MaxPool2d(2, stride=2, return_indices=True), nn.MaxUnpool2d(2, stride=2), x2),
    (nn.MaxPool2d((3, 2), stride=(3, 2), return_indices=True), nn.MaxUnpool2d((3, 2), stride=(3, 2)), x2),
    (nn.MaxPool3d(2, return_indices=True), nn.MaxUnpool3d(2), x3),
):
    x = x.clone().requires_grad_()
    y, i = pool(x)
    z = unpool(y, i)
    print(unpool, tuple(y.shape), tuple(z.shape), i.flatten()[:6].tolist(), z.flatten()[:8].tolist())
    (z * torch.arange(z.numel()).reshape(z.shape)).sum().backward()
    print(x.grad.flatten()[:8].tolist())
y, i = F.max_pool1d(torch.arange(9.0).reshape(1, 1, 9), 2, return_indices=True)
print(F.max_unpool1d(y, i, 2, output_size=(1, 1, 9)), nn.MaxUnpool1d(2)(y, i, output_size=torch.Size([1, 1, 9])))
for call in (
    lambda: F.max_unpool1d(y, i, 2, output_size=(30,)), lambda: F.max_unpool1d(y, i.int(), 2),
    lambda: F.max_unpool1d(y, i[..., :2], 2),
):
    try:
        print(call())
    except (ValueError, RuntimeError) as e:
        print(type(e).__name__, str(e).split("\n")[0])
for n, size, x in ((1, 3, x1), (1, 4, x1), (2, (3, 3), x2), (2, (2, 5), x2), (2, 1, x2), (3, (2, 3, 3), x3)):
    pool = {1: nn.AdaptiveMaxPool1d, 2: nn.AdaptiveMaxPool2d, 3: nn.AdaptiveMaxPool3d}[n]
    y, i = pool(size, return_indices=True)(x)
    print(tuple(y.shape), i.flatten()[:10].tolist(), y.equal(pool(size)(x)), y.equal(x.flatten(2).gather(2, i.flatten(2)).view_as(y)))
for make in (
    lambda: nn.FractionalMaxPool2d(2, output_size=(3, 4))(x2), lambda: nn.FractionalMaxPool2d(2, output_ratio=(0.5, 0.6), return_indices=True)(x2),
    lambda: F.fractional_max_pool2d(x2[0], (2, 3), output_size=(2, 2)), lambda: nn.FractionalMaxPool3d(2, output_size=(2, 3, 2))(x3),
    lambda: F.fractional_max_pool2d(x2, 2, output_size=(3, 3), _random_samples=torch.rand(2, 3, 2)),
):
    torch.manual_seed(1)
    found = make()
    for t in found if isinstance(found, tuple) else (found,):
        print(tuple(t.shape), t.flatten()[:6].tolist())
print(nn.LPPool3d(2, 2)(x3).flatten()[:3].tolist(), nn.CircularPad3d(1)(x3).shape, nn.CircularPad3d(1)(x3)[0, 0, 0, 0].tolist())
for size in (3, 4, 5):
    print(nn.CrossMapLRN2d(size)(x2)[0, :, 0, 0].tolist(), nn.CrossMapLRN2d(size, 0.5, 0.7, 2.0)(x2)[0, :, 0, 0].tolist())
print(F.conv_tbc(torch.ones(5, 2, 3), torch.ones(3, 3, 4), torch.zeros(4), 1)[:, 0, 0].tolist())
