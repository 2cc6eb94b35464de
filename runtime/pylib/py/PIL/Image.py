"""Pictures: made, read, changed, written."""

import builtins
import math
import os
import warnings
from enum import IntEnum

import torch
from _refused import refused

from PIL import UnidentifiedImageError, _imaging
from PIL._image import WEIGHTED, checked_mode, convert, dtype_of, filled, pixel_of, plain
from PIL._util import is_path, missing


class Transpose(IntEnum):
    FLIP_LEFT_RIGHT = 0
    FLIP_TOP_BOTTOM = 1
    ROTATE_90 = 2
    ROTATE_180 = 3
    ROTATE_270 = 4
    TRANSPOSE = 5
    TRANSVERSE = 6


class Transform(IntEnum):
    AFFINE = 0
    EXTENT = 1
    PERSPECTIVE = 2
    QUAD = 3
    MESH = 4


class Resampling(IntEnum):
    NEAREST = 0
    BOX = 4
    BILINEAR = 2
    HAMMING = 5
    BICUBIC = 3
    LANCZOS = 1


class Dither(IntEnum):
    NONE = 0
    ORDERED = 1
    RASTERIZE = 2
    FLOYDSTEINBERG = 3


class Palette(IntEnum):
    WEB = 0
    ADAPTIVE = 1


class Quantize(IntEnum):
    MEDIANCUT = 0
    MAXCOVERAGE = 1
    FASTOCTREE = 2
    LIBIMAGEQUANT = 3


for _kind in (Transpose, Transform, Resampling, Dither, Palette, Quantize):
    for _item in _kind:
        globals()[_item.name] = _item
