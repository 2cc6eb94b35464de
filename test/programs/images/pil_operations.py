"""Filters, enhancement, statistics, pasting, files and drawing of Pillow's."""

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
    for m in ("L", "RGB", "RGBA"):
        i = modes[m]
        for (
            f
        ) in "BLUR CONTOUR DETAIL EDGE_ENHANCE EDGE_ENHANCE_MORE EMBOSS FIND_EDGES SHARPEN SMOOTH SMOOTH_MORE".split():
            print("filter", m, f, h(i.filter(getattr(ImageFilter, f))))
        for r in (0.5, 1, 2, 3.7, (1, 3), 40):
            print("gauss", r, h(i.filter(ImageFilter.GaussianBlur(r))), h(i.filter(ImageFilter.BoxBlur(r))))
        print("unsharp", h(i.filter(ImageFilter.UnsharpMask())))
        if m != "RGBA":
            print(
                "rank",
                h(i.filter(ImageFilter.MedianFilter(3))),
                h(i.filter(ImageFilter.MinFilter(3))),
                h(i.filter(ImageFilter.MaxFilter(5))),
            )
        for e in ("Color", "Contrast", "Brightness", "Sharpness"):
            for f in (0.0, 0.3, 1.0, 1.7, 3):
                print("enh", e, f, h(getattr(ImageEnhance, e)(i).enhance(f)))
        print(ImageStat.Stat(i).mean, ImageStat.Stat(i).stddev, ImageStat.Stat(i).extrema, ImageStat.Stat(i).median)
        print(i.getextrema(), i.getpixel((3, 4)), i.getbbox(), sum(i.histogram()[:100]))
        print("thumb")
        j = i.copy()
        j.thumbnail((20, 20))
        print(h(j))
        j = i.copy()
        j.thumbnail((10, 5))
        print(h(j))
        print("reduce", h(i.reduce(3)), h(i.reduce((2, 5))))
    for op in ("autocontrast", "equalize", "invert", "mirror", "flip", "grayscale"):
        print(op, h(getattr(ImageOps, op)(im)), h(getattr(ImageOps, op)(modes["L"])))
    print(
        "ops",
        h(ImageOps.posterize(im, 3)),
        h(ImageOps.solarize(im, 100)),
        h(ImageOps.autocontrast(im, 5)),
        h(ImageOps.expand(im, 3, 7)),
        h(ImageOps.expand(im, (1, 2, 3, 4), "red")),
        h(ImageOps.fit(im, (20, 20))),
        h(ImageOps.pad(im, (60, 20), color="blue")),
        h(ImageOps.contain(im, (30, 30))),
        h(ImageOps.scale(im, 0.7)),
    )
    other = Image.fromarray(base[::-1].copy())
    for op in (
        "add",
        "subtract",
        "multiply",
        "screen",
        "difference",
        "lighter",
        "darker",
        "add_modulo",
        "subtract_modulo",
    ):
        print(op, h(getattr(ImageChops, op)(im, other)))
    print("blend", h(Image.blend(im, other, 0.3)), h(Image.blend(im, other, 1.5)))
    p = im.copy()
    p.paste(other.resize((10, 10)), (5, 5))
    print("paste", h(p))
    p.paste(other.resize((30, 30)), (40, -5), modes["L"].resize((30, 30)))
    print(h(p))
    p.paste("red", (1, 2, 10, 12))
    print(h(p))
    p.paste((1, 2, 3), None, modes["L"])
    print(h(p))
    print(h(Image.composite(im, other, modes["L"])), h(Image.alpha_composite(rgba, rgba.transpose(0))))
    print(
        h(im.point(lambda v: v * 1.2)),
        h(modes["F"].point(lambda v: v * 2 + 1)),
        h(modes["L"].point(lambda v: 255 if v > 100 else 0, "1")),
    )
    print([h(b) for b in im.split()], h(Image.merge("RGB", im.split()[::-1])), h(im.getchannel("G")))
    j = im.copy()
    j.putalpha(77)
    print(h(j))
    j.putalpha(modes["L"])
    print(h(j))
    for fmt in ("PNG", "BMP", "WEBP"):
        b = io.BytesIO()
        im.save(b, fmt, **({"lossless": True} if fmt == "WEBP" else {}))
        b.seek(0)
        k = Image.open(b)
        print(fmt, k.format, h(k))
    for m in ("1", "L", "LA", "RGBA", "I;16"):
        b = io.BytesIO()
        j = modes[m] if m != "I;16" else Image.fromarray((base[..., 0].astype("int32") * 200).astype("uint16"))
        j.save(b, "PNG")
        b.seek(0)
        k = Image.open(b)
        print(m, k.mode, h(k), k) if 0 else print(m, k.mode, h(k))

print(
    Image.new("RGB", (3, 2), "orange").getpixel((0, 0)),
    Image.new("L", (3, 2), 300).getpixel((0, 0)),
    Image.new("RGBA", (2, 2), (1, 2, 3)).getpixel((1, 1)),
    Image.new("RGB", (2, 2), 0x010203).getpixel((0, 0)),
    Image.new("F", (1, 1), 2.5).getpixel((0, 0)),
)
for w in (None, 0, 1, 2, 3, 5):
    im = Image.new("RGB", (60, 50))
    d = ImageDraw.Draw(im)
    kw = {} if w is None else {"width": w}
    d.line((5, 5, 50, 30), fill="red", **kw)
    d.line([(10, 40), (50, 3), (55, 45)], fill=(0, 255, 9), **kw)
    d.line((3, 3, 3, 40), **kw)
    print("line", w, h(im))
    im = Image.new("L", (60, 50))
    d = ImageDraw.Draw(im)
    if w != None:
        d.rectangle((5, 6, 40, 45), fill=3, outline=200, **kw)
        d.ellipse((3, 4, 55, 40), outline=100, **kw)
        d.ellipse((10, 10, 31, 30), fill=77, outline=8, **kw)
    print("shapes", w, h(im))
im = Image.new("L", (60, 50))
d = ImageDraw.Draw(im)
d.polygon([(3, 3), (50, 10), (30, 45)], fill=9)
print("poly", h(im))
d.polygon([(3, 3), (50, 10), (30, 45), (20, 1), (5, 40)], outline=99, fill=5)
print("poly", h(im))
d.point([(1, 1), (2, 5)], fill=200)
print(h(im))
print(
    np.asarray(Image.new("RGB", (3, 2), "teal")).shape,
    np.array(Image.new("1", (3, 2), 1)).dtype,
    np.array(Image.new("I", (3, 2), 70000))[0, 0],
)
for bad in (
    lambda: Image.open(io.BytesIO(b"nothing")),
    lambda: Image.new("XY", (1, 1)),
    lambda: Image.fromarray(np.zeros((2, 2, 7), "uint8")),
    lambda: Image.new("L", (2, 2)).getpixel((5, 5)),
    lambda: Image.new("L", (2, 2)).resize((0, 2)),
    lambda: Image.new("RGB", (2, 2), "nocolor"),
    lambda: Image.new("RGBA", (2, 2)).save(io.BytesIO(), "JPEG"),
    lambda: Image.new("RGB", (2, 2)).save("/tmp/x.unknown"),
    lambda: Image.open("/nonexistent.png"),
):
    try:
        bad()
    except Exception as e:
        print(type(e).__name__, str(e)[:60].split("<_io")[0])
