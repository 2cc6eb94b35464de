"""Lines with markers."""

import math

import numpy as np

from matplotlib import _rc
from matplotlib._canvas import ellipse_steps
from matplotlib.artist import Artist, data, line_style, stroke
from matplotlib.colors import is_color_like, to_rgba


def _polygon(points):
    return "M" + "L" * (len(points) - 1) + "Z", [v for p in points for v in p]


def _around(n, turned=0.0):
    return [
        (-math.sin(2 * math.pi * i / n + turned) * 0.5, math.cos(2 * math.pi * i / n + turned) * 0.5) for i in range(n)
    ]


def _star(n, inner):
    points = []
    for i in range(2 * n):
        r, a = (0.5 if i % 2 == 0 else inner), math.pi * i / n
        points.append((-math.sin(a) * r, math.cos(a) * r))
    return _polygon(points)


def _strokes(*lines):
    return "ML" * len(lines), [v for line in lines for v in line]


_P = [(-1, -3), (1, -3), (1, -1), (3, -1), (3, 1), (1, 1), (1, 3), (-1, 3), (-1, 1), (-3, 1), (-3, -1), (-1, -1)]
_X = [(-1, -2), (0, -1), (1, -2), (2, -1), (1, 0), (2, 1), (1, 2), (0, 1), (-1, 2), (-2, 1), (-1, 0), (-2, -1)]

# Outlines in a box of side 1 around the origin, and whether they are filled.
MARKERS = {
    ".": (*ellipse_steps(0, 0, 0.25, 0.25), True),
    ",": (*_polygon([(-0.08, -0.08), (0.08, -0.08), (0.08, 0.08), (-0.08, 0.08)]), True),
    "o": (*ellipse_steps(0, 0, 0.5, 0.5), True),
    "v": (*_polygon([(0, -0.5), (-0.5, 0.5), (0.5, 0.5)]), True),
    "^": (*_polygon([(0, 0.5), (-0.5, -0.5), (0.5, -0.5)]), True),
    "<": (*_polygon([(-0.5, 0), (0.5, -0.5), (0.5, 0.5)]), True),
    ">": (*_polygon([(0.5, 0), (-0.5, -0.5), (-0.5, 0.5)]), True),
    "s": (*_polygon([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]), True),
    "p": (*_polygon(_around(5)), True),
    "h": (*_polygon(_around(6)), True),
    "H": (*_polygon(_around(6, math.pi / 6)), True),
    "8": (*_polygon(_around(8, math.pi / 8)), True),
    "*": (*_star(5, 0.19098), True),
    "P": (*_polygon([(x / 6, y / 6) for x, y in _P]), True),
    "X": (*_polygon([(x / 4, y / 4) for x, y in _X]), True),
    "D": (*_polygon([(0, -0.7071), (0.7071, 0), (0, 0.7071), (-0.7071, 0)]), True),
    "d": (*_polygon([(0, -0.7071), (0.4243, 0), (0, 0.7071), (-0.4243, 0)]), True),
    "+": (*_strokes((-0.5, 0, 0.5, 0), (0, -0.5, 0, 0.5)), False),
    "x": (*_strokes((-0.5, -0.5, 0.5, 0.5), (-0.5, 0.5, 0.5, -0.5)), False),
    "|": (*_strokes((0, -0.5, 0, 0.5)), False),
    "_": (*_strokes((-0.5, 0, 0.5, 0)), False),
    "1": (*_strokes((0, 0, 0, -0.5), (0, 0, 0.4, 0.25), (0, 0, -0.4, 0.25)), False),
    "2": (*_strokes((0, 0, 0, 0.5), (0, 0, 0.4, -0.25), (0, 0, -0.4, -0.25)), False),
    "3": (*_strokes((0, 0, -0.5, 0), (0, 0, 0.25, 0.4), (0, 0, 0.25, -0.4)), False),
    "4": (*_strokes((0, 0, 0.5, 0), (0, 0, -0.25, 0.4), (0, 0, -0.25, -0.4)), False),
}
NO_MARKER = (None, "None", "none", " ", "")


def check_marker(marker):
    if marker not in NO_MARKER and marker not in MARKERS:
        raise ValueError(f"Unrecognized marker style {marker!r}")
    return "None" if marker in NO_MARKER else marker


def segments(xs, ys, start="L"):
    """Steps through points; there is a gap where a coordinate is no number."""
    steps, coordinates, pen = [], [], "M"
    for x, y in zip(xs, ys):
        if math.isfinite(x) and math.isfinite(y):
            steps.append(pen)
            coordinates += [x, y]
            pen = start
        else:
            pen = "M"
    return "".join(steps), coordinates


