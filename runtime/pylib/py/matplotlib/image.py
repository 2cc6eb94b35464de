"""Images, shown and read."""

import numpy as np

from matplotlib import _rc
from matplotlib.artist import Artist, data
from matplotlib.cm import ScalarMappable


class AxesImage(Artist, ScalarMappable):
    zorder = 0

    def __init__(self, axes, *, cmap=None, norm=None, interpolation=None, origin=None, extent=None):
        Artist.__init__(self)
        ScalarMappable.__init__(self, norm, cmap)
        self.axes = axes
        self.origin = _rc.rcParams["image.origin"] if origin is None else origin
        if self.origin not in ("upper", "lower"):
            raise ValueError(f"{self.origin!r} is not a valid value for origin; supported values are 'upper', 'lower'")
        self._given = extent
        self.set_interpolation(interpolation)

    def set_interpolation(self, s):
        s = _rc.rcParams["image.interpolation"] if s is None else str(s).lower()
        if s not in ("auto", "antialiased", "nearest", "none", "bilinear"):
            raise NotImplementedError(f"interpolation={s!r} is not implemented in janus-jit yet")
        self._interpolation = s

    def get_interpolation(self):
        return self._interpolation

    def set_data(self, A):
        A = data(A)
        if A.ndim == 3 and A.shape[2] == 1:
            A = A[:, :, 0]
        if A.ndim not in (2, 3) or (A.ndim == 3 and A.shape[2] not in (3, 4)):
            raise TypeError(f"Invalid shape {tuple(A.shape)} for image data")
        self._A = A

    set_array = set_data

    def get_size(self):
        return self._A.shape[:2]

    def get_extent(self):
        if self._given is not None:
            return self._given
        rows, columns = self._A.shape[:2]
        low, high = -0.5, rows - 0.5
        return [-0.5, columns - 0.5, high, low] if self.origin == "upper" else [-0.5, columns - 0.5, low, high]

    def set_extent(self, extent):
        self._given = extent

    def _extent(self):
        x0, x1, y0, y1 = self.get_extent()
        return [x0, x1], [y0, y1]

    def _pixels(self):
        """Four bytes a pixel, the first row on top."""
        A = self._A
        if A.ndim == 2:
            self.autoscale_None()
            values = A.astype(np.float64)
            rgba = self.to_rgba(values, self._alpha, bytes=True)
        else:
            if A.dtype.kind == "f":
                A = (np.clip(A, 0.0, 1.0) * 255).astype(np.uint8)
            else:
                A = np.clip(A, 0, 255).astype(np.uint8)
            rgba = np.full((*A.shape[:2], 4), 255, dtype=np.uint8)
            rgba[:, :, : A.shape[2]] = A
            if self._alpha is not None:
                rgba[:, :, 3] = (rgba[:, :, 3] * float(self._alpha)).astype(np.uint8)
        return rgba

    def _draw(self, canvas):
        if not self._visible or 0 in self._A.shape:
            return
        rgba = self._pixels()
        x0, x1, y0, y1 = self.get_extent()
        (a, b), (c, d) = self._map([x0, x1], [y0, y1])
        # The first row is at y1 of the extent with its origin above, at y0 with it below.
        if self.origin == "lower":
            rgba = rgba[::-1]
        if c > d:
            rgba, c, d = rgba[::-1], d, c
        if a > b:
            rgba, a, b = rgba[:, ::-1], b, a
        rgba = np.ascontiguousarray(rgba)
        rows, columns = rgba.shape[:2]
        blocks = self._interpolation != "bilinear"
        if self._interpolation in ("auto", "antialiased"):
            # An image that is made smaller is smoothed.
            dpi = self.axes.get_figure().dpi / 72
            blocks = (b - a) * dpi >= columns and (d - c) * dpi >= rows
        canvas.image(rgba.tobytes(), columns, rows, (a, c, b, d), blocks, self._clip())


def imread(fname, format=None):
    import _draw

    if format not in (None, "png"):
        raise NotImplementedError(f"imread(): format {format!r} is not implemented in janus-jit yet")
    if hasattr(fname, "read"):
        content = fname.read()
    else:
        with open(fname, "rb") as f:
            content = f.read()
    rows, columns, channels, most, samples = _draw.read_png(content)
    values = np.frombuffer(samples, dtype=np.int16).astype(np.int64) % 65536
    values = (values / most).astype(np.float32)
    return values.reshape(rows, columns) if channels == 1 else values.reshape(rows, columns, channels)


def imsave(fname, arr, vmin=None, vmax=None, cmap=None, format=None, origin=None, dpi=100):
    from matplotlib._canvas import Canvas
    from matplotlib.colors import Normalize
    from matplotlib.figure import save_bytes

    image = AxesImage(None, cmap=cmap, norm=Normalize(vmin, vmax), origin=origin)
    image.set_data(arr)
    rgba = image._pixels()
    if image.origin == "lower":
        rgba = rgba[::-1]
    rows, columns = rgba.shape[:2]
    width, height = columns * 72 / dpi, rows * 72 / dpi
    canvas = Canvas(width, height)
    canvas.image(np.ascontiguousarray(rgba).tobytes(), columns, rows, (0, 0, width, height), True)
    save_bytes(fname, format, lambda kind: canvas.write(kind, dpi))
