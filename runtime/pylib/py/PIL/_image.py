"""What a picture is: a tensor of rows and columns, and of bands where there are several."""

import torch

from PIL import ImageMode, _imaging
from PIL._util import missing

_DTYPES = {"I": torch.int32, "I;16": torch.int32, "F": torch.float32}

# Modes that have colours under how opaque they are, with the mode that has them weighted.
WEIGHTED = {"LA": "La", "RGBA": "RGBa"}


def dtype_of(mode):
    """The dtype of a mode's elements."""
    return _DTYPES.get(mode, torch.uint8)


def checked_mode(mode):
    """What is known of a mode; PyTorch's and Pillow's error for one that there is not."""
    try:
        return ImageMode.getmode(mode)
    except KeyError:
        raise ValueError("unrecognized image mode") from None


def filled(mode, size, pixel):
    """A tensor with one pixel everywhere."""
    width, height = size
    if len(checked_mode(mode).bands) == 1:
        return torch.full((height, width), pixel[0], dtype=dtype_of(mode))
    t = torch.empty(height, width, len(pixel), dtype=torch.uint8)
    t[...] = torch.tensor(pixel, dtype=torch.uint8)
    return t


def pixel_of(color, mode):
    """A colour as it is given, as the elements of a pixel."""
    if isinstance(color, str):
        from PIL import ImageColor

        color = ImageColor.getcolor(color, mode)
    bands = len(checked_mode(mode).bands)
    if mode == "F":
        return (float(color[0] if isinstance(color, (tuple, list)) else color),)
    if isinstance(color, (tuple, list)):
        if bands == 1 and len(color) == 1:
            color = color[0]
        elif bands == 1:
            raise TypeError("color must be int or single-element tuple")
        else:
            color = tuple(int(c) for c in color)
            if len(color) == 3 and bands == 4:
                color += (255,)
            elif bands == 2 and len(color) == 1:
                color += (255,)
            if len(color) != bands and not (bands == 3 and len(color) == 4):
                raise TypeError(
                    "color must be int, or tuple of one or two elements"
                    if bands == 2
                    else "color must be int, or tuple of one, three or four elements"
                )
            return tuple(max(0, min(255, c)) for c in color[:bands])
    if isinstance(color, float):
        if bands > 1 or mode == "I":
            raise TypeError(f"color must be int or tuple")
        color = int(color)
    if mode in ("I", "I;16"):
        return (int(color),)
    if bands == 1:
        return (max(0, min(255, int(color))),)
    if bands == 2:
        return max(0, min(255, int(color))), 255
    # The bytes of a number, from the lowest one on.
    color = int(color) & 0xFFFFFFFF
    return tuple(color >> 8 * band & 255 for band in range(bands))


def plain(t):
    """Of a tensor without dimensions or of bands: a number or a tuple of them."""
    return t.item() if t.dim() == 0 else tuple(t.tolist())


def convert(t, source, target, palette, transparency, dither):
    """The elements of a picture in another mode."""
    if source == "P":
        wide, colors = 3, palette
        if target in ("RGBA", "LA", "PA", "RGBa", "La") and transparency is not None:
            wide = 4
            count = len(palette) // 3
            opaque = bytes(transparency) + b"\xff" * count
            colors = b"".join(palette[3 * i : 3 * i + 3] + opaque[i : i + 1] for i in range(count))
        t, source = _imaging.of_palette(t, colors, wide), "RGB" if wide == 3 else "RGBA"
        if source == target:
            return t
    if target == "P":
        raise missing("convert('P'): a picture from colours to a palette")
    if target == "1" and dither:
        return _imaging.dither(t if source in ("L", "RGB") else convert(t, source, _plain(source), None, None, False))
    if source in _DTYPES or target in _DTYPES:
        return _between_numbers(t, source, target)
    return _imaging.convert(t, source, target)


def _plain(mode):
    """The mode without anything but greys or colours."""
    return "L" if mode in ("1", "LA", "La", "I", "F", "I;16") else "RGB"


def _between_numbers(t, source, target):
    """Where one of the two modes has numbers that are no bytes."""
    if source == target:
        return t
    if source in _DTYPES:
        if target in ("I", "F"):
            return t.to(_DTYPES[target])
        if target == "I;16":
            return t.clamp(0, 65535).to(torch.int32)
        if source == "I;16":
            t = (t >> 8).clamp(0, 255).to(torch.uint8)
        else:
            t = t.clamp(0, 255).to(torch.uint8)
        return t if target == "L" else _imaging.convert(t, "L", target)
    if source not in ("1", "L") and target == "F":
        if source == "LA":
            return t[..., 0].to(torch.float32)
        return _imaging.thousandths(t if source[:3] == "RGB" else _imaging.convert(t, source, "RGB")) / 1000.0
    if source in ("YCbCr", "HSV", "CMYK"):
        t, source = _imaging.convert(t, source, "RGB"), "RGB"
    grey = t if source in ("1", "L") else _imaging.convert(t, source, "L")
    return grey.to(_DTYPES[target])
