"""Many outlines with colours of their own."""

import math

import numpy as np

from matplotlib import _rc
from matplotlib.artist import Artist, line_style, stroke
from matplotlib.cm import ScalarMappable
from matplotlib.colors import to_rgba_array
from matplotlib.lines import MARKERS, segments


class Collection(Artist, ScalarMappable):
    zorder = 1
    _aliases = {
        "facecolors": "facecolor",
        "fc": "facecolor",
        "edgecolors": "edgecolor",
        "ec": "edgecolor",
        "linewidths": "linewidth",
        "lw": "linewidth",
        "linestyles": "linestyle",
        "ls": "linestyle",
        "dashes": "linestyle",
        "antialiaseds": "antialiased",
        "aa": "antialiased",
    }

    def __init__(self, norm=None, cmap=None, **kwargs):
        Artist.__init__(self)
        ScalarMappable.__init__(self, norm, cmap)
        self._face, self._edge = "C0", "face"
        self._widths, self._style, self._smooth = [1.0], "-", True
        self.set(**kwargs)

    def set_color(self, c):
        self.set_facecolor(c)
        self.set_edgecolor(c)

    def set_facecolor(self, c):
        if not (isinstance(c, str) and c == "none"):
            to_rgba_array(c)
        self._face = c

    def set_edgecolor(self, c):
        if not (isinstance(c, str) and c in ("none", "face")):
            to_rgba_array(c)
        self._edge = c

    def set_linewidth(self, lw):
        self._widths = [float(lw)] if np.ndim(lw) == 0 else [float(w) for w in lw]

    def get_linewidth(self):
        return np.array(self._widths)

    def set_linestyle(self, ls):
        self._style = line_style(ls)

    def set_hatch(self, hatch):
        if hatch is not None:
            raise NotImplementedError(f"hatch={hatch!r} is not implemented in janus-jit yet")

    def get_facecolor(self):
        if self._A is not None and not (isinstance(self._face, str) and self._face == "none"):
            self.autoscale_None()
            return self.to_rgba(self._A.reshape(-1), self._alpha)
        return to_rgba_array(self._face, self._alpha)

    def get_edgecolor(self):
        if isinstance(self._edge, str) and self._edge == "face":
            return self.get_facecolor()
        return to_rgba_array(self._edge, self._alpha)

    get_facecolors, get_edgecolors = get_facecolor, get_edgecolor
    set_facecolors, set_edgecolors, set_linewidths = set_facecolor, set_edgecolor, set_linewidth

    def _paints(self):
        faces = [tuple(c) if c[3] else None for c in self.get_facecolor().tolist()] or [None]
        edges = [tuple(c) for c in self.get_edgecolor().tolist()]
        count = max(len(edges), len(self._widths)) if edges else 0
        lines = [
            stroke(edges[i % len(edges)], self._widths[i % len(self._widths)], self._style, "butt", "miter")
            for i in range(count)
        ]
        return faces, lines or [None]

    def _draw_sample(self, canvas, x0, x1, y, size, **_):
        from matplotlib._canvas import box_steps

        faces, lines = self._paints()
        canvas.path(*box_steps(x0, y - size * 0.35, x1, y + size * 0.35), faces[0], lines[0])


class PathCollection(Collection):
    """The marks of a scatter plot."""

    def __init__(self, xs, ys, sizes, marker, **kwargs):
        self._xs, self._ys, self._marker = xs, ys, marker
        self._sizes = np.asarray(sizes, dtype=float).reshape(-1)
        super().__init__(**kwargs)

    def get_offsets(self):
        return np.array([self._xs, self._ys]).T.reshape(-1, 2)

    def set_offsets(self, offsets):
        points = np.asarray(offsets, dtype=float).reshape(-1, 2)
        self._xs, self._ys = points[:, 0].tolist(), points[:, 1].tolist()

    def get_sizes(self):
        return self._sizes

    def set_sizes(self, sizes):
        self._sizes = np.asarray(sizes, dtype=float).reshape(-1)

    def _extent(self):
        return (self._xs, self._ys) if self.get_transform().is_data() else ([], [])

    def _draw(self, canvas):
        if not self._visible or not self._xs:
            return
        xs, ys = self._map(self._xs, self._ys)
        faces, lines = self._paints()
        scales = np.sqrt(self._sizes).tolist()
        steps, outline, filled = MARKERS[self._marker]
        if not filled:
            faces = [None]
        # A mark that is nowhere takes its colour with it: the native writer leaves it out.
        places = [v if math.isfinite(v) else 1e30 for p in zip(xs, ys) for v in p]
        if all(map(math.isfinite, xs)) and all(map(math.isfinite, ys)):
            canvas.marks(steps, outline, places, scales, faces, lines, self._clip())
        else:
            for i, (x, y) in enumerate(zip(xs, ys)):
                if math.isfinite(x) and math.isfinite(y):
                    one = [scales[i % len(scales)]], [faces[i % len(faces)]], [lines[i % len(lines)]]
                    canvas.marks(steps, outline, [x, y], *one, self._clip())

    def _draw_sample(self, canvas, x0, x1, y, size, **_):
        faces, lines = self._paints()
        steps, outline, filled = MARKERS[self._marker]
        scale = math.sqrt(float(self._sizes[0])) if len(self._sizes) else _rc.rcParams["lines.markersize"]
        canvas.marks(steps, outline, [(x0 + x1) / 2, y], [scale], [faces[0] if filled else None], [lines[0]])

    def legend_elements(self, prop="colors", num="auto", fmt=None, func=None, **kwargs):
        if prop != "colors" or fmt is not None or func is not None or num not in ("auto", None) or kwargs:
            raise NotImplementedError("legend_elements() with arguments is not implemented in janus-jit yet")
        from matplotlib.lines import Line2D
        from matplotlib.ticker import MaxNLocator

        values = np.unique(self._A)
        if len(values) > 9 and num == "auto":
            self.autoscale_None()
            values = MaxNLocator(9).tick_values(*self.get_clim())
            values = values[(values >= self.norm.vmin) & (values <= self.norm.vmax)]
        colors = self.to_rgba(values).tolist()
        size = math.sqrt(float(self._sizes[0]))
        handles = [Line2D([], [], linestyle="", marker=self._marker, color=tuple(c), markersize=size) for c in colors]
        return handles, [f"$\\mathdefault{{{v:g}}}$" for v in values.tolist()]


