# Convolutions: 1d, 2d and 3d, strides, padding, dilation, groups, transposed, unfold and fold.
import torch
import torch.nn.functional as F
from torch import nn


def show(name, t, *inputs):
    for i in inputs:
        i.grad = None
    (t * t).mean().backward()
    print(name, tuple(t.shape), f"{t.sum().item():.4f}", [f"{i.grad.abs().sum().item():.5f}" for i in inputs], t.is_contiguous())


torch.manual_seed(0)
x = torch.randn(2, 4, 7, 6, requires_grad=True)
w = torch.randn(6, 4, 3, 3, requires_grad=True)
b = torch.randn(6, requires_grad=True)
show("plain", F.conv2d(x, w, b), x, w, b)
show("no bias", F.conv2d(x, w), x, w)
show("pad", F.conv2d(x, w, b, padding=1), x, w, b)
show("stride", F.conv2d(x, w, b, stride=2, padding=(1, 0)), x, w, b)
show("dilation", F.conv2d(x, w, None, (1, 2), 2, (2, 1)), x, w)
show("same", F.conv2d(x, torch.ones(1, 4, 2, 3) * w[:1, :, :2], padding="same"), x, w)
wg = torch.randn(6, 2, 3, 3, requires_grad=True)
show("groups", F.conv2d(x, wg, b, groups=2, padding=1), x, wg, b)
wd = torch.randn(8, 1, 3, 3, requires_grad=True)
show("depthwise", F.conv2d(x, wd, groups=4), x, wd)
w1 = torch.randn(5, 4, 1, 1, requires_grad=True)
show("pointwise", F.conv2d(x, w1), x, w1)
show("unbatched", F.conv2d(x[0], w, b), x, w, b)
wt = torch.randn(4, 3, 3, 2, requires_grad=True)
show("transposed", F.conv_transpose2d(x, wt, stride=2, padding=1, output_padding=(1, 0)), x, wt)
wtg = torch.randn(4, 2, 3, 3, requires_grad=True)
show("transposed groups", F.conv_transpose2d(x, wtg, groups=2, dilation=2), x, wtg)
s = torch.randn(3, 2, 9, requires_grad=True)
ws = torch.randn(4, 2, 3, requires_grad=True)
show("1d", F.conv1d(s, ws, stride=2, padding=1), s, ws)
show("1d transposed", F.conv_transpose1d(s, torch.ones(2, 3, 4) * ws.mean(), stride=3), s, ws)
v = torch.randn(1, 2, 4, 5, 3, requires_grad=True)
wv = torch.randn(3, 2, 2, 3, 2, requires_grad=True)
show("3d", F.conv3d(v, wv, padding=(0, 1, 1)), v, wv)
show("unfold", F.unfold(x, (2, 3), padding=1, stride=2), x)
show("fold", F.fold(F.unfold(x, 3, padding=1) * 2, (7, 6), 3, padding=1), x)
for make in (
    lambda: nn.Conv2d(3, 8, 3, padding=1, bias=False), lambda: nn.Conv1d(2, 4, 5, dilation=2, padding_mode="reflect", padding=4),
    lambda: nn.ConvTranspose2d(4, 2, 4, stride=2, padding=1), lambda: nn.Conv2d(4, 4, (3, 1), groups=2, padding="same"),
):
    torch.manual_seed(1)
    m = make()
    print(m, f"{m.weight.sum().item():.5f}", None if m.bias is None else f"{m.bias.sum().item():.5f}")
    i = torch.randn(2, m.in_channels, *[6] * (m.weight.dim() - 2), requires_grad=True)
    show(type(m).__name__, m(i), i, m.weight)
for f in (
    lambda: F.conv2d(x, wg), lambda: F.conv2d(x[:, :, :2], w), lambda: F.conv2d(x[0, 0], w),
    lambda: F.conv2d(x.double(), w, b), lambda: F.conv2d(x, w, torch.ones(3)), lambda: nn.Conv2d(3, 4, 2, groups=2),
    lambda: F.conv2d(x, w, stride=2, padding="same"), lambda: F.conv_transpose2d(x, torch.ones(3, 2, 2, 2)),
):
    try:
        f()
    except (RuntimeError, ValueError) as e:
        print(type(e).__name__, e)