NONE = Dither.NONE
MAX_IMAGE_PIXELS = int(1024 * 1024 * 1024 // 4 // 3)
_FILTERS = {
    Resampling.NEAREST: "Image.Resampling.NEAREST",
    Resampling.LANCZOS: "Image.Resampling.LANCZOS",
    Resampling.BILINEAR: "Image.Resampling.BILINEAR",
    Resampling.BICUBIC: "Image.Resampling.BICUBIC",
    Resampling.BOX: "Image.Resampling.BOX",
    Resampling.HAMMING: "Image.Resampling.HAMMING",
}


class DecompressionBombWarning(RuntimeWarning):
    """A file with more pixels than expected."""


class DecompressionBombError(Exception):
    """A file with far more pixels than expected."""


class ImagePalette:
    """The colours of a picture of indices."""

    def __init__(self, mode="RGB", palette=None):
        self.mode = mode
        self.palette = bytes(palette) if palette is not None else b""

    @property
    def colors(self):
        wide = len(self.mode)
        entries = [tuple(self.palette[i : i + wide]) for i in range(0, len(self.palette), wide)]
        return {color: i for i, color in reversed(list(enumerate(entries)))}

    def getdata(self):
        return self.mode, self.palette

    def tobytes(self):
        return self.palette


class PixelAccess:
    """Pixels by column and row."""

    def __init__(self, image):
        self._image = image

    def __getitem__(self, xy):
        return self._image.getpixel(xy)

    def __setitem__(self, xy, color):
        self._image.putpixel(xy, color)


class Image:
    """A picture of a size and a mode."""

    format = None
    format_description = None
    is_animated = False
    n_frames = 1

    def __init__(self):
        self._t = None
        self._file = None
        self._mode = ""
        self._size = (0, 0)
        self.info = {}
        self.palette = None
        self.readonly = 0
        self.filename = ""

    # What it is

    @property
    def mode(self):
        return self._mode

    @property
    def size(self):
        return self._size

    @property
    def width(self):
        return self._size[0]

    @property
    def height(self):
        return self._size[1]

    def getbands(self):
        return checked_mode(self._mode).bands

    def __repr__(self):
        kind = type(self)
        return (
            f"<{kind.__module__}.{kind.__name__} image mode={self.mode} "
            f"size={self.size[0]}x{self.size[1]} at 0x{id(self):X}>"
        )

    def __eq__(self, other):
        if self.__class__ is not other.__class__:
            return False
        return (
            self.mode == other.mode
            and self.size == other.size
            and self.info == other.info
            and self.getpalette() == other.getpalette()
            and self.tobytes() == other.tobytes()
        )

    __hash__ = None

    def __enter__(self):
        return self

    def __exit__(self, *args):
        self.close()

    def close(self):
        self._file = None

    def __getstate__(self):
        self.load()
        return [self.info, self.mode, self.size, self.getpalette(), self.tobytes()]

    def __setstate__(self, state):
        info, mode, size, palette, data = state
        made = frombytes(mode, size, data)
        self.__init__()
        self.__dict__.update(made.__dict__)
        self.info = info
        if palette:
            self.putpalette(palette)

    @property
    def __array_interface__(self):
        bands = len(self.getbands())
        shape = (self.height, self.width, bands) if bands > 1 else (self.height, self.width)
        data = self.tobytes("raw", "L") if self.mode == "1" else self.tobytes()
        return {"shape": shape, "typestr": checked_mode(self.mode).typestr, "version": 3, "data": data}

    def __array__(self, dtype=None, copy=None):
        if copy is False:
            raise refused("PIL.Image.Image.__array__", "copy")
        t = self._pixels().clone()
        if self.mode == "1":
            t = t != 0
        a = t.numpy()
        if self.mode == "I;16":
            a = a.astype("uint16")
        return a if dtype is None else a.astype(dtype)

    # Pixels

    def _pixels(self):
        """The tensor, after the file was decoded."""
        if self._t is None:
            self.load()
        return self._t

    def load(self):
        if self._t is None:
            if self._file is None:
                raise ValueError("Operation on closed image")
            _, self._mode, self._t, palette, transparency = _imaging.decode(self._file)
            self._file = None
            if palette is not None:
                self.palette = ImagePalette("RGB", palette)
            if transparency is not None:
                clear = [i for i, a in enumerate(transparency) if a != 255]
                single = len(clear) == 1 and transparency[clear[0]] == 0
                self.info["transparency"] = clear[0] if single else transparency
        return PixelAccess(self)

    def verify(self):
        """Raises if the file is damaged."""
        self.load()

    def _like(self, t, mode=None):
        """A picture of other pixels, of the same kind."""
        im = of_tensor(t, mode or self._mode)
        im.info = self.info.copy()
        if im._mode == "P" and self._mode == "P":
            im.palette = self.palette
        return im

    def copy(self):
        return self._like(self._pixels().clone())

    __copy__ = copy

    def tobytes(self, encoder_name="raw", *args):
        if encoder_name != "raw":
            raise refused("PIL.Image.Image.tobytes", "encoder_name")
        t = self._pixels()
        raw = args[0] if args else self.mode
        if isinstance(raw, tuple):
            raw = raw[0]
        if self.mode == "1" and raw == "1":
            return _imaging.packed(t)
        if raw != self.mode and not (self.mode == "1" and raw == "L"):
            raise missing(f"tobytes() of mode {self.mode} as {raw}")
        if self.mode == "I;16":
            return t.to(torch.int16).numpy().tobytes()
        return t.numpy().tobytes()

    def frombytes(self, data, decoder_name="raw", *args):
        if decoder_name != "raw":
            raise refused("PIL.Image.Image.frombytes", "decoder_name")
        made = frombytes(self.mode, self.size, data, decoder_name, *args)
        self._t = made._t

    def getpixel(self, xy):
        x, y = int(xy[0]), int(xy[1])
        width, height = self.size
        t = self._pixels()
        if not (-width <= x < width and -height <= y < height):
            raise IndexError("image index out of range")
        return plain(t[y, x])

    def putpixel(self, xy, value):
        x, y = int(xy[0]), int(xy[1])
        width, height = self.size
        if not (-width <= x < width and -height <= y < height):
            raise IndexError("image index out of range")
        if self.mode == "P" and isinstance(value, (tuple, list)):
            raise missing("putpixel() of a colour where the mode is P")
        pixel = pixel_of(value, self._mode)
        t = self._pixels()
        t[y, x] = pixel[0] if len(pixel) == 1 else torch.tensor(pixel, dtype=t.dtype)

    def getdata(self, band=None):
        t = self._pixels()
        if band is not None and t.dim() == 3:
            t = t[..., band]
        if t.dim() == 2:
            return t.reshape(-1).tolist()
        return [tuple(p) for p in t.reshape(-1, t.shape[2]).tolist()]

    get_flattened_data = getdata

    def putdata(self, data, scale=1.0, offset=0.0):
        if scale != 1.0 or offset != 0.0:
            data = [v * scale + offset for v in data]
        t = self._pixels()
        flat = t.reshape(-1) if t.dim() == 2 else t.reshape(-1, t.shape[2])
        given = torch.tensor([v if t.dim() == 2 else pixel_of(v, self.mode) for v in data])
        if not t.dtype.is_floating_point and t.dtype == torch.uint8:
            given = given.to(torch.int64).clamp(0, 255)
        flat[: len(given)] = given.to(t.dtype)
        self._t = flat.reshape(t.shape)

    def getchannel(self, channel):
        bands = self.getbands()
        if isinstance(channel, str):
            if channel not in bands:
                raise ValueError(f'The image has no channel "{channel}"')
            channel = bands.index(channel)
        t = self._pixels()
        return of_tensor(t.clone() if t.dim() == 2 else t[..., channel].clone(), "L" if t.dim() == 3 else self.mode)

    def split(self):
        if len(self.getbands()) == 1:
            return (self.copy(),)
        return tuple(of_tensor(t.contiguous(), "L") for t in self._pixels().unbind(2))

    def getextrema(self):
        t = self._pixels()
        parts = [t] if t.dim() == 2 else t.unbind(2)
        found = [(p.min().item(), p.max().item()) for p in parts]
        return found[0] if len(found) == 1 else tuple(found)

    def histogram(self, mask=None, extrema=None):
        if extrema is not None:
            raise refused("PIL.Image.Image.histogram", "extrema")
        t = self._pixels()
        if t.dtype != torch.uint8:
            raise missing(f"histogram() of mode {self.mode}")
        parts = [t] if t.dim() == 2 else t.unbind(2)
        if mask is not None:
            chosen = mask._pixels() != 0
            parts = [p[chosen] for p in parts]
        return [n for p in parts for n in torch.bincount(p.reshape(-1).to(torch.int64), minlength=256).tolist()]

    def entropy(self, mask=None, extrema=None):
        counts = [n for n in self.histogram(mask, extrema) if n]
        total = sum(counts)
        return -sum(n / total * math.log2(n / total) for n in counts)

    def getcolors(self, maxcolors=256):
        counts = {}
        for pixel in self.getdata():
            counts[pixel] = counts.get(pixel, 0) + 1
        return [(n, pixel) for pixel, n in counts.items()] if len(counts) <= maxcolors else None

    def getbbox(self, *, alpha_only=True):
        t = self._pixels()
        if t.dim() == 3:
            t = t[..., -1] if alpha_only and self.mode in ("LA", "RGBA", "La", "RGBa") else t.amax(2)
        rows, columns = (t != 0).any(1).nonzero(), (t != 0).any(0).nonzero()
        if len(rows) == 0:
            return None
        return columns[0].item(), rows[0].item(), columns[-1].item() + 1, rows[-1].item() + 1

    def getpalette(self, rawmode="RGB"):
        if rawmode != "RGB":
            raise refused("PIL.Image.Image.getpalette", "rawmode")
        self._pixels()
        return list(self.palette.palette) if self.palette is not None else None

    def putpalette(self, data, rawmode="RGB"):
        if self.mode not in ("L", "P"):
            raise ValueError("illegal image mode")
        if isinstance(data, ImagePalette):
            rawmode, data = data.mode, data.palette
        if rawmode != "RGB":
            raise refused("PIL.Image.Image.putpalette", "rawmode")
        self._pixels()
        self.palette = ImagePalette("RGB", bytes(data))
        self._mode = "P"

    def getexif(self):
        raise missing("Image.getexif()")

    def tell(self):
        return 0

    def seek(self, frame):
        if frame != 0:
            raise missing("a frame of a picture other than the first one")

    # Other modes

    def convert(self, mode=None, matrix=None, dither=None, palette=Palette.WEB, colors=256):
        t = self._pixels()
        if palette != Palette.WEB:
            raise refused("PIL.Image.Image.convert", "palette")
        if colors != 256:
            raise refused("PIL.Image.Image.convert", "colors")
        if matrix is not None:
            return self._by_matrix(mode, matrix)
        if mode is None:
            mode = "RGB" if self.mode == "P" else self.mode
        checked_mode(mode)
        if mode == self.mode:
            return self.copy()
        colors, opaque = (self.palette.palette, self.info.get("transparency")) if self.mode == "P" else (None, None)
        if isinstance(opaque, int):
            opaque = b"\xff" * opaque + b"\0"
        dithered = dither is None or dither == Dither.FLOYDSTEINBERG
        im = self._like(convert(t, self.mode, mode, colors, opaque, dithered), mode)
        im.info.pop("transparency", None)
        return im

    def _by_matrix(self, mode, matrix):
        if mode not in ("L", "RGB"):
            raise ValueError("illegal conversion")
        t = self._pixels().to(torch.float32)
        rows = [matrix[i : i + 4] for i in range(0, len(matrix), 4)]
        parts = [t[..., 0] * a + t[..., 1] * b + t[..., 2] * c + d + 0.5 for a, b, c, d in rows]
        made = [p.clamp(0, 255).to(torch.uint8) for p in parts]
        return self._like(made[0] if mode == "L" else torch.stack(made, 2), mode)

    def quantize(self, colors=256, method=None, kmeans=0, palette=None, dither=Dither.FLOYDSTEINBERG):
        raise missing(f"Image.quantize() of {(colors, method, kmeans, palette, dither)}")

    def putalpha(self, alpha):
        t = self._pixels()
        if self.mode not in ("LA", "RGBA"):
            target = "LA" if self.mode in ("1", "L") else "RGBA"
            self._t = t = self.convert(target)._t
            self._mode = target
        else:
            self._t = t = t.clone()
        if isinstance(alpha, Image):
            if alpha.size != self.size:
                raise ValueError("images do not match")
            t[..., -1] = (alpha if alpha.mode == "L" else alpha.convert("L"))._pixels()
        else:
            t[..., -1] = max(0, min(255, int(alpha)))

    def point(self, lut, mode=None):
        t = self._pixels()
        if mode is not None and mode != "L" and mode != "1" and mode != self.mode:
            raise refused("PIL.Image.Image.point", "mode")
        if callable(lut):
            if self.mode in ("I", "I;16", "F"):
                scale, offset = lut(_Linear(1, 0))._parts()
                return self._like((t.to(torch.float64) * scale + offset).to(t.dtype))
            lut = [lut(i) for i in range(256)] * len(self.getbands())
        bands = len(self.getbands())
        if len(lut) != 256 * bands:
            raise ValueError("wrong number of lut entries")
        table = torch.tensor([max(0, min(255, round(v))) for v in lut], dtype=torch.uint8)
        if t.dim() == 2:
            return self._like(table[t.to(torch.int64)], mode)
        parts = [table[256 * i : 256 * i + 256][t[..., i].to(torch.int64)] for i in range(bands)]
        return self._like(torch.stack(parts, 2))

    # Other sizes and places

    def resize(self, size, resample=None, box=None, reducing_gap=None):
        if resample is None:
            resample = Resampling.NEAREST if self.mode.startswith("I;") else Resampling.BICUBIC
        elif resample not in _FILTERS:
            names = ", ".join(f"{name} ({filter.value})" for filter, name in _FILTERS.items())
            raise ValueError(f"Unknown resampling filter ({resample}). Use {names}")
        if reducing_gap is not None and reducing_gap < 1.0:
            raise ValueError("reducing_gap must be 1.0 or greater")
        size = (int(size[0]), int(size[1]))
        t = self._pixels()
        box = (0.0, 0.0, float(self.width), float(self.height)) if box is None else tuple(float(v) for v in box)
        if min(size) <= 0:
            raise ValueError("height and width must be > 0")
        if box[0] < 0 or box[1] < 0:
            raise ValueError("box offset can't be negative")
        if box[2] > self.width or box[3] > self.height:
            raise ValueError("box can't exceed original image size")
        if box[2] < box[0] or box[3] < box[1]:
            raise ValueError("box can't be empty")
        if self.size == size and box == (0, 0, *self.size):
            return self.copy()
        if self.mode in ("1", "P"):
            resample = Resampling.NEAREST
        if resample == Resampling.NEAREST:
            across, along = (box[2] - box[0]) / size[0], (box[3] - box[1]) / size[1]
            onto = filled(self.mode, size, (0,) * len(self.getbands()))
            return self._like(_imaging.transform(t, onto, (across, 0.0, box[0], 0.0, along, box[1]), 0))
        if self.mode in WEIGHTED:
            return self.convert(WEIGHTED[self.mode]).resize(size, resample, box, reducing_gap).convert(self.mode)
        if reducing_gap is not None:
            factor_x = int((box[2] - box[0]) / size[0] / reducing_gap) or 1
            factor_y = int((box[3] - box[1]) / size[1] / reducing_gap) or 1
            if factor_x > 1 or factor_y > 1:
                if box != (0, 0, *self.size) or t.dtype != torch.uint8:
                    raise refused("PIL.Image.Image.resize", "reducing_gap")
                t = _imaging.reduce(t, factor_x, factor_y)
                box = (0.0, 0.0, box[2] / factor_x, box[3] / factor_y)
        return self._like(_imaging.resize(t, size[0], size[1], box, int(resample)))

    def reduce(self, factor, box=None):
        fx, fy = factor if isinstance(factor, (tuple, list)) else (factor, factor)
        im = self if box is None else self.crop(box)
        if im.mode in WEIGHTED:
            return im.convert(WEIGHTED[im.mode]).reduce((fx, fy)).convert(im.mode)
        return im._like(_imaging.reduce(im._pixels(), fx, fy))

    def thumbnail(self, size, resample=Resampling.BICUBIC, reducing_gap=2.0):
        width, height = (math.floor(v) for v in size)
        if width >= self.width and height >= self.height:
            return
        aspect = self.width / self.height

        def nearest(number, distance):
            return max(min(math.floor(number), math.ceil(number), key=distance), 1)

        if width / height >= aspect:
            width = nearest(height * aspect, lambda n: abs(aspect - n / height))
        else:
            height = nearest(width / aspect, lambda n: 0 if n == 0 else abs(aspect - width / n))
        if self.size != (width, height):
            made = self.resize((width, height), resample, reducing_gap=reducing_gap)
            self._t, self._size, self._mode = made._t, made._size, made._mode

    def crop(self, box=None):
        if box is None:
            return self.copy()
        left, top, right, bottom = (int(round(v)) for v in box)
        if right < left:
            raise ValueError("Coordinate 'right' is less than 'left'")
        if bottom < top:
            raise ValueError("Coordinate 'lower' is less than 'upper'")
        t = self._pixels()
        width, height = self.size
        if left >= 0 and top >= 0 and right <= width and bottom <= height:
            return self._like(t[top:bottom, left:right].clone())
        out = torch.zeros((bottom - top, right - left) + tuple(t.shape[2:]), dtype=t.dtype)
        part = t[max(top, 0) : max(min(bottom, height), 0), max(left, 0) : max(min(right, width), 0)]
        if part.numel():
            y, x = max(-top, 0), max(-left, 0)
            out[y : y + part.shape[0], x : x + part.shape[1]] = part
        return self._like(out)

    def transpose(self, method):
        t = self._pixels()
        if method == Transpose.FLIP_LEFT_RIGHT:
            t = t.flip(1)
        elif method == Transpose.FLIP_TOP_BOTTOM:
            t = t.flip(0)
        elif method == Transpose.ROTATE_90:
            t = t.transpose(0, 1).flip(0)
        elif method == Transpose.ROTATE_180:
            t = t.flip(0, 1)
        elif method == Transpose.ROTATE_270:
            t = t.transpose(0, 1).flip(1)
        elif method == Transpose.TRANSPOSE:
            t = t.transpose(0, 1)
        elif method == Transpose.TRANSVERSE:
            t = t.transpose(0, 1).flip(0, 1)
        else:
            raise ValueError("No such transpose operation")
        return self._like(t.contiguous().clone())

    def rotate(self, angle, resample=Resampling.NEAREST, expand=False, center=None, translate=None, fillcolor=None):
        angle = angle % 360.0
        if not (center or translate):
            if angle == 0:
                return self.copy()
            if angle == 180:
                return self.transpose(Transpose.ROTATE_180)
            if angle in (90, 270) and (expand or self.width == self.height):
                return self.transpose(Transpose.ROTATE_90 if angle == 90 else Transpose.ROTATE_270)
        w, h = self.size
        move_x, move_y = translate or (0, 0)
        center_x, center_y = center or (w / 2, h / 2)
        turn = -math.radians(angle)
        cos, sin, minus = round(math.cos(turn), 15), round(math.sin(turn), 15), round(-math.sin(turn), 15)

        def moved(x, y, c, f):
            return cos * x + sin * y + c, minus * x + cos * y + f

        c, f = moved(-center_x - move_x, -center_y - move_y, 0.0, 0.0)
        c, f = c + center_x, f + center_y
        if expand:
            corners = [moved(x, y, c, f) for x, y in ((0, 0), (w, 0), (w, h), (0, h))]
            xs, ys = [x for x, _ in corners], [y for _, y in corners]
            new_w = math.ceil(max(xs)) - math.floor(min(xs))
            new_h = math.ceil(max(ys)) - math.floor(min(ys))
            c, f = moved(-(new_w - w) / 2.0, -(new_h - h) / 2.0, c, f)
            w, h = new_w, new_h
        matrix = (cos, sin, c, minus, cos, f)
        return self.transform((w, h), Transform.AFFINE, matrix, resample, fillcolor=fillcolor)

    def transform(self, size, method, data=None, resample=Resampling.NEAREST, fill=1, fillcolor=None):
        if fill != 1:
            raise refused("PIL.Image.Image.transform", "fill")
        if self.mode in WEIGHTED and resample != Resampling.NEAREST:
            weighted = self.convert(WEIGHTED[self.mode])
            if fillcolor is not None:
                fillcolor = new(self.mode, (1, 1), fillcolor).convert(WEIGHTED[self.mode]).getpixel((0, 0))
            return weighted.transform(size, method, data, resample, fill, fillcolor).convert(self.mode)
        if method == Transform.EXTENT:
            x0, y0, x1, y1 = data
            data = ((x1 - x0) / size[0], 0.0, x0, 0.0, (y1 - y0) / size[1], y0)
        elif method == Transform.AFFINE:
            data = data[:6]
        elif method == Transform.PERSPECTIVE:
            data = data[:8]
        else:
            raise missing(f"Image.transform() by {method}")
        if resample not in (Resampling.NEAREST, Resampling.BILINEAR, Resampling.BICUBIC):
            raise ValueError(f"Resampling filter ({resample}) cannot be used.")
        if self.mode in ("1", "P"):
            resample = Resampling.NEAREST
        pixel = (0,) * len(self.getbands()) if fillcolor is None else pixel_of(fillcolor, self.mode)
        onto = filled(self.mode, size, pixel)
        data = tuple(float(v) for v in data)
        return self._like(_imaging.transform(self._pixels(), onto, data, int(resample)))

    def paste(self, im, box=None, mask=None):
        if isinstance(box, Image):
            if mask is not None:
                raise ValueError("If using second argument as mask, third argument must be None")
            mask, box = box, None
        box = (0, 0) if box is None else tuple(box)
        if len(box) == 2:
            if isinstance(im, Image):
                size = im.size
            elif isinstance(mask, Image):
                size = mask.size
            else:
                size = (self.width - box[0], self.height - box[1])
            if not isinstance(im, Image) and mask is None and box != (0, 0):
                raise ValueError("cannot determine region size; use 4-item box")
            box = (box[0], box[1], box[0] + size[0], box[1] + size[1])
        left, top, right, bottom = box
        under = self._pixels()
        if isinstance(im, Image):
            if im.size != (right - left, bottom - top):
                raise ValueError("images do not match")
            if im.mode != self.mode:
                im = im.convert(self.mode)
            over = im._pixels()
        else:
            over = filled(self.mode, (right - left, bottom - top), pixel_of(im, self.mode))
        if mask is not None:
            if mask.mode in ("LA", "RGBA"):
                mask = mask.getchannel("A")
            elif mask.mode not in ("1", "L"):
                raise ValueError("bad transparency mask")
            if mask.size != (right - left, bottom - top):
                raise ValueError("images do not match")
            if under.dtype != torch.uint8:
                raise missing(f"paste() with a mask on mode {self.mode}")
            mask = mask._pixels()
        if under.dtype == torch.uint8:
            self._t = _imaging.paste(under, over, mask, left, top)
            return
        # Of numbers that are no bytes: what of it is inside.
        y, x = max(-top, 0), max(-left, 0)
        part = over[y : self.height - top, x : self.width - left]
        under[top + y : top + y + part.shape[0], left + x : left + x + part.shape[1]] = part

    def alpha_composite(self, im, dest=(0, 0), source=(0, 0)):
        box = dest + (dest[0] + im.width - source[0], dest[1] + im.height - source[1])
        over = im.crop(source + im.size)
        under = self.crop(box)
        self.paste(alpha_composite(under, over), box)

    def filter(self, filter):
        if callable(filter):
            filter = filter()
        if not hasattr(filter, "filter"):
            raise TypeError("filter argument should be ImageFilter.Filter instance or class")
        return self._like(filter.filter(self._pixels()))

    # Files

    def save(self, fp, format=None, **params):
        from PIL import _files

        _files.save(self, fp, format, params)

    def show(self, title=None):
        raise missing(f"Image.show({title or ''}): there is no screen; save() writes a file, and this")


class _Linear:
    """What `point` finds of a function of numbers: it multiplies and adds."""

    def __init__(self, scale, offset):
        self.scale, self.offset = scale, offset

    def _parts(self):
        return self.scale, self.offset

    def __add__(self, other):
        return _Linear(self.scale, self.offset + other)

    __radd__ = __add__

    def __sub__(self, other):
        return _Linear(self.scale, self.offset - other)

    def __rsub__(self, other):
        return _Linear(-self.scale, other - self.offset)

    def __mul__(self, other):
        return _Linear(self.scale * other, self.offset * other)

    __rmul__ = __mul__

    def __truediv__(self, other):
        return _Linear(self.scale / other, self.offset / other)

    def __neg__(self):
        return _Linear(-self.scale, -self.offset)


def of_tensor(t, mode):
    """A picture over a tensor of a mode's dtype and bands."""
    im = Image()
    im._t, im._mode, im._size = t, mode, (t.shape[1], t.shape[0])
    if mode == "P":
        im.palette = ImagePalette("RGB", bytes(v for i in range(256) for v in (i, i, i)))
    return im


def new(mode, size, color=0):
    checked_mode(mode)
    if len(size) != 2:
        raise ValueError("Size must be a sequence of length 2")
    if size[0] < 0 or size[1] < 0:
        raise ValueError("Width and height must be >= 0")
    im = of_tensor(filled(mode, size, pixel_of(0 if color is None else color, mode)), mode)
    return im


def frombytes(mode, size, data, decoder_name="raw", *args):
    if decoder_name != "raw":
        raise refused("PIL.Image.frombytes", "decoder_name")
    raw = args[0] if args else mode
    if isinstance(raw, tuple):
        raw = raw[0]
    bands = len(checked_mode(mode).bands)
    width, height = size
    data = bytes(data)
    if mode == "1" and raw == "1":
        stride = (width + 7) // 8
        rows = [data[stride * y : stride * y + stride] for y in range(height)]
        data = bytes(255 if row[x // 8] >> 7 - x % 8 & 1 else 0 for row in rows for x in range(width))
    elif raw != mode and not (mode == "RGB" and raw == "BGR"):
        raise missing(f"frombytes() of mode {mode} from {raw}")
    dtype = torch.int16 if mode == "I;16" else dtype_of(mode)
    needed = width * height * bands * dtype.itemsize
    if len(data) < needed:
        raise ValueError("not enough image data")
    if len(data) > needed:
        raise ValueError("cannot decode image data")
    t = torch._C._tensor_of_bytes(data, dtype)
    if mode == "I;16":
        t = t.to(torch.int32) & 0xFFFF
    t = t.reshape((height, width) if bands == 1 else (height, width, bands))
    return of_tensor(t.flip(2).contiguous() if raw == "BGR" else t, mode)


def frombuffer(mode, size, data, decoder_name="raw", *args):
    return frombytes(mode, size, data, decoder_name, *args)


_OF_ARRAYS = {
    ("bool", 0): "1",
    ("uint8", 0): "L",
    ("uint16", 0): "I;16",
    ("int32", 0): "I",
    ("float32", 0): "F",
    ("float64", 0): "F",
    ("uint8", 2): "LA",
    ("uint8", 3): "RGB",
    ("uint8", 4): "RGBA",
}


def fromarray(obj, mode=None):
    import numpy

    a = numpy.asarray(obj)
    bands = a.shape[2] if a.ndim == 3 else 0
    found = _OF_ARRAYS.get((a.dtype.name, bands)) or _OF_ARRAYS.get((a.dtype.name, 0 if bands == 1 else bands))
    if a.ndim not in (2, 3) or found is None:
        shape = (1, 1) + a.shape[2:]
        raise TypeError(f"Cannot handle this data type: {shape}, {a.dtype.str}")
    if mode is None:
        mode = found
    elif mode != found and (dtype_of(mode), len(checked_mode(mode).bands)) != (dtype_of(found), max(bands, 1)):
        raise missing(f"fromarray() of {a.dtype} as mode {mode}")
    if found == "I;16":
        a = a.astype("int32")
    t = torch.from_numpy(a.copy()) if a.size else torch.zeros(a.shape)
    if found == "1":
        t = t.to(torch.uint8) * 255
    t = t.to(dtype_of(mode))
    return of_tensor(t.reshape(t.shape[:2]) if bands == 1 else t, mode)


def open(fp, mode="r", formats=None):
    from PIL import _files

    if mode != "r":
        raise ValueError(f"bad mode {repr(mode)}")
    name = os.fspath(fp) if is_path(fp) else ""
    if name:
        with builtins.open(name, "rb") as f:
            data = f.read()
    else:
        data = fp.read()
    im = _files.opened(data, formats)
    if im is None:
        raise UnidentifiedImageError(f"cannot identify image file {repr(name or fp)}")
    pixels = im.width * im.height
    if MAX_IMAGE_PIXELS is not None and pixels > 2 * MAX_IMAGE_PIXELS:
        raise DecompressionBombError(
            f"Image size ({pixels} pixels) exceeds limit of {2 * MAX_IMAGE_PIXELS} pixels, "
            "could be decompression bomb DOS attack."
        )
    if MAX_IMAGE_PIXELS is not None and pixels > MAX_IMAGE_PIXELS:
        warnings.warn(
            f"Image size ({pixels} pixels) exceeds limit of {MAX_IMAGE_PIXELS} pixels, "
            "could be decompression bomb DOS attack.",
            DecompressionBombWarning,
        )
    im.filename = name
    return im


def merge(mode, bands):
    if len(checked_mode(mode).bands) != len(bands):
        raise ValueError("wrong number of bands")
    for band in bands[1:]:
        if band.mode != bands[0].mode:
            raise ValueError("mode mismatch")
        if band.size != bands[0].size:
            raise ValueError("size mismatch")
    parts = [band._pixels() for band in bands]
    return of_tensor(parts[0].clone() if len(parts) == 1 else torch.stack(parts, 2), mode)


def blend(im1, im2, alpha):
    if (im1.mode, im1.size) != (im2.mode, im2.size) or im1.mode in ("1", "P", "I", "F", "I;16"):
        raise ValueError("images do not match" if im1.size != im2.size else "image has wrong mode")
    return of_tensor(_imaging.blend(im1._pixels(), im2._pixels(), float(alpha)), im1.mode)


def composite(image1, image2, mask):
    image = image2.copy()
    image.paste(image1, None, mask)
    return image


def alpha_composite(im1, im2):
    if im1.mode != "RGBA" or im2.mode != "RGBA":
        raise ValueError("image has wrong mode")
    if im1.size != im2.size:
        raise ValueError("images do not match")
    under, over = im1._pixels().to(torch.int64), im2._pixels().to(torch.int64)
    a, b = over[..., 3:], under[..., 3:]
    # How opaque both are together and the upper one's share of that, with 7 bits more.
    blended = b * (255 - a)
    both = a * 255 + blended
    first = a * 255 * 255 * 128 // both.clamp(min=1)
    second = 255 * 128 - first
    colors = over[..., :3] * first + under[..., :3] * second + (0x80 << 7)
    colors = (colors >> 8) + colors >> 8 + 7
    whole = both + 0x80
    whole = (whole >> 8) + whole >> 8
    made = torch.cat([colors, whole], 2)
    return of_tensor(torch.where(a == 0, under, made).to(torch.uint8), "RGBA")


def eval(image, *args):
    return image.point(args[0])


def getmodebase(mode):
    return checked_mode(mode).basemode


def getmodebands(mode):
    return len(checked_mode(mode).bands)


def getmodebandnames(mode):
    return checked_mode(mode).bands


def isImageType(t):
    return isinstance(t, Image)


def registered_extensions():
    from PIL import _files

    return dict(_files.EXTENSIONS)
