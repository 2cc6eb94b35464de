# Pooling, adaptive pooling, resizing, padding layers, pixel shuffle and instance norm.
import torch
import torch.nn.functional as F
from torch import nn


def show(name, t, x):
    x.grad = None
    (t * t).sum().backward()
    print(f"{name:<12}", tuple(t.shape), f"{t.sum().item():.4f} {x.grad.abs().sum().item():.3f} {x.grad.abs().max().item():.4f}")


torch.manual_seed(0)
x = torch.randn(2, 4, 7, 6).round(decimals=1).requires_grad_()
show("max", F.max_pool2d(x, 2), x)
show("max relu", F.max_pool2d(x.relu(), 3, 1), x)
show("max pad", F.max_pool2d(x, 3, stride=2, padding=1), x)
show("max ceil", F.max_pool2d(x, (2, 4), stride=(3, 3), ceil_mode=True), x)
show("max dil", F.max_pool2d(x, 2, dilation=2, stride=1), x)
show("avg", F.avg_pool2d(x, 2), x)
show("avg pad", F.avg_pool2d(x, 3, 2, 1), x)
show("avg no pad", F.avg_pool2d(x, 3, 2, 1, count_include_pad=False), x)
show("avg ceil", F.avg_pool2d(x, 2, 2, 1, ceil_mode=True), x)
show("avg div", F.avg_pool2d(x, 2, divisor_override=3), x)
values, indices = F.max_pool2d(x, 3, 2, 1, return_indices=True)
print(indices[0, 0].tolist(), indices.dtype, values[0, 0, 0].tolist())
show("max1d", F.max_pool1d(x[0], 2), x)
show("avg1d", F.avg_pool1d(x[0], 3, 2), x)
show("adapt 1", F.adaptive_avg_pool2d(x, 1), x)
show("adapt", F.adaptive_avg_pool2d(x, (3, 4)), x)
show("adapt none", F.adaptive_avg_pool2d(x, (None, 2)), x)
show("adapt max", F.adaptive_max_pool2d(x, (2, 4)), x)
show("adapt 1d", F.adaptive_avg_pool1d(x[0], 4), x)
show("nearest", F.interpolate(x, scale_factor=2), x)
show("nearest size", F.interpolate(x, size=(5, 11)), x)
show("bilinear", F.interpolate(x, scale_factor=1.5, mode="bilinear"), x)
show("corners", F.interpolate(x, (10, 4), mode="bilinear", align_corners=True), x)
show("linear", F.interpolate(x[0], size=13, mode="linear"), x)
show("area", F.interpolate(x, (3, 3), mode="area"), x)
show("shuffle", F.pixel_shuffle(x, 2) * torch.arange(14.0).view(14, 1), x)
show("unshuffle", F.pixel_unshuffle(x[:, :, :6], 2) * torch.arange(3.0), x)
show("instance", F.instance_norm(x) * torch.arange(6.0), x)
for m in (
    nn.MaxPool2d(2), nn.MaxPool2d((3, 2), stride=(2, 1), padding=(1, 0)), nn.AvgPool2d(3, 2, ceil_mode=True), nn.AdaptiveAvgPool2d((2, 2)),
    nn.Upsample(scale_factor=2, mode="bilinear", align_corners=False), nn.UpsamplingNearest2d(size=(3, 9)), nn.PixelShuffle(2),
    nn.ReflectionPad2d((1, 2, 0, 3)), nn.ReplicationPad2d(2), nn.ZeroPad2d((1, 0, 2, 0)), nn.ConstantPad2d(1, 3.5),
    nn.InstanceNorm2d(4, affine=True, track_running_stats=True),
):
    print(m)
    show(type(m).__name__, m(x) * 2 + 1, x)
print([f"{v:.4f}" for v in m.running_mean.tolist()], [f"{v:.4f}" for v in m.running_var.tolist()])
for f in (
    lambda: F.max_pool2d(x, 8), lambda: F.max_pool2d(x, 2, padding=2), lambda: F.interpolate(x), lambda: F.interpolate(x, 3, mode="linear"),
    lambda: F.pixel_shuffle(x, 3), lambda: F.max_pool2d(x[0, 0], 2),
):
    try:
        f()
    except (RuntimeError, ValueError, NotImplementedError) as e:
        print(type(e).__name__, str(e)[:90])
