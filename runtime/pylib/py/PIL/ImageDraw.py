"""Points, lines and shapes on a picture."""

from _refused import refused

from PIL import _imaging
from PIL._image import pixel_of
from PIL._util import missing


def _flat(xy):
    out = []
    for item in xy:
        if isinstance(item, (tuple, list)):
            out.extend(item)
        else:
            out.append(item)
    return out


class ImageDraw:
    """What is drawn goes into the picture at once."""

    def __init__(self, im, mode=None):
        if mode is not None and mode != im.mode:
            raise refused("PIL.ImageDraw.Draw", "mode")
        im.load()
        if im.mode == "P":
            raise missing("ImageDraw on a picture of mode P")
        self._image = im
        self.im = im
        self.mode = im.mode
        self.fill = False
        self.ink = -1 if im.mode not in ("I", "F") else 1

    def _draw(self, shape, xy, color, width=None):
        if color is None:
            # White, or the highest number there is.
            color = self.ink if self.mode in ("I", "F") else (255,) * len(self._image.getbands())
        pixel = pixel_of(color, self.mode)
        xy = tuple(int(v) if isinstance(v, int) or v >= 0 else -int(-v) for v in _flat(xy))
        self._image._t = _imaging.draw(self._image._t, pixel, shape, xy, width)

    def _box(self, shape, xy, fill, outline, width):
        x0, y0, x1, y1 = _flat(xy)
        if x1 < x0:
            raise ValueError("x1 must be greater than or equal to x0")
        if y1 < y0:
            raise ValueError("y1 must be greater than or equal to y0")
        if fill is None and outline is None:
            outline = (255,) * len(self._image.getbands()) if self.mode not in ("I", "F") else self.ink
        if fill is not None:
            self._draw(shape, (x0, y0, x1, y1), fill)
        if outline is not None and outline != fill and width != 0:
            self._draw(shape, (x0, y0, x1, y1), outline, width)

    def point(self, xy, fill=None):
        self._draw("points", xy, fill)

    def line(self, xy, fill=None, width=1, joint=None):
        if joint is not None:
            raise refused("PIL.ImageDraw.ImageDraw.line", "joint")
        if width:
            self._draw("line", xy, fill, width)

    def rectangle(self, xy, fill=None, outline=None, width=1):
        self._box("rectangle", xy, fill, outline, width)

    def ellipse(self, xy, fill=None, outline=None, width=1):
        self._box("ellipse", xy, fill, outline, width)

    def circle(self, xy, radius, fill=None, outline=None, width=1):
        x, y = xy
        self.ellipse((x - radius, y - radius, x + radius, y + radius), fill, outline, width)

    def polygon(self, xy, fill=None, outline=None, width=1):
        if width != 1:
            raise refused("PIL.ImageDraw.ImageDraw.polygon", "width")
        xy = _flat(xy)
        if fill is None and outline is None:
            outline = (255,) * len(self._image.getbands())
        if fill is not None:
            self._draw("polygon", xy, fill)
        if outline is not None and outline != fill:
            self._draw("line", list(xy) + list(xy[:2]), outline)

    def _missing(self, name):
        raise missing(f"ImageDraw.{name}")

    def text(self, xy, text, *args, **kwargs):
        self._missing(f"text() of {text!r} at {xy} ({len(args) + len(kwargs)} options): no font is read, and this")

    def arc(self, xy, start, end, fill=None, width=1):
        self._missing(f"arc() from {start} to {end} in {(xy, fill, width)}")

    def pieslice(self, xy, start, end, fill=None, outline=None, width=1):
        self._missing(f"pieslice() from {start} to {end} in {(xy, fill, outline, width)}")

    def rounded_rectangle(self, xy, radius=0, fill=None, outline=None, width=1):
        self._missing(f"rounded_rectangle() of radius {radius} in {(xy, fill, outline, width)}")


def Draw(im, mode=None):
    return ImageDraw(im, mode)
