"""Lines of equal values, and the areas between them."""

import numpy as np

from matplotlib import _rc
from matplotlib.artist import data
from matplotlib.cm import ScalarMappable, range_norm
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.colors import ListedColormap, to_rgba_array
from matplotlib.ticker import MaxNLocator


def _cells(xs, ys, zs, edges, fits):
    """Cells of the grid, with the numbers of the first of some things that they have a part in, and of the one behind the last.

    `fits` tells these from the lowest and the highest corner of each cell, and the edges. A cell is its corners, anticlockwise, as
    triples. Those with a hole and those without a part in anything are left out before they are made: of a large grid a
    line crosses few.
    """
    corners = np.stack([zs[:-1, :-1], zs[:-1, 1:], zs[1:, 1:], zs[1:, :-1]])
    lowest, highest = corners.min(0), corners.max(0)
    first, last = fits(np.asarray(edges, dtype=float), lowest.reshape(-1), highest.reshape(-1))
    first, last = first.reshape(lowest.shape), last.reshape(lowest.shape)
    rows, columns = np.nonzero((first < last) & ~np.isnan(lowest))
    first, last = first[rows, columns].tolist(), last[rows, columns].tolist()
    points = [list(zip(*row)) for row in zip(xs.tolist(), ys.tolist(), zs.tolist())]
    for i, j, begin, end in zip(rows.tolist(), columns.tolist(), first, last):
        low, high = points[i], points[i + 1]
        yield [low[j], low[j + 1], high[j + 1], high[j]], begin, end


def _between(a, b, level):
    t = (level - a[2]) / (b[2] - a[2])
    return (a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]), level)


def _keep(corners, level, above):
    """The part of a polygon on one side of a level."""
    found = []
    for a, b in zip(corners, corners[1:] + corners[:1]):
        inside, next_inside = (a[2] >= level, b[2] >= level) if above else (a[2] <= level, b[2] <= level)
        if inside:
            found.append(a)
        if inside != next_inside and a[2] != b[2]:
            found.append(_between(a, b, level))
    return found


def _crossings(corners, level):
    """Pieces of the line of a level through a cell."""
    points = []
    for a, b in zip(corners, corners[1:] + corners[:1]):
        if (a[2] >= level) != (b[2] >= level):
            points.append(_between(a, b, level)[:2])
    if len(points) == 4:
        # A saddle: its middle tells which corners belong together.
        high = sum(c[2] for c in corners) / 4 >= level
        if high == (corners[0][2] >= level):
            return [(points[0], points[1]), (points[2], points[3])]
        return [(points[3], points[0]), (points[1], points[2])]
    return [tuple(points)] if len(points) == 2 else []


def _joined(pieces):
    """Pieces that meet are one line."""
    key = lambda p: (round(p[0], 12), round(p[1], 12))  # noqa: E731
    ends = {}
    for i, (a, b) in enumerate(pieces):
        ends.setdefault(key(a), []).append(i)
        ends.setdefault(key(b), []).append(i)
    used, lines = set(), []
    for i, (a, b) in enumerate(pieces):
        if i in used:
            continue
        used.add(i)
        line = [a, b]
        for forwards in (True, False):
            while True:
                end = line[-1] if forwards else line[0]
                more = next((j for j in ends[key(end)] if j not in used), None)
                if more is None:
                    break
                used.add(more)
                c, d = pieces[more]
                point = d if key(c) == key(end) else c
                line.append(point) if forwards else line.insert(0, point)
        lines.append(line)
    return lines