class Line2D(Artist):
    zorder = 2
    _aliases = {
        "c": "color",
        "lw": "linewidth",
        "ls": "linestyle",
        "ms": "markersize",
        "mfc": "markerfacecolor",
        "mec": "markeredgecolor",
        "mew": "markeredgewidth",
        "aa": "antialiased",
        "ds": "drawstyle",
    }

    def __init__(self, xdata, ydata, **kwargs):
        super().__init__()
        self.set_data(xdata, ydata)
        rc = _rc.rcParams
        self._color_set, self._style, self._width = rc["lines.color"], rc["lines.linestyle"], rc["lines.linewidth"]
        self._marker, self._size = check_marker(rc["lines.marker"]), rc["lines.markersize"]
        self._face = self._edge = "auto"
        self._edge_width = rc["lines.markeredgewidth"]
        self._draw_style, self._smooth, self._every = "default", True, None
        self._fill_style = "full"
        self._caps, self._joins = "projecting", "round"
        self.set(**kwargs)

    def set_data(self, *args):
        x, y = args[0] if len(args) == 1 else args
        self.set_xdata(x)
        self.set_ydata(y)

    def set_xdata(self, x):
        if np.ndim(data(x)) == 0:
            raise RuntimeError("x must be a sequence")
        self._x = data(x)

    def set_ydata(self, y):
        if np.ndim(data(y)) == 0:
            raise RuntimeError("y must be a sequence")
        self._y = data(y)

    def get_xdata(self, orig=True):
        return self._x if orig else self._floats("xaxis", self._x)

    def get_ydata(self, orig=True):
        return self._y if orig else self._floats("yaxis", self._y)

    def _floats(self, axis, values):
        # Texts have their places on the axis alone.
        if self.axes is not None and np.asarray(values).dtype.kind in "UO":
            return np.array(self.axes._convert(getattr(self.axes, axis), values))
        return np.asarray(values, dtype=float)

    def get_data(self, orig=True):
        return self.get_xdata(orig), self.get_ydata(orig)

    def get_xydata(self):
        return np.array([self.get_xdata(False).tolist(), self.get_ydata(False).tolist()]).T

    def set_color(self, color):
        if not is_color_like(color):
            raise ValueError(
                f"{color!r} is not a valid value for color: supported inputs are (r, g, b) and (r, g, b, a) 0-1 float"
                " tuples; '#rrggbb', '#rrggbbaa', '#rgb', '#rgba' strings; named color strings; string reprs of 0-1 floats"
                " for grayscale values; 'C0', 'C1', ... strings for colors of the color cycle; and pairs combining one of"
                " the above with an alpha value"
            )
        self._color_set = color

    def get_color(self):
        return self._color_set

    def set_linestyle(self, ls):
        self._style = line_style(ls)

    def get_linestyle(self):
        return self._style if isinstance(self._style, str) else "--"

    def set_linewidth(self, w):
        self._width = float(w)

    def get_linewidth(self):
        return self._width

    def set_marker(self, marker):
        self._marker = check_marker(marker)

    def get_marker(self):
        return self._marker

    def set_markersize(self, sz):
        self._size = float(sz)

    def get_markersize(self):
        return self._size

    def set_markerfacecolor(self, fc):
        self._face = "auto" if fc is None else fc

    def get_markerfacecolor(self):
        return self._color_set if self._face == "auto" else self._face

    def set_markeredgecolor(self, ec):
        self._edge = "auto" if ec is None else ec

    def get_markeredgecolor(self):
        return self._color_set if self._edge == "auto" else self._edge

    def set_markeredgewidth(self, ew):
        self._edge_width = _rc.rcParams["lines.markeredgewidth"] if ew is None else float(ew)

    def get_markeredgewidth(self):
        return self._edge_width

    def set_markevery(self, every):
        if every is not None and not isinstance(every, (int, slice, list)):
            raise NotImplementedError(f"markevery={every!r} is not implemented in janus-jit yet")
        self._every = every

    def set_fillstyle(self, fs):
        if fs not in ("full", "none"):
            raise NotImplementedError(f"fillstyle={fs!r} is not implemented in janus-jit yet")
        self._fill_style = fs

    def set_drawstyle(self, drawstyle):
        if drawstyle not in ("default", "steps", "steps-pre", "steps-mid", "steps-post"):
            raise ValueError(
                f"{drawstyle!r} is not a valid value for drawstyle; supported values are 'default', 'steps-mid', "
                "'steps-pre', 'steps-post', 'steps'"
            )
        self._draw_style = drawstyle

    def get_drawstyle(self):
        return self._draw_style

    def set_dashes(self, seq):
        self._style = tuple(map(float, seq)) if seq and seq[0] is not None else "-"

    def set_dash_capstyle(self, s):
        if s != "butt":
            raise NotImplementedError(f"dash_capstyle={s!r} is not implemented in janus-jit yet")

    def set_solid_capstyle(self, s):
        self._caps = s

    def set_solid_joinstyle(self, s):
        self._joins = s

    def _extent(self):
        if not self.get_transform().is_data():
            return [], []
        axes = self.axes
        return axes._convert(axes.xaxis, self._x), axes._convert(axes.yaxis, self._y)

    def _points(self):
        if self.axes is not None and self.get_transform().is_data():
            xs, ys = self._extent()
        else:
            xs, ys = np.asarray(self._x, dtype=float).tolist(), np.asarray(self._y, dtype=float).tolist()
        if len(xs) == 1 and len(ys) > 1:
            xs = xs * len(ys)
        elif len(ys) == 1 and len(xs) > 1:
            ys = ys * len(xs)
        return xs, ys

    def _stepped(self, xs, ys):
        style = self._draw_style
        if style == "default":
            return xs, ys
        out_x, out_y = xs[:1], ys[:1]
        for x0, y0, x1, y1 in zip(xs, ys, xs[1:], ys[1:]):
            if style in ("steps", "steps-pre"):
                out_x, out_y = out_x + [x0, x1], out_y + [y1, y1]
            elif style == "steps-post":
                out_x, out_y = out_x + [x1, x1], out_y + [y0, y1]
            else:
                middle = (x0 + x1) / 2
                out_x, out_y = out_x + [middle, middle, x1], out_y + [y0, y1, y1]
        return out_x, out_y

    def _draw(self, canvas):
        if not self._visible:
            return
        xs, ys = self._points()
        clip = self._clip()
        line = stroke(self._color(self._color_set), self._width, self._style, self._caps, self._joins)
        if line is not None and len(xs) > 1:
            steps, points = segments(*self._map(*self._stepped(xs, ys)))
            canvas.path(steps, points, None, line, self._smooth, clip)
        if self._marker != "None":
            if self._every is not None:
                every = slice(None, None, self._every) if isinstance(self._every, int) else self._every
                pick = (lambda v: v[every]) if isinstance(every, slice) else (lambda v: [v[i] for i in every])
                xs, ys = pick(xs), pick(ys)
            places = segments(*self._map(xs, ys))[1]
            self._draw_marks(canvas, places, clip)

    def _draw_marks(self, canvas, places, clip):
        steps, outline, filled = MARKERS[self._marker]
        face = self._color(self.get_markerfacecolor()) if filled and self._fill_style == "full" else None
        edge = to_rgba(self.get_markeredgecolor(), self._alpha)
        edge_width = self._edge_width if self._marker != "," else 0
        line = stroke(edge, edge_width, "-", "butt", "miter")
        canvas.marks(steps, outline, places, [self._size], [face if face and face[3] else None], [line], clip)

    def _draw_sample(self, canvas, x0, x1, y, size, **_):
        """What stands for it in a legend."""
        line = stroke(self._color(self._color_set), self._width, self._style, "butt")
        canvas.path("ML", [x0, y, x1, y], None, line)
        if self._marker != "None":
            self._draw_marks(canvas, [(x0 + x1) / 2, y], None)


