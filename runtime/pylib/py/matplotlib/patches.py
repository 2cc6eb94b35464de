"""Filled outlines: rectangles, polygons, ellipses, wedges."""

import math

import numpy as np

from matplotlib import _rc
from matplotlib._canvas import box_steps, ellipse_steps
from matplotlib.artist import Artist, data, line_style, stroke
from matplotlib.colors import to_rgba
from matplotlib.lines import segments


class Patch(Artist):
    zorder = 1
    _aliases = {
        "fc": "facecolor",
        "ec": "edgecolor",
        "lw": "linewidth",
        "ls": "linestyle",
        "aa": "antialiased",
    }

    def __init__(self, **kwargs):
        super().__init__()
        self._face, self._edge, self._width, self._style = None, None, None, "-"
        self._fill, self._smooth = True, True
        self._color_given = None
        self._join = "miter"
        self.set(**kwargs)

    def set_color(self, c):
        self.set_facecolor(c)
        self.set_edgecolor(c)

    def set_facecolor(self, color):
        if color is not None:
            to_rgba(color)
        self._face = color

    def get_facecolor(self):
        face = to_rgba(_rc.rcParams["patch.facecolor"] if self._face is None else self._face, self._alpha)
        return face if self._fill else (*face[:3], 0.0)

    def set_edgecolor(self, color):
        if color is not None:
            to_rgba(color)
        self._edge = color

    def get_edgecolor(self):
        if self._edge is None:
            # A filled patch has no edge unless one is asked for.
            return (0.0, 0.0, 0.0, 0.0) if self._fill else to_rgba(_rc.rcParams["patch.edgecolor"], self._alpha)
        return to_rgba(self._edge, self._alpha)

    get_fc, get_ec, set_fc, set_ec = get_facecolor, get_edgecolor, set_facecolor, set_edgecolor

    def set_linewidth(self, w):
        self._width = None if w is None else float(w)

    def get_linewidth(self):
        return _rc.rcParams["patch.linewidth"] if self._width is None else self._width

    def set_linestyle(self, ls):
        self._style = "-" if ls is None else line_style(ls)

    def get_linestyle(self):
        return self._style

    def set_fill(self, b):
        self._fill = bool(b)

    def get_fill(self):
        return self._fill

    fill = property(get_fill, set_fill)

    def set_hatch(self, hatch):
        if hatch is not None:
            raise NotImplementedError(f"hatch={hatch!r} is not implemented in janus-jit yet")

    def set_joinstyle(self, s):
        self._join = s

    def set_capstyle(self, s):
        if s != "butt":
            raise NotImplementedError(f"capstyle={s!r} is not implemented in janus-jit yet")

    def _outline(self):
        """Steps and two lists of coordinates."""
        raise NotImplementedError

    def _extent(self):
        if not self.get_transform().is_data():
            return [], []
        _, xs, ys = self._outline()
        return xs, ys

    def _paint(self):
        face = self.get_facecolor()
        line = stroke(self.get_edgecolor(), self.get_linewidth(), self._style, "butt", self._join)
        return face if face[3] else None, line

    def _draw(self, canvas):
        if not self._visible:
            return
        steps, xs, ys = self._outline()
        xs, ys = self._map(xs, ys)
        if not all(map(math.isfinite, xs)) or not all(map(math.isfinite, ys)):
            return
        fill, line = self._paint()
        points = [v for p in zip(xs, ys) for v in p]
        canvas.path(steps, points, fill, line, self._smooth, self._clip())

    def _draw_sample(self, canvas, x0, x1, y, size, **_):
        fill, line = self._paint()
        half = size * 0.35
        canvas.path(*box_steps(x0, y - half, x1, y + half), fill, line)


class Rectangle(Patch):
    def __init__(self, xy, width, height, *, angle=0.0, rotation_point="xy", **kwargs):
        if rotation_point != "xy":
            raise NotImplementedError("Rectangle(): argument 'rotation_point' is not implemented in janus-jit yet")
        self._x, self._y = xy
        self._w, self._h, self.angle = width, height, angle
        super().__init__(**kwargs)

    def get_x(self):
        return self._x

    def get_y(self):
        return self._y

    def get_xy(self):
        return self._x, self._y

    def get_width(self):
        return self._w

    def get_height(self):
        return self._h

    def set_x(self, x):
        self._x = x

    def set_y(self, y):
        self._y = y

    def set_xy(self, xy):
        self._x, self._y = xy

    def set_width(self, w):
        self._w = w

    def set_height(self, h):
        self._h = h

    def get_bbox(self):
        from matplotlib.transforms import Bbox

        return Bbox.from_bounds(self._x, self._y, self._w, self._h)

    def _outline(self):
        x, y, w, h = (float(v) for v in (self._x, self._y, self._w, self._h))
        corners = [(0.0, 0.0), (w, 0.0), (w, h), (0.0, h)]
        cos, sin = math.cos(math.radians(self.angle)), math.sin(math.radians(self.angle))
        if self.angle:
            corners = [(a * cos - b * sin, a * sin + b * cos) for a, b in corners]
        return "MLLLZ", [x + a for a, _ in corners], [y + b for _, b in corners]


