"""Pictures and files: formats by name, what `save` takes for each."""

import os

from _refused import refused

from PIL import Image, _imaging
from PIL._util import is_path, missing

EXTENSIONS = {
    ".png": "PNG",
    ".apng": "PNG",
    ".jpg": "JPEG",
    ".jpeg": "JPEG",
    ".jpe": "JPEG",
    ".jfif": "JPEG",
    ".gif": "GIF",
    ".bmp": "BMP",
    ".webp": "WEBP",
    ".ppm": "PPM",
    ".pgm": "PPM",
    ".pnm": "PPM",
}

_DESCRIPTIONS = {
    "PNG": "Portable network graphics",
    "JPEG": "JPEG (ISO 10918)",
    "GIF": "Compuserve GIF",
    "BMP": "Windows Bitmap",
    "WEBP": "WebP image",
    "PPM": "Pbmplus image",
}

# What changes a file's length and not its pixels.
_HARMLESS = {"optimize", "compress_level", "progressive", "method"}


class PngImageFile(Image.Image):
    """From a file."""

    __module__ = "PIL.PngImagePlugin"


class JpegImageFile(Image.Image):
    """From a file."""

    __module__ = "PIL.JpegImagePlugin"


class GifImageFile(Image.Image):
    """From a file."""

    __module__ = "PIL.GifImagePlugin"


class BmpImageFile(Image.Image):
    """From a file."""

    __module__ = "PIL.BmpImagePlugin"


class PpmImageFile(Image.Image):
    """From a file."""

    __module__ = "PIL.PpmImagePlugin"


class WebPImageFile(Image.Image):
    """From a file."""

    __module__ = "PIL.WebPImagePlugin"


_CLASSES = {
    "PNG": PngImageFile,
    "JPEG": JpegImageFile,
    "GIF": GifImageFile,
    "BMP": BmpImageFile,
    "WEBP": WebPImageFile,
    "PPM": PpmImageFile,
}


def opened(data, formats):
    """A picture whose pixels are decoded when they are wanted; None if the bytes are of no known format."""
    found = _imaging.header(data)
    if found is None or (formats is not None and found[0] not in [name.upper() for name in formats]):
        return None
    name, mode, width, height = found
    im = _CLASSES[name]()
    im.format, im.format_description = name, _DESCRIPTIONS[name]
    im._file, im._mode, im._size = data, mode, (width, height)
    return im


def encoded(im, format, params):
    """The bytes of a file."""
    given = {name: value for name, value in params.items() if name not in _HARMLESS and value is not None}
    quality = given.pop("quality", 75) if format == "JPEG" else 75
    lossless = given.pop("lossless", True) if format == "WEBP" else True
    if not lossless or (format == "WEBP" and "quality" in given):
        raise missing("a WebP file with losses (lossless=True writes one without)")
    for name in given:
        raise refused("PIL.Image.Image.save", name)
    if isinstance(quality, str):
        raise refused("PIL.Image.Image.save", "quality")
    t, mode = im._pixels(), im.mode
    if format == "JPEG" and mode in ("CMYK", "RGBX"):
        raise missing(f"a JPEG file of mode {mode}")
    if format == "JPEG" and mode not in ("1", "L", "RGB"):
        raise OSError(f"cannot write mode {mode} as JPEG")
    if format != "PNG" and mode in ("P", "LA"):
        im = im.convert("RGBA" if mode == "LA" or "transparency" in im.info else "RGB")
        t, mode = im._pixels(), im.mode
    if format == "BMP" and mode == "1":
        im = im.convert("L")
        t, mode = im._pixels(), im.mode
    palette = im.palette.palette if mode == "P" else None
    return _imaging.encode(t, format, mode, palette, int(quality))


def save(im, fp, format, params):
    """Writes a picture to a path or a file object."""
    name = ""
    if is_path(fp):
        name = os.fspath(fp)
    elif isinstance(getattr(fp, "name", None), (str, bytes)):
        name = fp.name
    extension = os.path.splitext(os.fsdecode(name))[1].lower()
    if format is None:
        format = EXTENSIONS.get(extension)
        if format is None:
            raise ValueError(f"unknown file extension: {extension}")
    format = {"JPG": "JPEG"}.get(format.upper(), format.upper())
    if format not in _CLASSES:
        raise missing(f"a file of format {format}") if format in _OTHERS else KeyError(format)
    if params.pop("save_all", False):
        raise missing("a file of several pictures (save_all)")
    data = encoded(im, format, params)
    if is_path(fp):
        with open(fp, "wb") as f:
            f.write(data)
    else:
        fp.write(data)


_OTHERS = {"TIFF", "PDF", "PPM", "ICO", "TGA", "EPS", "JPEG2000", "AVIF", "PCX", "ICNS", "DDS", "SGI", "XBM"}
