# What functions on images do with ints, and which kernels lack them.
import torch
import torch.nn as nn
import torch.nn.functional as F


def show(f):
    try:
        y = f()
        print(y.dtype, y.flatten()[:8].tolist())
    except Exception as e:
        print(type(e).__name__, e)


x = torch.arange(64).reshape(1, 1, 8, 8)
for image in (x, x - 30, x.to(torch.uint8), x > 5):
    for f in (
        nn.AvgPool2d(2), nn.AvgPool2d(3, 2, 1), nn.AvgPool2d(3, 2, 1, count_include_pad=False), nn.MaxPool2d(2),
        nn.AdaptiveAvgPool2d(2), nn.Upsample(scale_factor=2), nn.Upsample(scale_factor=1.5, mode="nearest-exact"),
        nn.Softsign(), nn.ELU(), nn.CELU(), nn.SELU(), nn.GELU(), nn.Softplus(), nn.LogSigmoid(), nn.ReLU6(),
    ):
        if image.dtype != torch.bool or not isinstance(f, nn.MaxPool2d):
            show(lambda: f(image))
for mode, shape in (("linear", (1, 1, 8)), ("trilinear", (1, 1, 2, 2, 2)), ("nearest", (1, 1, 8)), ("bicubic", (1, 1, 8, 8))):
    show(lambda: F.interpolate(torch.arange(64)[: torch.Size(shape).numel()].reshape(shape), scale_factor=2, mode=mode))
show(lambda: F.avg_pool1d(x[0], 3))
show(lambda: F.avg_pool3d(x.reshape(1, 4, 4, 4), 2))
show(lambda: F.avg_pool3d(x.reshape(1, 4, 4, 4).int(), 2))
show(lambda: F.avg_pool2d(x, 3, divisor_override=2))
