"""Pillow's resampling, rotation and maps of every mode, to the bit."""

import io, hashlib
import numpy as np
from PIL import Image, ImageOps, ImageFilter, ImageDraw, ImageEnhance, ImageChops, ImageStat

rng = np.random.RandomState(0)


def h(im):
    return hashlib.md5(im.tobytes()).hexdigest()[:8] + " " + im.mode + " " + str(im.size)


base = rng.randint(0, 256, (37, 53, 3)).astype("uint8")
yy, xx = np.mgrid[0:37, 0:53]
smooth = np.stack([(xx * 4) % 256, (yy * 6) % 256, (xx * yy) % 256], 2).astype("uint8")


for name, arr in (("noise", base), ("smooth", smooth)):
    im = Image.fromarray(arr)
    print(name, im.size, im.mode, h(im))
    rgba = Image.fromarray(np.concatenate([arr, rng.randint(0, 256, (37, 53, 1)).astype("uint8")], 2))
    modes = {
        "RGB": im,
        "L": im.convert("L"),
        "RGBA": rgba,
        "LA": rgba.convert("LA"),
        "F": im.convert("F"),
        "I": im.convert("L").convert("I"),
        "1": im.convert("1"),
    }
    for m, i in modes.items():
        print("mode", m, h(i))
        for f in (0, 1, 2, 3, 4, 5):
            for size in ((20, 30), (90, 70), (53, 11), (7, 37)):
                print("  resize", m, f, size, h(i.resize(size, f)))
        print("  box", h(i.resize((10, 12), Image.BICUBIC, box=(3.5, 4.25, 30.5, 28))))
        for f in (0, 2, 3):
            for a in (0, 30, 45.5, 90, 180, 270, -77):
                print("  rotate", m, f, a, h(i.rotate(a, f)), h(i.rotate(a, f, expand=True)))
            print("  affine", m, f, h(i.transform((40, 50), Image.AFFINE, (1.1, 0.2, -3, -0.1, 0.9, 4), f)))
            print("  scale", m, f, h(i.transform((40, 50), Image.AFFINE, (1.1, 0, -3, 0, 0.9, 4), f)))
            print(
                "  persp", m, f, h(i.transform((40, 50), Image.PERSPECTIVE, (1.1, 0.1, -3, 0, 0.9, 4, 0.001, 0.002), f))
            )
        for t in range(7):
            print("  transpose", t, h(i.transpose(t)))
        print("  crop", h(i.crop((5, 6, 20, 30))), h(i.crop((-5, -6, 60, 70))))
