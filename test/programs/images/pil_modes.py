"""Conversions between Pillow's modes, to the bit."""

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
    for m in ("1", "L", "LA", "RGB", "RGBA", "YCbCr", "HSV", "CMYK", "I", "F", "RGBX"):
        try:
            print("rgb->", m, h(im.convert(m)))
        except Exception as e:
            print("rgb->", m, type(e).__name__, e)
    for m in ("1", "L", "RGB", "RGBA", "YCbCr", "HSV", "CMYK", "F"):
        c = im.convert(m)
        for m2 in ("1", "L", "LA", "RGB", "RGBA", "HSV", "F", "I"):
            try:
                print("conv", m, m2, h(c.convert(m2)))
            except Exception as e:
                print("conv", m, m2, type(e).__name__, e)
