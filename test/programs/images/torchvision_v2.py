"""Transforms of several inputs at once."""

import torch, numpy as np
from torchvision.transforms import v2
from torchvision import tv_tensors
from PIL import Image

p = Image.new("RGB", (20, 10), "red")
for t in (
    v2.ToImage(),
    v2.ToDtype(torch.float32, scale=True),
    v2.Resize(5),
    v2.RandomCrop(4),
    v2.Normalize([0.5] * 3, [0.5] * 3),
    v2.RandomHorizontalFlip(),
    v2.Compose([v2.ToImage(), v2.Resize((4, 5))]),
    v2.ColorJitter(0.1),
    v2.RandomRotation(10),
    v2.RandomResizedCrop(4),
    v2.CenterCrop(3),
    v2.Pad(2),
    v2.GaussianBlur(3),
    v2.RandomErasing(),
    v2.Grayscale(),
    v2.RandomApply([v2.Pad(1)]),
    v2.RandomAffine(10),
    v2.ToTensor(),
    v2.PILToTensor(),
    v2.ToPILImage(),
    v2.Lambda(lambda x: x),
    v2.Identity(),
    v2.RandomChoice([v2.Pad(1)]),
    v2.ToPureTensor(),
    v2.RandomPerspective(),
    v2.RandomGrayscale(),
    v2.RandomInvert(),
    v2.FiveCrop(3),
    v2.ConvertImageDtype(torch.float32),
    v2.RandomVerticalFlip(0.3),
):
    print(repr(t))
i = v2.ToImage()(p)
print(type(i), i.shape, i.dtype)
print(type(v2.Resize(5)(i)), type(i + 1), type(v2.functional.to_image(np.zeros((3, 4, 3), "uint8"))))
print(v2.Resize(5)((p, 3, "a"))[1:], [type(o) for o in v2.Resize(5)({"a": i, "b": torch.zeros(3, 10, 20)}).values()])
import hashlib


def h(x):
    return (
        (str(x.size) + hashlib.md5(x.tobytes()).hexdigest()[:8])
        if isinstance(x, Image.Image)
        else f"{type(x).__name__} {x.dtype} {tuple(x.shape)} {x.double().mean().item():.3f}"
    )


yy, xx = np.mgrid[0:37, 0:53]
arr = np.stack([(xx * 4) % 256, (yy * 6) % 256, (xx * yy) % 256], 2).astype("uint8")
p = Image.fromarray(arr)
im = v2.ToImage()(p)
f = v2.ToDtype(torch.float32, scale=True)(im)
for i, t in enumerate(
    (
        v2.RandomCrop(20),
        v2.RandomCrop((37, 20), padding=(2, 0)),
        v2.RandomHorizontalFlip(),
        v2.RandomVerticalFlip(),
        v2.RandomRotation(30),
        v2.RandomAffine(10, (0.1, 0.1), (0.9, 1.1), 5),
        v2.ColorJitter(0.3, 0.3, 0.3, 0.1),
        v2.GaussianBlur(3),
        v2.RandomErasing(1.0),
        v2.RandomPerspective(p=1.0),
        v2.RandomGrayscale(1.0),
        v2.RandomApply([v2.Pad(1)], 0.5),
        v2.RandomChoice([v2.Pad(1), v2.Pad(2)]),
        v2.RandomOrder([v2.Pad(1), v2.RandomCrop(10)]),
        v2.CenterCrop(30),
        v2.RandomInvert(1.0),
        v2.RandomPosterize(2, 1.0),
    )
):
    for x in (p, im, f, torch.rand(3, 37, 53, generator=torch.Generator().manual_seed(0))):
        torch.manual_seed(i)
        print(type(t).__name__, h(t(x)), f"{torch.rand(1).item():.5f}")
torch.manual_seed(0)
a, b, lab = v2.RandomCrop(10)(p, im, 7)
print(h(a), h(b), lab, torch.equal(v2.functional.to_image(a), b))
d = v2.Compose(
    [
        v2.ToImage(),
        v2.RandomHorizontalFlip(1.0),
        v2.ToDtype(torch.float32, scale=True),
        v2.Normalize([0.5] * 3, [0.5] * 3),
    ]
)({"image": p, "label": torch.tensor(3)})
print(h(d["image"]), d["label"])
for t in (v2.Resize(20), v2.Resize((10, 12)), v2.RandomResizedCrop(16)):
    for x in (p, f):
        torch.manual_seed(3)
        print(type(t).__name__, h(t(x)), f"{torch.rand(1).item():.5f}")
