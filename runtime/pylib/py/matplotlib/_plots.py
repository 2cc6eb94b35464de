"""Lines, points, bars."""

import math

import numpy as np

from matplotlib import _rc
from matplotlib.artist import data
from matplotlib.cm import get_cmap, range_norm
from matplotlib.collections import LineCollection, PathCollection, PolyCollection
from matplotlib.colors import is_color_like, to_rgba, to_rgba_array
from matplotlib.container import BarContainer, ErrorbarContainer, StemContainer
from matplotlib.lines import Line2D, check_marker, parse_format
from matplotlib.patches import Rectangle


def _columns(values):
    """One column of each line."""
    array = data(values) if not (isinstance(values, (list, tuple)) and any(isinstance(v, str) for v in values)) else values
    if isinstance(array, np.ndarray):
        if array.ndim > 2:
            raise ValueError(f"x and y can be no greater than 2D, but have shapes {tuple(array.shape)} and {tuple(array.shape)}")
        if array.ndim == 2:
            return [array[:, i] for i in range(array.shape[1])], tuple(array.shape)
        if array.ndim == 0:
            array = array.reshape(1)
        return [array], tuple(array.shape)
    return [array], (len(array),)


class Plots:
    # Lines.

    def plot(self, *args, scalex=True, scaley=True, data=None, **kwargs):
        if data is not None:
            args = tuple(data[a] if isinstance(a, str) and a in data else a for a in args)
        if not (scalex and scaley):
            raise NotImplementedError("plot(): arguments 'scalex', 'scaley' are not implemented in janus-jit yet")
        lines = []
        rest = list(args)
        while rest:
            group = [rest.pop(0)]
            if rest and not isinstance(rest[0], str):
                group.append(rest.pop(0))
            format = rest.pop(0) if rest and isinstance(rest[0], str) else None
            lines += self._lines_of(group, format, kwargs)
        for line in lines:
            self.add_artist(line)
        return lines

    def _lines_of(self, group, format, kwargs):
        style = marker = color = None
        if format is not None:
            style, marker, color = parse_format(format)
        ys, y_shape = _columns(group[-1])
        if len(group) == 2:
            xs, x_shape = _columns(group[0])
        else:
            xs, x_shape = [np.arange(y_shape[0]) * 1.0], y_shape[:1]
        if x_shape[0] != y_shape[0]:
            raise ValueError(f"x and y must have same first dimension, but have shapes {x_shape} and {y_shape}")
        count = max(len(xs), len(ys))
        if len(xs) not in (1, count) or len(ys) not in (1, count):
            raise ValueError(f"x has {len(xs)} columns but y has {len(ys)} columns")
        labels = kwargs.get("label")
        several = isinstance(labels, (list, tuple))
        if several and len(labels) != count:
            raise ValueError(f"label must be scalar or have the same length as the input data, but found {len(labels)} for {count} datasets.")
        found = []
        for i in range(count):
            given = dict(kwargs)
            if several:
                given["label"] = labels[i]
            props = {}
            if color is not None:
                props["color"] = color
            if style is not None:
                props["linestyle"] = style
            if marker is not None:
                props["marker"] = marker
            x, y = xs[i % len(xs)], ys[i % len(ys)]
            line = Line2D([], [])
            given = {**props, **line._normal(given)}
            if given.get("color") is None:
                given = {**self._next("line"), **{k: v for k, v in given.items() if k != "color"}}
            line.axes = self
            self._convert(self.xaxis, x), self._convert(self.yaxis, y)
            line._x, line._y = _kept(x), _kept(y)
            line.set(**given)
            if not line.get_label():
                line.set_label(f"_child{len(self.children) + len(found)}")
            found.append(line)
        return found

    def _log_plot(self, sides, args, kwargs):
        for side in "xy":
            base = kwargs.pop("base" + side, kwargs.pop("base", 10) if len(sides) == 1 and side == sides else 10)
            if base != 10:
                raise NotImplementedError("a base other than 10 is not implemented in janus-jit yet")
        for side in sides:
            self._set_scale(side, "log", {})
        return self.plot(*args, **kwargs)

    def loglog(self, *args, **kwargs):
        return self._log_plot("xy", args, kwargs)

    def semilogx(self, *args, **kwargs):
        return self._log_plot("x", args, kwargs)

    def semilogy(self, *args, **kwargs):
        return self._log_plot("y", args, kwargs)

    def step(self, x, y, *args, where="pre", data=None, **kwargs):
        if where not in ("pre", "post", "mid"):
            raise ValueError(f"{where!r} is not a valid value for where; supported values are 'pre', 'post', 'mid'")
        return self.plot(x, y, *args, data=data, drawstyle="steps-" + where, **kwargs)

    def _across(self, side, at, low, high, kwargs):
        line = Line2D([low, high] if side == "y" else [at, at], [at, at] if side == "y" else [low, high])
        line._transform = self.get_yaxis_transform() if side == "y" else self.get_xaxis_transform()
        line.axes = self
        own = self._convert(self._axis(side), [at])
        line._extent = lambda: ([], own) if side == "y" else (own, [])
        line.set(**kwargs)
        return self.add_artist(line)

    def axhline(self, y=0, xmin=0, xmax=1, **kwargs):
        return self._across("y", y, xmin, xmax, kwargs)

    def axvline(self, x=0, ymin=0, ymax=1, **kwargs):
        return self._across("x", x, ymin, ymax, kwargs)

    def axline(self, xy1, xy2=None, *, slope=None, **kwargs):
        raise NotImplementedError(f"axline({xy1}, {xy2}, slope={slope}) is not implemented in janus-jit yet: {kwargs}")

    def _band(self, side, low, high, start, end, kwargs):
        kwargs = {"linewidth": 0, **kwargs} if not {"edgecolor", "ec", "lw", "linewidth"} & set(kwargs) else kwargs
        rect = (start, low, end - start, high - low) if side == "y" else (low, start, high - low, end - start)
        patch = Rectangle(rect[:2], *rect[2:])
        patch._transform = self.get_yaxis_transform() if side == "y" else self.get_xaxis_transform()
        patch._extent = lambda: ([], [low, high]) if side == "y" else ([low, high], [])
        patch.set(**kwargs)
        return self.add_artist(patch)

    def axhspan(self, ymin, ymax, xmin=0, xmax=1, **kwargs):
        return self._band("y", ymin, ymax, xmin, xmax, kwargs)

    def axvspan(self, xmin, xmax, ymin=0, ymax=1, **kwargs):
        return self._band("x", xmin, xmax, ymin, ymax, kwargs)

    def _many_lines(self, side, at, low, high, colors, linestyles, label, kwargs):
        at, low, high = (np.atleast_1d(np.asarray(data(v), dtype=float)).tolist() for v in (at, low, high))
        count = max(len(at), len(low), len(high))
        rows = [(at[i % len(at)], low[i % len(low)], high[i % len(high)]) for i in range(count)]
        lines = [[(a, b), (a, c)] if side == "x" else [(b, a), (c, a)] for a, b, c in rows]
        colors = _rc.rcParams["lines.color"] if colors is None else colors
        return self.add_artist(LineCollection(lines, colors=colors, linestyles=linestyles, label=label, **kwargs))

    def vlines(self, x, ymin, ymax, colors=None, linestyles="solid", *, label="", **kwargs):
        return self._many_lines("x", x, ymin, ymax, colors, linestyles, label, kwargs)

    def hlines(self, y, xmin, xmax, colors=None, linestyles="solid", *, label="", **kwargs):
        return self._many_lines("y", y, xmin, xmax, colors, linestyles, label, kwargs)

    # Points.

    def scatter(
        self,
        x,
        y,
        s=None,
        c=None,
        *,
        marker=None,
        cmap=None,
        norm=None,
        vmin=None,
        vmax=None,
        alpha=None,
        linewidths=None,
        edgecolors=None,
        plotnonfinite=False,
        data=None,
        **kwargs,
    ):
        if plotnonfinite:
            raise NotImplementedError("scatter(): argument 'plotnonfinite' is not implemented in janus-jit yet")
        if data is not None:
            x, y, s, c = (data[v] if isinstance(v, str) and v in data else v for v in (x, y, s, c))
        from matplotlib.artist import data as array

        xs, ys = self._convert(self.xaxis, x), self._convert(self.yaxis, y)
        if len(xs) != len(ys):
            raise ValueError("x and y must be the same size")
        sizes = _rc.rcParams["lines.markersize"] ** 2 if s is None else np.asarray(array(s), dtype=float)
        if np.size(sizes) not in (1, len(xs)):
            raise ValueError("s must be a scalar, or float array-like with the same size as x and y")
        marker = check_marker(_rc.rcParams["scatter.marker"] if marker is None else marker)
        color = kwargs.pop("color", None)
        face = kwargs.pop("facecolors", kwargs.pop("facecolor", color))
        edge = kwargs.pop("edgecolor", edgecolors)
        values = None
        if c is None:
            c = face if face is not None else self._next_color("patch")
        elif color is not None:
            raise ValueError("Supply a 'c' argument or a 'color' kwarg but not both; they differ but their functionalities overlap.")
        if not isinstance(c, str) and not is_color_like(c) or _is_numbers(c, len(xs)):
            numbers = array(c)
            if numbers.dtype.kind in "bifu" and numbers.size == len(xs) and (numbers.ndim == 1 or len(xs) not in (3, 4) or numbers.shape[-1] == 1):
                values = numbers.reshape(-1)
            elif numbers.dtype.kind in "bifu" and numbers.ndim == 1:
                raise ValueError(f"'c' argument has {numbers.size} elements, which is inconsistent with 'x' and 'y' with size {len(xs)}.")
        if values is None:
            colors = to_rgba_array(c if isinstance(c, (str, tuple)) else c.tolist() if hasattr(c, "tolist") else c)
            if len(colors) not in (0, 1, len(xs)):
                raise ValueError(f"'c' argument has {len(colors)} elements, which is inconsistent with 'x' and 'y' with size {len(xs)}.")
        if edge is None:
            edge = _rc.rcParams["scatter.edgecolors"] if color is None else color
        widths = kwargs.pop("linewidth", kwargs.pop("lw", linewidths))
        if widths is None:
            widths = _rc.rcParams["lines.linewidth"]
        points = PathCollection(xs, ys, sizes, marker, norm=range_norm(norm, vmin, vmax), cmap=cmap)
        if values is not None:
            points.set_array(values)
            points.autoscale_None()
        else:
            get_cmap(cmap)
            points.set_facecolor(c if isinstance(c, (str, tuple)) else c.tolist() if hasattr(c, "tolist") else c)
        points.set(alpha=alpha, linewidth=widths, **kwargs)
        if marker in ("+", "x", "|", "_", "1", "2", "3", "4"):
            edge = "face"
        points.set_edgecolor(edge)
        self.figure._current_image = points if values is not None else self.figure._current_image
        self._current_image = points if values is not None else self._current_image
        return self.add_artist(points)

    _current_image = None

    # Bars.

    def bar(self, x, height, width=0.8, bottom=None, *, align="center", data=None, **kwargs):
        if data is not None:
            x, height = (data[v] if isinstance(v, str) and v in data else v for v in (x, height))
        return self._bars("x", x, height, width, bottom, align, kwargs)

    def barh(self, y, width, height=0.8, left=None, *, align="center", data=None, **kwargs):
        if data is not None:
            y, width = (data[v] if isinstance(v, str) and v in data else v for v in (y, width))
        return self._bars("y", y, width, height, left, align, kwargs)

    def _bars(self, side, places, lengths, widths, base, align, kwargs):
        if align not in ("center", "edge"):
            raise ValueError(f"{align!r} is not a valid value for align; supported values are 'center', 'edge'")
        along, across = self._axis(side), self._axis("y" if side == "x" else "x")
        colors = kwargs.pop("color", kwargs.pop("facecolor", None))
        edges, line_widths = kwargs.pop("edgecolor", kwargs.pop("ec", None)), kwargs.pop("linewidth", kwargs.pop("lw", None))
        labels, errors = kwargs.pop("label", ""), kwargs.pop("yerr" if side == "x" else "xerr", None)
        wrong = "xerr" if side == "x" else "yerr"
        if kwargs.get(wrong) is not None:
            raise NotImplementedError(f"{wrong} of these bars is not implemented in janus-jit yet")
        kwargs.pop(wrong, None)
        style = {"ecolor": kwargs.pop("ecolor", "k"), "capsize": kwargs.pop("capsize", _rc.rcParams["errorbar.capsize"])}
        style.update(kwargs.pop("error_kw", None) or {})
        ticks, log = kwargs.pop("tick_label", None), kwargs.pop("log", False)
        if log:
            self._set_scale("y" if side == "x" else "x", "log", {})
        given = {
            "x" if side == "x" else "y": self._convert(along, places),
            "height": self._convert(across, lengths),
            "width": np.asarray(data(widths), dtype=float).reshape(-1).tolist(),
            "bottom": [0.0] if base is None else self._convert(across, base),
        }
        whole = _whole(lengths)
        at, lengths, widths, base = given.values()
        count = max(map(len, given.values()))
        named = list(given)
        for i, values in enumerate(given.values()):
            if len(values) not in (1, count):
                one = next(j for j, v in enumerate(given.values()) if len(v) == count)
                a, b = sorted((one, i))
                shapes = [(len(given[named[k]]),) for k in (a, b)]
                raise ValueError(
                    "shape mismatch: objects cannot be broadcast to a single shape.  Mismatch is between "
                    f"arg {a} with shape {shapes[0]} and arg {b} with shape {shapes[1]}."
                )
        at, lengths, widths, base = ([v[i % len(v)] for i in range(count)] for v in (at, lengths, widths, base))
        colors = [self._next_color("patch")] if colors is None else _each(colors)
        edges = [None] if edges is None else _each(edges)
        line_widths = [None] if line_widths is None else np.atleast_1d(line_widths).tolist()
        several = isinstance(labels, (list, tuple))
        if several and len(labels) != count:
            raise ValueError(f"number of labels ({len(labels)}) does not match number of bars ({count}).")
        patches = []
        for i in range(count):
            start = at[i] - widths[i] / 2 if align == "center" else at[i]
            rect = (start, base[i], widths[i], int(lengths[i]) if whole else lengths[i])
            rect = rect if side == "x" else (rect[1], rect[0], rect[3], rect[2])
            patch = Rectangle(rect[:2], *rect[2:], facecolor=colors[i % len(colors)], edgecolor=edges[i % len(edges)])
            patch.set(linewidth=line_widths[i % len(line_widths)], label=labels[i] if several else "_nolegend_", **kwargs)
            patches.append(self.add_artist(patch))
            self._sticky["y" if side == "x" else "x"].append(base[i])
        bars = None
        if errors is not None:
            ends = [b + h for b, h in zip(base, lengths)]
            middle = [s if align == "center" else s + w / 2 for s, w in zip(at, widths)]
            where = (middle, ends) if side == "x" else (ends, middle)
            bars = self.errorbar(*where, fmt="none", **{"yerr" if side == "x" else "xerr": errors}, label="_nolegend_", **style)
        container = BarContainer(
            patches,
            bars,
            datavalues=np.array(lengths),
            orientation="vertical" if side == "x" else "horizontal",
            label="_nolegend_" if several else labels,
        )
        self.containers.append(container)
        if ticks is not None:
            along.set_ticks(at if len(at) > 1 else at, [ticks] * count if isinstance(ticks, str) else ticks)
            self._autoscale_on[side] = True
        return container

    def bar_label(self, container, labels=None, *, fmt="%g", label_type="edge", padding=0, **kwargs):
        if label_type not in ("edge", "center"):
            raise ValueError(f"{label_type!r} is not a valid value for label_type; supported values are 'edge', 'center'")
        upright = container.orientation == "vertical"
        found = []
        for i, (patch, value) in enumerate(zip(container, container.datavalues.tolist())):
            text = labels[i] if labels is not None else fmt(value) if callable(fmt) else fmt % value if "%" in fmt else fmt.format(value)
            x, y = patch.get_x() + patch.get_width() / 2, patch.get_y() + patch.get_height() / 2
            sign = -1 if value < 0 else 1
            props = {"ha": "center", "va": "center"}
            if label_type == "edge":
                if upright:
                    y, props["va"] = patch.get_y() + patch.get_height(), "bottom" if sign > 0 else "top"
                else:
                    x, props["ha"] = patch.get_x() + patch.get_width(), "left" if sign > 0 else "right"
            shift = (0, sign * padding) if upright else (sign * padding, 0)
            found.append(self.annotate(text, (x, y), shift, textcoords="offset points", **{**props, **kwargs}))
        return found

    def stem(self, *args, linefmt=None, markerfmt=None, basefmt=None, bottom=0, label=None, orientation="vertical"):
        if orientation != "vertical":
            raise NotImplementedError("stem(): argument 'orientation' is not implemented in janus-jit yet")
        xs, ys = (np.arange(np.size(data(args[0]))), args[0]) if len(args) == 1 else args
        xs, ys = self._convert(self.xaxis, xs), self._convert(self.yaxis, ys)
        style, _, color = parse_format(linefmt) if linefmt else (None, None, None)
        color = "C0" if color is None else color
        m_style, marker, m_color = parse_format(markerfmt) if markerfmt else (None, None, None)
        stems = self.vlines(xs, bottom, ys, colors=color, linestyles=style or "-", label="_nolegend_")
        heads = self.plot(xs, ys, color=m_color or color, linestyle=m_style or "None", marker=marker or "o", label="_nolegend_")[0]
        line = self.plot([min(xs), max(xs)], [bottom, bottom], basefmt or "C3-", label="_nolegend_")[0]
        container = StemContainer((heads, stems, line), label=label or "")
        self.containers.append(container)
        return container

    # Bars of errors.

    def errorbar(
        self,
        x,
        y,
        yerr=None,
        xerr=None,
        fmt="",
        *,
        ecolor=None,
        elinewidth=None,
        capsize=None,
        capthick=None,
        barsabove=False,
        label="",
        **kwargs,
    ):
        for name in ("lolims", "uplims", "xlolims", "xuplims", "errorevery"):
            if name in kwargs:
                raise NotImplementedError(f"errorbar(): argument '{name}' is not implemented in janus-jit yet")
        xs, ys = self._convert(self.xaxis, x), self._convert(self.yaxis, y)
        if len(xs) != len(ys):
            raise ValueError("'x' and 'y' must have the same size")
        line = None
        if str(fmt).lower() == "none":
            base = {k: kwargs.pop(k) for k in ("color", "c") if k in kwargs}
            color = base.get("color", base.get("c")) or self._next_color("line")
        else:
            line = self._lines_of([xs, ys], fmt or None, {**kwargs, "label": "_nolegend_"})[0]
            color = line.get_color()
        zorder = kwargs.get("zorder", 2) + (0.1 if barsabove else 0)
        edge = color if ecolor is None else ecolor
        width = elinewidth or kwargs.get("linewidth", kwargs.get("lw")) or _rc.rcParams["lines.linewidth"]
        cap = _rc.rcParams["errorbar.capsize"] if capsize is None else capsize
        bars, caps = [], []
        alpha = kwargs.get("alpha")
        for side, error in (("x", xerr), ("y", yerr)):
            if error is None:
                continue
            low, high = _errors(error, len(xs), side)
            ends = [[v - d for v, d in zip(xs if side == "x" else ys, low)], [v + d for v, d in zip(xs if side == "x" else ys, high)]]
            pairs = zip(*ends)
            lines = [[(a, v), (b, v)] for (a, b), v in zip(pairs, ys)] if side == "x" else [[(v, a), (v, b)] for (a, b), v in zip(pairs, xs)]
            collection = LineCollection(lines, colors=edge, linewidths=width, alpha=alpha, zorder=zorder)
            bars.append(self.add_artist(collection))
            if cap > 0:
                for end in ends:
                    where = (end, ys) if side == "x" else (xs, end)
                    one = Line2D(*where, marker="|" if side == "x" else "_", linestyle="None", color=edge, markersize=2 * cap)
                    one.set(alpha=alpha, zorder=zorder, label="_nolegend_")
                    if capthick is not None:
                        one.set_markeredgewidth(capthick)
                    caps.append(self.add_artist(one))
        if line is not None:
            self.add_artist(line)
        container = ErrorbarContainer((line, tuple(caps), tuple(bars)), xerr is not None, yerr is not None, label=label)
        self.containers.append(container)
        return container

    # Areas.

    def _between(self, side, at, first, second, where, step, interpolate, kwargs):
        if step is not None or interpolate:
            raise NotImplementedError("fill_between(): arguments 'step', 'interpolate' are not implemented in janus-jit yet")
        along, across = self._axis(side), self._axis("y" if side == "x" else "x")
        at = self._convert(along, at)
        first, second = self._convert(across, first), self._convert(across, second)
        first, second = (v * len(at) if len(v) == 1 else v for v in (first, second))
        if len(first) != len(at) or len(second) != len(at):
            raise ValueError(f"'{side}' and the values beside it must have the same size")
        shown = [True] * len(at) if where is None else np.asarray(data(where), dtype=bool).tolist()
        if len(shown) != len(at):
            raise ValueError(f"where size ({len(shown)}) does not match '{side}' size ({len(at)})")
        shown = [w and all(map(math.isfinite, v)) for w, *v in zip(shown, at, first, second)]
        areas, i = [], 0
        while i < len(at):
            end = i
            while end < len(at) and shown[end]:
                end += 1
            if end - i > 1:
                there = list(zip(at[i:end], second[i:end]))
                back = list(zip(at[i:end], first[i:end]))[::-1]
                points = there + back
                areas.append(points if side == "x" else [(b, a) for a, b in points])
            i = max(end, i) + 1
        area = PolyCollection(areas, linewidth=_rc.rcParams["patch.linewidth"])
        props = area._normal(kwargs)
        if not {"color", "facecolor"} & set(props):
            area.set_facecolor(self._next_color("patch"))
        return self.add_artist(area.set(**props))

    def fill_between(self, x, y1, y2=0, where=None, interpolate=False, step=None, **kwargs):
        return self._between("x", x, y1, y2, where, step, interpolate, kwargs)

    def fill_betweenx(self, y, x1, x2=0, where=None, step=None, interpolate=False, **kwargs):
        return self._between("y", y, x1, x2, where, step, interpolate, kwargs)

    def fill(self, *args, **kwargs):
        from matplotlib.patches import Polygon

        found, rest = [], list(args)
        while rest:
            x, y = rest.pop(0), rest.pop(0)
            color = rest.pop(0) if rest and isinstance(rest[0], str) else self._next_color("patch")
            xy = np.array([self._convert(self.xaxis, x), self._convert(self.yaxis, y)]).T
            patch = Polygon(xy)
            props = patch._normal(kwargs)
            if not {"color", "facecolor"} & set(props):
                props = {"color": color, **props}
            found.append(self.add_artist(patch.set(**props)))
        return found

    def stackplot(self, x, *args, labels=(), colors=None, baseline="zero", **kwargs):
        if baseline != "zero":
            raise NotImplementedError("stackplot(): argument 'baseline' is not implemented in janus-jit yet")
        rows = np.cumsum(np.array([np.asarray(data(r), dtype=float).tolist() for r in (args[0] if len(args) == 1 else args)]), axis=0)
        found, before = [], np.zeros(rows.shape[1])
        for i, row in enumerate(rows):
            color = colors[i % len(colors)] if colors else self._next_color("line")
            label = labels[i] if i < len(labels) else ""
            found.append(self.fill_between(x, before, row, facecolor=color, label=label, **kwargs))
            before = row
        self._sticky["y"].append(0.0)
        return found

    def arrow(self, x, y, dx, dy, **kwargs):
        from matplotlib.patches import FancyArrow

        return self.add_artist(FancyArrow(x, y, dx, dy, **kwargs))


