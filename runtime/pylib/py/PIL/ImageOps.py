"""Ready-made operations on pictures."""

from _refused import refused

from PIL import Image
from PIL._image import pixel_of


def _border(border):
    if isinstance(border, tuple):
        if len(border) == 2:
            return border + border
        if len(border) == 4:
            return border
        raise ValueError("border must be an int or tuple of two or four")
    return border, border, border, border


def _lut(image, lut):
    if image.mode not in ("L", "RGB"):
        raise OSError(f"not supported for mode {image.mode}")
    return image.point(lut * 3 if image.mode == "RGB" and len(lut) == 256 else lut)


def autocontrast(image, cutoff=0, ignore=None, mask=None, preserve_tone=False):
    counts = image.convert("L").histogram(mask) if preserve_tone else image.histogram(mask)
    ignored = [] if ignore is None else [ignore] if isinstance(ignore, int) else ignore
    low, high = cutoff if isinstance(cutoff, tuple) else (cutoff, cutoff)
    lut = []
    for layer in range(0, len(counts), 256):
        h = counts[layer : layer + 256]
        for i in ignored:
            h[i] = 0
        if low or high:
            n = sum(h)
            cut = int(n * low // 100)
            for i in range(256):
                taken = min(cut, h[i])
                h[i] -= taken
                cut -= taken
                if cut <= 0:
                    break
            cut = int(n * high // 100)
            for i in range(255, -1, -1):
                taken = min(cut, h[i])
                h[i] -= taken
                cut -= taken
                if cut <= 0:
                    break
        there = [i for i in range(256) if h[i]]
        if not there or there[-1] <= there[0]:
            lut.extend(range(256))
            continue
        scale = 255.0 / (there[-1] - there[0])
        offset = -there[0] * scale
        lut.extend(max(0, min(255, int(i * scale + offset))) for i in range(256))
    return _lut(image, lut)


def equalize(image, mask=None):
    if image.mode == "P":
        image = image.convert("RGB")
    counts = image.histogram(mask)
    lut = []
    for band in range(0, len(counts), 256):
        h = [n for n in counts[band : band + 256] if n]
        step = (sum(h) - h[-1]) // 255 if len(h) > 1 else 0
        if not step:
            lut.extend(range(256))
            continue
        n = step // 2
        for i in range(256):
            lut.append(n // step)
            n += counts[band + i]
    return _lut(image, lut)


def invert(image):
    if image.mode in ("1", "L", "RGB"):
        return image.point([255 - i for i in range(256)] * len(image.getbands()))
    raise OSError(f"not supported for mode {image.mode}")


def mirror(image):
    return image.transpose(Image.Transpose.FLIP_LEFT_RIGHT)


def flip(image):
    return image.transpose(Image.Transpose.FLIP_TOP_BOTTOM)


def grayscale(image):
    return image.convert("L")


def posterize(image, bits):
    mask = ~(2 ** (8 - bits) - 1)
    return _lut(image, [i & mask for i in range(256)])


def solarize(image, threshold=128):
    return _lut(image, [i if i < threshold else 255 - i for i in range(256)])


def crop(image, border=0):
    left, top, right, bottom = _border(border)
    return image.crop((left, top, image.size[0] - right, image.size[1] - bottom))


def expand(image, border=0, fill=0):
    left, top, right, bottom = _border(border)
    size = left + image.size[0] + right, top + image.size[1] + bottom
    out = Image.new(image.mode, size, pixel_of(fill, image.mode) if len(image.getbands()) > 1 else fill)
    if image.mode == "P":
        out.palette = image.palette
    out.paste(image, (left, top))
    return out


def scale(image, factor, resample=Image.Resampling.BICUBIC):
    if factor == 1:
        return image.copy()
    if factor <= 0:
        raise ValueError("the factor must be greater than 0")
    return image.resize((round(factor * image.width), round(factor * image.height)), resample=resample)


def contain(image, size, method=Image.Resampling.BICUBIC):
    ratio, wanted = image.width / image.height, size[0] / size[1]
    if ratio > wanted:
        height = round(image.height / image.width * size[0])
        if height != size[1]:
            size = (size[0], height)
    elif ratio < wanted:
        width = round(image.width / image.height * size[1])
        if width != size[0]:
            size = (width, size[1])
    return image.resize(size, resample=method)


def cover(image, size, method=Image.Resampling.BICUBIC):
    ratio, wanted = image.width / image.height, size[0] / size[1]
    if ratio < wanted:
        size = (size[0], round(image.height / image.width * size[0]))
    elif ratio > wanted:
        size = (round(image.width / image.height * size[1]), size[1])
    return image.resize(size, resample=method)


def pad(image, size, method=Image.Resampling.BICUBIC, color=None, centering=(0.5, 0.5)):
    resized = contain(image, size, method)
    if resized.size == size:
        return resized
    out = Image.new(image.mode, size, 0 if color is None else color)
    if resized.width != size[0]:
        out.paste(resized, (round((size[0] - resized.width) * max(0, min(centering[0], 1))), 0))
    else:
        out.paste(resized, (0, round((size[1] - resized.height) * max(0, min(centering[1], 1)))))
    return out


def fit(image, size, method=Image.Resampling.BICUBIC, bleed=0.0, centering=(0.5, 0.5)):
    x, y = (c if 0.0 <= c <= 1.0 else 0.5 for c in centering)
    if not 0.0 <= bleed < 0.5:
        bleed = 0.0
    away_x, away_y = bleed * image.size[0], bleed * image.size[1]
    live = image.size[0] - away_x * 2, image.size[1] - away_y * 2
    ratio, wanted = live[0] / live[1], size[0] / size[1]
    if ratio == wanted:
        width, height = live
    elif ratio >= wanted:
        width, height = wanted * live[1], live[1]
    else:
        width, height = live[0], live[0] / wanted
    left = away_x + (live[0] - width) * x
    top = away_y + (live[1] - height) * y
    return image.resize(size, method, box=(left, top, left + width, top + height))


def exif_transpose(image, *, in_place=False):
    """Files are read without their EXIF data, so only what has none can be told to be upright."""
    if image.format in (None, "PNG", "GIF", "BMP"):
        return None if in_place else image.copy()
    raise refused("PIL.ImageOps.exif_transpose", "image")