def parse_format(text):
    """`"r--o"`: style, marker, colour; None for what it does not say."""
    if is_color_like(text):
        if text in MARKERS and text.isdigit():
            return None, text, None
        return None, None, text
    style = marker = color = None
    at = 0
    while at < len(text):
        c = text[at]
        if text[at : at + 2] in ("--", "-."):
            found, at = text[at : at + 2], at + 2
            if style is not None:
                raise ValueError(f"{text!r} is not a valid format string (two linestyle symbols)")
            style = found
        elif c in ("-", ":", " "):
            if style is not None:
                raise ValueError(f"{text!r} is not a valid format string (two linestyle symbols)")
            style, at = {" ": "None"}.get(c, c), at + 1
        elif c in MARKERS:
            if marker is not None:
                raise ValueError(f"{text!r} is not a valid format string (two marker symbols)")
            marker, at = c, at + 1
        elif c in "bgrcmykw":
            if color is not None:
                raise ValueError(f"{text!r} is not a valid format string (two color symbols)")
            color, at = c, at + 1
        elif c == "C" and text[at + 1 : at + 2].isdigit():
            end = at + 1
            while text[end : end + 1].isdigit():
                end += 1
            color, at = text[at:end], end
        else:
            raise ValueError(f"{text!r} is not a valid format string (unrecognized character {c!r})")
    if style is None and marker is not None:
        style = "None"
    return style, marker, color
