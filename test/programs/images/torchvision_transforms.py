"""Transforms of pictures and tensors: the same draws, the same pixels."""

import hashlib, random
import numpy as np, torch
from PIL import Image
from torchvision import transforms as T
from torchvision.transforms import functional as F
from torchvision.utils import make_grid

IM = T.InterpolationMode


def h(x):
    if isinstance(x, (tuple, list)):
        return [h(i) for i in x]
    if isinstance(x, Image.Image):
        return "pil " + x.mode + " " + str(x.size) + " " + hashlib.md5(x.tobytes()).hexdigest()[:8]
    if not x.dtype.is_floating_point:
        return f"{x.dtype} {tuple(x.shape)} " + hashlib.md5(x.contiguous().numpy().tobytes()).hexdigest()[:8]
    return f"{x.dtype} {tuple(x.shape)} {x.double().mean().item():.4f} {x.double().std().item():.4f} {(x.double() * torch.arange(x.numel()).reshape(x.shape) / x.numel()).mean().item():.4f}"


yy, xx = np.mgrid[0:37, 0:53]
arr = np.stack([(xx * 4) % 256, (yy * 6) % 256, (xx * yy) % 256], 2).astype("uint8")
pil = Image.fromarray(arr)
grey = pil.convert("L")
rgba = pil.convert("RGBA")
t8 = T.PILToTensor()(pil)
tf = T.ToTensor()(pil)
tb = torch.stack([tf, 1 - tf])
inputs = {"pil": pil, "grey": grey, "t8": t8, "tf": tf, "tb": tb}
ts = [
    T.Resize(20),
    T.Resize((30, 41)),
    T.Resize(64, max_size=70),
    T.Resize(20, IM.NEAREST),
    T.Resize(24, IM.BICUBIC),
    T.CenterCrop(20),
    T.CenterCrop((50, 60)),
    T.Pad(3),
    T.Pad((1, 2), 5),
    T.Pad((1, 2, 3, 4), padding_mode="edge"),
    T.Pad(4, padding_mode="reflect"),
    T.Pad(5, padding_mode="symmetric"),
    T.RandomCrop(16),
    T.RandomCrop(32, padding=4),
    T.RandomCrop((50, 60), pad_if_needed=True),
    T.RandomCrop(32, padding=4, padding_mode="reflect"),
    T.RandomHorizontalFlip(),
    T.RandomVerticalFlip(),
    T.RandomHorizontalFlip(1.0),
    T.RandomResizedCrop(24, scale=(0.3, 0.9), ratio=(0.5, 2.0)),
    T.RandomResizedCrop((10, 20), scale=(0.5, 1.0), interpolation=IM.BICUBIC),
    T.RandomRotation(30),
    T.RandomRotation((10, 80), IM.BILINEAR, fill=3),
    T.RandomRotation(45, expand=True),
    T.RandomRotation(20, center=(3, 4)),
    T.RandomAffine(20, (0.1, 0.2), (0.8, 1.2), 10),
    T.RandomAffine(0, shear=(-5, 5, -10, 10), interpolation=IM.BILINEAR, fill=7),
    T.RandomAffine((-3, 90), translate=(0.3, 0.3)),
    T.RandomPerspective(p=1.0),
    T.RandomPerspective(0.3, 1.0, IM.NEAREST),
    T.Grayscale(),
    T.Grayscale(3),
    T.RandomGrayscale(0.5),
    T.ColorJitter(0.4, 0.4, 0.4, 0.1),
    T.ColorJitter(brightness=(0.5, 1.5)),
    T.ColorJitter(hue=0.3),
    T.GaussianBlur(3),
    T.GaussianBlur((5, 7), (0.5, 1.0)),
    T.RandomInvert(),
    T.RandomPosterize(3, 1.0),
    T.RandomSolarize(0.5, 1.0),
    T.RandomAdjustSharpness(2.0, 1.0),
    T.RandomAdjustSharpness(0.3, 1.0),
    T.RandomAutocontrast(1.0),
    T.RandomEqualize(1.0),
    T.FiveCrop(16),
    T.TenCrop((10, 12)),
    T.RandomApply([T.ColorJitter(0.2), T.RandomHorizontalFlip()], 0.7),
    T.RandomOrder([T.Pad(1), T.CenterCrop(20)]),
    T.RandomChoice([T.Pad(1), T.CenterCrop(20)]),
    T.RandAugment(),
    T.TrivialAugmentWide(),
]
print(h(T.Resize(20, antialias=False)(tf)))
for i, t in enumerate(ts):
    print(t)
    for name, x in inputs.items():
        torch.manual_seed(i)
        random.seed(i)
        try:
            print("   ", name, h(t(x)), f"{torch.rand(1).item():.5f}")
        except Exception as e:
            print("   ", name, type(e).__name__, str(e)[:70])
