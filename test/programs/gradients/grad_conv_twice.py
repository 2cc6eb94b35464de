# Gradients of gradients through convolutions of all kinds: a penalty on the image's gradient.
import torch
import torch.nn.functional as F

torch.manual_seed(3)
kinds = [
    ("plain", (2, 3, 7, 6), (4, 3, 3, 2), dict(padding=1)),
    ("strided", (2, 3, 8, 9), (4, 3, 3, 3), dict(stride=2, padding=1)),
    ("grouped", (2, 4, 6, 6), (6, 2, 3, 3), dict(groups=2, dilation=2, padding=2)),
    ("depthwise", (1, 5, 7, 7), (5, 1, 3, 3), dict(groups=5, stride=(2, 1))),
    ("pointwise", (3, 6, 4, 4), (2, 6, 1, 1), dict(stride=2)),
    ("long stride", (1, 2, 11, 11), (3, 2, 2, 2), dict(stride=4)),
]


def penalty(x, w, options):
    y = F.conv2d(x, w, **options)
    (g,) = torch.autograd.grad(torch.tanh(y).sum(), x, create_graph=True)
    return y.pow(2).mean() + g.pow(2).sum()


for name, image, filters, options in kinds:
    x = torch.randn(image, requires_grad=True)
    w = torch.randn(filters, requires_grad=True)
    for step in range(6):
        loss = penalty(x, w, options)
        gx, gw = torch.autograd.grad(loss, (x, w))
        with torch.no_grad():
            w -= 0.001 * gw
    print(name, f"{loss.item():.3f} {gx.abs().sum().item():.3f} {gw.abs().sum().item():.3f}")

x1 = torch.randn(2, 3, 12, requires_grad=True)
w1 = torch.randn(3, 2, 4, requires_grad=True)
for step in range(6):
    y = F.conv_transpose1d(x1, w1, stride=3, padding=1, output_padding=1)
    (g,) = torch.autograd.grad(y.sin().sum(), w1, create_graph=True)
    loss = g.pow(2).sum()
    (gx,) = torch.autograd.grad(loss, x1)
print("transposed", tuple(y.shape), f"{loss.item():.2f} {gx.abs().sum().item():.2f}")

x3 = torch.randn(1, 2, 4, 5, 6, requires_grad=True)
w3 = torch.randn(3, 2, 2, 3, 2, requires_grad=True)
for step in range(6):
    y = F.conv3d(x3, w3, stride=(1, 2, 1), padding=(1, 1, 0))
    gx, gw = torch.autograd.grad(y.cos().sum(), (x3, w3))
print("3d", tuple(y.shape), f"{gx.abs().sum().item():.3f} {gw.abs().sum().item():.3f}")
print(F.conv2d(torch.arange(18).reshape(1, 2, 3, 3), torch.ones(1, 2, 2, 2, dtype=torch.int64)))