class Polygon(Patch):
    def __init__(self, xy, *, closed=True, **kwargs):
        self._closed = closed
        self.set_xy(xy)
        super().__init__(**kwargs)

    def get_xy(self):
        return self._xy

    def set_xy(self, xy):
        self._xy = np.asarray(data(xy), dtype=float)

    def _outline(self):
        xs, ys = self._xy[:, 0].tolist(), self._xy[:, 1].tolist()
        return "M" + "L" * (len(xs) - 1) + ("Z" if self._closed else ""), xs, ys


class Ellipse(Patch):
    def __init__(self, xy, width, height, *, angle=0, **kwargs):
        self.center, self.width, self.height, self.angle = tuple(xy), width, height, angle
        super().__init__(**kwargs)

    def get_center(self):
        return self.center

    def set_center(self, xy):
        self.center = tuple(xy)

    def _outline(self):
        steps, points = ellipse_steps(0.0, 0.0, self.width / 2, self.height / 2)
        cos, sin = math.cos(math.radians(self.angle)), math.sin(math.radians(self.angle))
        x, y = map(float, self.center)
        pairs = list(zip(points[::2], points[1::2]))
        return steps, [x + a * cos - b * sin for a, b in pairs], [y + a * sin + b * cos for a, b in pairs]


class Circle(Ellipse):
    def __init__(self, xy, radius=5, **kwargs):
        super().__init__(xy, 2 * radius, 2 * radius, **kwargs)

    def get_radius(self):
        return self.width / 2

    def set_radius(self, radius):
        self.width = self.height = 2 * radius

    radius = property(get_radius, set_radius)


class Wedge(Patch):
    def __init__(self, center, r, theta1, theta2, *, width=None, **kwargs):
        self.center, self.r, self.theta1, self.theta2, self.width = center, r, theta1, theta2, width
        super().__init__(**kwargs)

    def _arc(self, radius, start, end):
        # Pieces of at most an eighth of a circle, each a curve.
        count = max(1, math.ceil(abs(end - start) / 45))
        step = math.radians(end - start) / count
        k = 4 / 3 * math.tan(step / 4) * radius
        xs, ys = [], []
        for i in range(count):
            a = math.radians(start) + i * step
            b = a + step
            xs += [radius * math.cos(a) - k * math.sin(a), radius * math.cos(b) + k * math.sin(b), radius * math.cos(b)]
            ys += [radius * math.sin(a) + k * math.cos(a), radius * math.sin(b) - k * math.cos(b), radius * math.sin(b)]
        first = radius * math.cos(math.radians(start)), radius * math.sin(math.radians(start))
        return first, xs, ys, "C" * count

    def _outline(self):
        (x, y), xs, ys, curves = self._arc(self.r, self.theta1, self.theta2)
        xs, ys = [x, *xs], [y, *ys]
        if self.width is None:
            xs.append(0.0)
            ys.append(0.0)
            steps = "M" + curves + "LZ"
        else:
            (x, y), inner_x, inner_y, back = self._arc(self.r - self.width, self.theta2, self.theta1)
            xs, ys = xs + [x] + inner_x, ys + [y] + inner_y
            steps = "M" + curves + "L" + back + "Z"
        a, b = map(float, self.center)
        return steps, [a + v for v in xs], [b + v for v in ys]


class FancyArrow(Polygon):
    def __init__(
        self, x, y, dx, dy, *, width=0.001, length_includes_head=False, head_width=None, head_length=None, **kwargs
    ):
        head_width = 3 * width if head_width is None else head_width
        head_length = 1.5 * head_width if head_length is None else head_length
        length = math.hypot(dx, dy)
        total = length if length_includes_head else length + head_length
        ux, uy = (dx / length, dy / length) if length else (1.0, 0.0)
        neck = max(total - head_length, 0.0)
        shape = [(0, width / 2), (neck, width / 2), (neck, head_width / 2), (total, 0), (neck, -head_width / 2)]
        shape += [(neck, -width / 2), (0, -width / 2)]
        super().__init__([(x + a * ux - b * uy, y + a * uy + b * ux) for a, b in shape], **kwargs)


class StepPatch(Patch):
    """The outline of a histogram."""

    def __init__(self, xs, ys, closed, **kwargs):
        self._xs, self._ys, self._closed = xs, ys, closed
        super().__init__(**kwargs)

    def _outline(self):
        steps, _ = segments(self._xs, self._ys)
        return steps + ("Z" if self._closed else ""), self._xs, self._ys
