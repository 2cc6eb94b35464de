# Bicubic interpolation, with gradients.
import torch
import torch.nn.functional as F

torch.manual_seed(0)


def show(t):
    print(tuple(t.shape), ["%.4f" % v for v in t.detach().flatten().tolist()[:20]], "%.4f" % t.sum().item())


def resized(x, size, scale, corners):
    y = F.interpolate(x * 1, size=size, scale_factor=scale, mode="bicubic", align_corners=corners)
    (y * y).sum().backward()
    return y


x = torch.randn(2, 2, 5, 6, dtype=torch.float64)
for corners in (False, True, None):
    for size, scale in (((8, 9), None), ((5, 6), None), ((3, 2), None), ((1, 1), None), (None, 1.7), (None, (0.5, 2.0)), (10, None)):
        for _ in range(4):
            leaf = x.clone().requires_grad_()
            y = resized(leaf, size, scale, corners)
        show(y)
        show(leaf.grad)
x = x.float()
for corners in (False, True):
    whole = F.interpolate(x.double(), size=(7, 9), mode="bicubic", align_corners=corners)
    print((F.interpolate(x, size=(7, 9), mode="bicubic", align_corners=corners) - whole).abs().max().item() < 2e-6)
print(F.interpolate(torch.ones(1, 1, 3, 3).requires_grad_(), size=(2, 2), mode="bicubic"))
up = torch.nn.Upsample(scale_factor=2, mode="bicubic", align_corners=True)
print(up)
show(up(x.double()[:, :, :1, :3]))
for shape in ((2, 5), (1, 2, 5), (1, 2, 3, 4, 5)):
    try:
        F.interpolate(torch.zeros(shape), scale_factor=2.0, mode="bicubic")
    except (NotImplementedError, ValueError) as e:
        print(type(e).__name__)