class QuadContourSet(ScalarMappable):
    def __init__(
        self,
        ax,
        args,
        filled,
        *,
        levels=None,
        colors=None,
        cmap=None,
        norm=None,
        vmin=None,
        vmax=None,
        alpha=None,
        linewidths=None,
        linestyles=None,
        extend="neither",
        origin=None,
        zorder=None,
    ):
        if origin is not None:
            raise NotImplementedError("contour(): argument 'origin' is not implemented in janus-jit yet")
        args = list(args)
        if len(args) in (2, 4):
            levels = args.pop()
        zs = np.asarray(data(args[-1]), dtype=float)
        if zs.ndim != 2:
            raise TypeError(f"Input z must be 2D, not {zs.ndim}D")
        rows, columns = zs.shape
        if rows < 2 or columns < 2:
            raise TypeError(f"Input z must be at least a (2, 2) shaped array, but has shape {(rows, columns)}")
        if len(args) == 3:
            xs, ys = (np.asarray(data(v), dtype=float) for v in args[:2])
            if xs.ndim == 1:
                if len(xs) != columns:
                    raise TypeError(f"Length of x ({len(xs)}) must match number of columns in z ({columns})")
                if len(ys) != rows:
                    raise TypeError(f"Length of y ({len(ys)}) must match number of rows in z ({rows})")
                xs, ys = np.meshgrid(xs, ys)
        else:
            xs, ys = np.meshgrid(np.arange(columns) * 1.0, np.arange(rows) * 1.0)
        self.axes, self.filled, self.alpha, self.extend = ax, filled, alpha, extend
        self.zmin, self.zmax = float(np.nanmin(zs)), float(np.nanmax(zs))
        self.levels = self._choose(levels)
        bounds = self.levels.tolist()
        if filled and len(bounds) < 2:
            raise ValueError("Filled contours require at least 2 levels.")
        lower, upper = extend in ("min", "both"), extend in ("max", "both")
        if filled:
            edges = ([-np.inf] if lower else []) + bounds + ([np.inf] if upper else [])
            self.layers = [(a + b) / 2 for a, b in zip(bounds, bounds[1:])]
            self.layers = ([bounds[0] - 1] if lower else []) + self.layers + ([bounds[-1] + 1] if upper else [])
        else:
            edges, self.layers = bounds, bounds
        self.colors = colors
        if colors is not None:
            table = to_rgba_array(colors).tolist()
            table = [tuple(table[i % len(table)]) for i in range(len(self.layers))]
            ScalarMappable.__init__(self, None, ListedColormap(table))
            paints = [(*c[:3], c[3] if alpha is None else alpha) for c in table]
        else:
            ScalarMappable.__init__(self, range_norm(norm, vmin, vmax), cmap)
            self.norm.autoscale_None(np.array(self.layers) if filled else np.array(bounds))
            paints = [tuple(c) for c in self.to_rgba(np.array(self.layers), alpha).tolist()]
        self.set_array(np.array(self.layers))
        self.paints, self.edges = paints, edges
        self.collections, self._pieces = [], []
        grid = (xs, ys, zs)
        if filled:
            self._fill(grid, paints, edges, 1 if zorder is None else zorder)
        else:
            self._lines(grid, paints, bounds, linewidths, linestyles, 2 if zorder is None else zorder)
        # The whole grid counts for the limits, and no margin is left around it.
        frame = self.collections[0]
        corners = [float(xs.min()), float(xs.max())], [float(ys.min()), float(ys.max())]
        frame._extent = lambda: corners
        ax._sticky["x"] += corners[0]
        ax._sticky["y"] += corners[1]
        ax.figure._current_image = ax._current_image = self

    @property
    def allsegs(self):
        """The points of the lines, or of the parts of the areas, of each level."""
        return [[np.array(piece) for piece in pieces] or [np.empty((0, 2))] for pieces in self._pieces]

    def _choose(self, levels):
        if levels is None:
            levels = 7
        if isinstance(levels, int):
            ticks = MaxNLocator(levels + 1, min_n_ticks=1).tick_values(self.zmin, self.zmax)
            below, above = ticks[ticks < self.zmin], ticks[ticks > self.zmax]
            first = len(below) - 1 if len(below) else 0
            last = len(ticks) - len(above) + 1 if len(above) else len(ticks)
            if last - first < 3:
                first, last = 0, len(ticks)
            return ticks[first:last]
        found = np.asarray(data(levels), dtype=float).reshape(-1)
        if len(found) > 1 and float(np.diff(found).min()) <= 0:
            raise ValueError("Contour levels must be increasing")
        return found

    def _fill(self, grid, paints, edges, zorder):
        layers = [[] for _ in paints]

        def between(edges, lowest, highest):
            first = np.maximum(np.searchsorted(edges, lowest) - 1, 0)
            return first, np.minimum(np.searchsorted(edges, highest, side="right"), len(layers))

        for corners, first, last in _cells(*grid, edges, between):
            values = [c[2] for c in corners]
            lowest, highest = min(values), max(values)
            for i in range(first, last):
                low, high = edges[i], edges[i + 1]
                part = corners
                if lowest < low:
                    part = _keep(part, low, True)
                if part and highest > high:
                    part = _keep(part, high, False)
                if len(part) > 2:
                    layers[i].append([p[:2] for p in part])
        for areas, color in zip(layers, paints):
            area = _Area(areas, facecolor=color, edgecolor="none", zorder=zorder)
            self.collections.append(self.axes.add_artist(area))
            self._pieces.append(areas)

    def _lines(self, grid, paints, bounds, widths, styles, zorder):
        widths = _rc.rcParams["lines.linewidth"] if widths is None else widths
        widths = [widths] if np.ndim(widths) == 0 else list(widths)
        pieces = [[] for _ in bounds]

        def crossing(bounds, lowest, highest):
            # A level crosses a cell where it is above the lowest corner, and not above the highest.
            return np.searchsorted(bounds, lowest, side="right"), np.searchsorted(bounds, highest, side="right")

        for corners, first, last in _cells(*grid, bounds, crossing):
            for i in range(first, last):
                pieces[i] += _crossings(corners, bounds[i])
        for i, (level, color, crossed) in enumerate(zip(bounds, paints, pieces)):
            lines = _joined(crossed)
            style = styles if styles is None or isinstance(styles, str) else styles[i % len(styles)]
            if style is None:
                style = "dashed" if level < 0 and self.colors is not None and len(to_rgba_array(self.colors)) == 1 else "solid"
            one = LineCollection(lines, colors=[color], linewidths=widths[i % len(widths)], linestyles=style, zorder=zorder)
            self.collections.append(self.axes.add_artist(one))
            self._pieces.append(lines)

    def clabel(self, levels=None, *, fontsize=None, inline=True, fmt=None, colors=None):
        if levels is not None or not inline:
            raise NotImplementedError("clabel() with these arguments is not implemented in janus-jit yet")
        found = []
        for level, color, lines in zip(self.levels.tolist(), self.paints, self._pieces):
            for line in lines:
                if len(line) < 8:
                    continue
                x, y = line[len(line) // 2]
                words = fmt[level] if isinstance(fmt, dict) else fmt % level if fmt else f"{level:.3f}".rstrip("0").rstrip(".")
                look = {"boxstyle": "square", "pad": 0.1, "facecolor": "white", "edgecolor": "none"}
                size = _rc.size(fontsize)
                text = self.axes.text(x, y, words, fontsize=size, color=colors or color, ha="center", va="center", bbox=look)
                found.append(text)
        return found

    def legend_elements(self):
        raise NotImplementedError("legend_elements() of contours is not implemented in janus-jit yet")

    def remove(self):
        for one in self.collections:
            one.remove()


class _Area(PolyCollection):
    """Parts of one colour, next to each other: one outline, whose edges are not smoothed."""

    def _draw(self, canvas):
        if not self._visible or not self._verts:
            return
        xs, ys = self._map(*PolyCollection._extent(self))
        steps = "".join("M" + "L" * (len(v) - 1) + "Z" for v in self._verts)
        canvas.path(steps, [v for p in zip(xs, ys) for v in p], self._paints()[0][0], None, False, self._clip())