torch.manual_seed(3)
er = [
    T.RandomErasing(),
    T.RandomErasing(1.0, value="random"),
    T.RandomErasing(1.0, value=(0.1, 0.2, 0.3)),
    T.Normalize((0.5, 0.4, 0.3), (0.1, 0.2, 0.3)),
    T.ConvertImageDtype(torch.uint8),
    T.ConvertImageDtype(torch.float64),
    T.ConvertImageDtype(torch.int32),
]
for t in er:
    for _ in range(2):
        try:
            print(t, h(t(tf)), h(t(t8)) if not isinstance(t, T.Normalize) else "")
        except Exception as e:
            print(t, type(e).__name__, str(e)[:70])
print(T.Compose([T.Resize(256), T.ToTensor(), T.Normalize((0.1307,), (0.3081,)), T.Lambda(lambda x: x * 2)]))
for m in ("1", "L", "LA", "RGB", "RGBA", "I", "F", "CMYK", "HSV", "YCbCr"):
    p = pil.convert(m)
    a = T.ToTensor()(p)
    b = T.PILToTensor()(p)
    print(m, h(a), h(b) if m != "1" else b.sum())
    try:
        print("  back", h(T.ToPILImage()(b)))
    except Exception as e:
        print(type(e).__name__, e)
print(
    h(T.ToTensor()(arr)),
    h(T.ToTensor()(arr[..., 0])),
    h(T.ToTensor()(arr[..., 0].astype("float32"))),
    h(F.to_pil_image(arr)),
    h(F.to_pil_image(arr[..., :1])),
    h(F.to_pil_image(tf)),
    h(F.to_pil_image(tf[0])),
    h(F.to_pil_image(t8[:1])),
    h(F.to_pil_image((tf[:1] * 3 - 1))),
)
for f in (F.adjust_gamma,):
    print([h(f(x, 0.7, 1.2)) for x in inputs.values()])
few = torch.rand(3, 2, 2, generator=torch.Generator().manual_seed(0))
print(T.LinearTransformation(torch.eye(12) * 2, torch.ones(12))(few))
print(F.get_image_size(pil), F.get_dimensions(tf), F.get_image_num_channels(grey))
g = torch.rand(10, 3, 8, 9, generator=torch.Generator().manual_seed(0))
print(
    h(make_grid(g)),
    h(make_grid(g, nrow=3, padding=1, normalize=True, pad_value=0.5)),
    h(make_grid(g, normalize=True, scale_each=True)),
    h(make_grid(list(g[:, :1]))),
    h(make_grid(g[0])),
    h(make_grid(g[:1])),
    h(make_grid(g, normalize=True, value_range=(0.2, 0.7))),
)
for bad in (
    lambda: T.ToTensor()(5),
    lambda: T.Normalize(0.5, 0)(tf),
    lambda: T.Normalize(0.5, 0.5)(t8),
    lambda: T.Resize("a"),
    lambda: T.RandomCrop(100)(pil),
    lambda: T.CenterCrop((1, 2, 3)),
    lambda: T.ToPILImage()(torch.rand(5, 2, 2)),
    lambda: T.Pad("x"),
    lambda: T.ColorJitter(-1),
    lambda: T.RandomRotation(-3),
    lambda: T.Lambda(3),
    lambda: T.RandomErasing(2.0),
    lambda: T.GaussianBlur(4),
    lambda: F.adjust_hue(pil, 2),
):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