def _pairs(points):
    """Points as pairs of floats; lists of such, as contours have them by the thousands, are left as they are."""
    if type(points) is list and points and type(points[0]) is tuple and type(points[0][0]) is float:
        return points
    return np.asarray(points, dtype=float).reshape(-1, 2).tolist()


class PolyCollection(Collection):
    """Outlines of points of the data."""

    def __init__(self, verts, closed=True, **kwargs):
        self._verts, self._closed = [_pairs(v) for v in verts], closed
        super().__init__(**kwargs)

    def _extent(self):
        if not self.get_transform().is_data():
            return [], []
        points = [p for v in self._verts for p in v]
        return [p[0] for p in points], [p[1] for p in points]

    def _draw(self, canvas):
        if not self._visible:
            return
        faces, lines = self._paints()
        for i, v in enumerate(self._verts):
            steps, points = segments(*self._map([p[0] for p in v], [p[1] for p in v]))
            if self._closed:
                steps = steps.replace("M", "ZM")[1:] + "Z" if steps else ""
            fill, line = faces[i % len(faces)], lines[i % len(lines)]
            canvas.path(steps, points, fill if self._closed else None, line, self._smooth, self._clip())


class LineCollection(PolyCollection):
    zorder = 2

    def __init__(self, segments, *, colors=None, linewidths=None, **kwargs):
        super().__init__(segments, closed=False, facecolor="none")
        self.set_linewidth(_rc.rcParams["lines.linewidth"] if linewidths is None else linewidths)
        self.set_edgecolor(_rc.rcParams["lines.color"] if colors is None else colors)
        kwargs = {("edgecolor" if k in ("color", "colors") else k): v for k, v in kwargs.items()}
        if kwargs.get("cmap") is not None:
            self.set_cmap(kwargs["cmap"])
        if kwargs.get("norm") is not None:
            self.set_norm(kwargs["norm"])
        if "array" in kwargs:
            self.set_array(kwargs["array"])
        self.set(**{k: v for k, v in kwargs.items() if k not in ("cmap", "norm", "array")})

    def get_segments(self):
        return [np.array(v) for v in self._verts]

    def set_segments(self, segments):
        self._verts = [_pairs(v) for v in segments]

    def get_edgecolor(self):
        if self._A is not None:
            self.autoscale_None()
            return self.to_rgba(self._A.reshape(-1), self._alpha)
        return to_rgba_array(self._edge, self._alpha)

    def _draw_sample(self, canvas, x0, x1, y, size, **_):
        canvas.path("ML", [x0, y, x1, y], None, self._paints()[1][0])


class PatchCollection(PolyCollection):
    def __init__(self, patches, **kwargs):
        raise NotImplementedError("PatchCollection is not implemented in janus-jit yet")


class QuadMesh(Collection):
    """Cells of a grid, each of one colour."""

    def __init__(self, xs, ys, values, **kwargs):
        self._xs, self._ys = xs, ys
        super().__init__(**kwargs)
        self.set_array(values)
        self._smooth = False

    def _extent(self):
        return np.asarray(self._xs).reshape(-1).tolist(), np.asarray(self._ys).reshape(-1).tolist()

    def _draw(self, canvas):
        if not self._visible:
            return
        faces, lines = self._paints()
        rows, columns = self._xs.shape
        xs, ys = self._map(*self._extent())
        clip = self._clip()
        line = None if isinstance(self._edge, str) else lines
        for i in range(rows - 1):
            for j in range(columns - 1):
                at = i * columns + j
                corners = (at, at + 1, at + columns + 1, at + columns)
                points = [v for k in corners for v in (xs[k], ys[k])]
                k = i * (columns - 1) + j
                canvas.path("MLLLZ", points, faces[k % len(faces)], line and line[k % len(line)], False, clip)
