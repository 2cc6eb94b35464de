"""Modes: what a pixel is made of."""

from typing import NamedTuple


class ModeDescriptor(NamedTuple):
    mode: str
    bands: tuple
    basemode: str
    basetype: str
    typestr: str

    def __str__(self):
        return self.mode


_MODES = {
    name: ModeDescriptor(name, bands, base, kind, typestr)
    for name, bands, base, kind, typestr in [
        ("1", ("1",), "L", "L", "|b1"),
        ("L", ("L",), "L", "L", "|u1"),
        ("I", ("I",), "L", "I", "<i4"),
        ("F", ("F",), "L", "F", "<f4"),
        ("P", ("P",), "P", "L", "|u1"),
        ("RGB", ("R", "G", "B"), "RGB", "L", "|u1"),
        ("RGBX", ("R", "G", "B", "X"), "RGB", "L", "|u1"),
        ("RGBA", ("R", "G", "B", "A"), "RGB", "L", "|u1"),
        ("CMYK", ("C", "M", "Y", "K"), "RGB", "L", "|u1"),
        ("YCbCr", ("Y", "Cb", "Cr"), "RGB", "L", "|u1"),
        ("HSV", ("H", "S", "V"), "RGB", "L", "|u1"),
        ("LA", ("L", "A"), "L", "L", "|u1"),
        ("La", ("L", "a"), "L", "L", "|u1"),
        ("RGBa", ("R", "G", "B", "a"), "RGB", "L", "|u1"),
        ("I;16", ("I",), "L", "L", "<u2"),
    ]
}


def getmode(mode):
    """What is known of a mode; KeyError for one that there is not."""
    return _MODES[mode]