def _whole(values):
    """Whether the lengths of bars are ints, as they then answer."""
    array = data(values)
    return array.dtype.kind in "iu"


def _kept(values):
    """What a line answers when it is asked for its data."""
    return np.asarray(values) if not isinstance(values, (list, tuple)) else list(values)


def _is_numbers(c, count):
    """A list of as many numbers as there are points; three or four of them could be a colour, too."""
    array = data(c) if not isinstance(c, str) and np.iterable(c) and not any(isinstance(v, str) for v in c) else None
    if array is None or array.dtype.kind not in "bifu":
        return False
    return array.ndim == 1 and array.size == count


def _each(colors):
    if isinstance(colors, str) or is_color_like(colors):
        return [colors]
    return [tuple(c) for c in to_rgba_array(colors).tolist()]


def _errors(error, count, side):
    values = np.asarray(data(error), dtype=float)
    if (values < 0).any():
        raise ValueError(f"'{side}err' must not contain negative values")
    if values.ndim == 2 and values.shape[0] == 2:
        low, high = values[0].tolist(), values[1].tolist()
    else:
        low = high = values.reshape(-1).tolist()
    if len(low) not in (1, count):
        raise ValueError(
            f"'{side}err' (shape: {tuple(values.shape)}) must be a scalar or a 1D or (2, n) array-like whose shape matches '{side}'"
            f" (shape: ({count},))"
        )
    return [v if len(v) == count else v * count for v in (low, high)]


__all__ = ["Plots", "to_rgba"]
