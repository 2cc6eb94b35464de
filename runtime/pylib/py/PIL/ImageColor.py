"""Names and notations of colours."""

import re
from colorsys import hls_to_rgb, hsv_to_rgb

from PIL._colors import colormap


def getrgb(color):
    """Red, green, blue, and how opaque where it is said."""
    if len(color) > 100:
        raise ValueError("color specifier is too long")
    color = color.lower()
    named = colormap.get(color)
    if named is not None:
        color = named
    digits = re.fullmatch("#([0-9a-f]+)", color)
    if digits:
        digits = digits.group(1)
        if len(digits) in (3, 4):
            return tuple(int(d * 2, 16) for d in digits)
        if len(digits) in (6, 8):
            return tuple(int(digits[i : i + 2], 16) for i in range(0, len(digits), 2))
    m = re.fullmatch(r"rgba?\(\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*(?:,\s*(\d+)\s*)?\)", color)
    if m and color.startswith("rgba") == (m.group(4) is not None):
        return tuple(int(v) for v in m.groups() if v is not None)
    m = re.fullmatch(r"rgb\(\s*(\d+)%\s*,\s*(\d+)%\s*,\s*(\d+)%\s*\)", color)
    if m:
        return tuple(int(int(v) * 255 / 100.0 + 0.5) for v in m.groups())
    m = re.fullmatch(r"hsl\(\s*(\d+\.?\d*)\s*,\s*(\d+\.?\d*)%\s*,\s*(\d+\.?\d*)%\s*\)", color)
    if m:
        h, s, light = (float(v) for v in m.groups())
        return tuple(int(v * 255 + 0.5) for v in hls_to_rgb(h / 360.0, light / 100.0, s / 100.0))
    m = re.fullmatch(r"hs[bv]\(\s*(\d+\.?\d*)\s*,\s*(\d+\.?\d*)%\s*,\s*(\d+\.?\d*)%\s*\)", color)
    if m:
        h, s, v = (float(v) for v in m.groups())
        return tuple(int(v * 255 + 0.5) for v in hsv_to_rgb(h / 360.0, s / 100.0, v / 100.0))
    raise ValueError(f"unknown color specifier: {repr(color)}")


def getcolor(color, mode):
    """A colour as a pixel of a mode."""
    rgb = getrgb(color)
    alpha = rgb[3] if len(rgb) == 4 else 255
    r, g, b = rgb[:3]
    if mode == "HSV":
        from colorsys import rgb_to_hsv

        h, s, v = rgb_to_hsv(r / 255, g / 255, b / 255)
        return int(h * 255), int(s * 255), int(v * 255)
    if mode in ("1", "L", "I", "F", "LA", "I;16"):
        grey = (r * 19595 + g * 38470 + b * 7471 + 0x8000) >> 16
        return (grey, alpha) if mode == "LA" else grey
    if mode[-1:] == "A":
        return r, g, b, alpha
    return rgb[:3] if len(rgb) == 4 and mode == "RGB" else rgb
