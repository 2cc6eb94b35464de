"""An axis: its range, its ticks, their labels."""

import math

import numpy as np

from matplotlib import _rc, ticker
from matplotlib.artist import Artist, data, stroke
from matplotlib.colors import to_rgba
from matplotlib.text import Text, measure


class _Ticks:
    def __init__(self, locator, formatter, axis):
        self.locator, self.formatter = locator, formatter
        locator.set_axis(axis)
        formatter.set_axis(axis)


class Axis(Artist):
    zorder = 2.5

    def __init__(self, axes, name):
        super().__init__()
        self.axes, self.axis_name = axes, name
        self._range = (0.0, 1.0)
        self._scale = "linear"
        self._inverted = False
        self.isDefault_label = True
        rc = _rc.rcParams
        size = _rc.size(rc["axes.labelsize"])
        turned = {"rotation": 90.0, "rotation_mode": "anchor", "va": "bottom"} if name == "y" else {"va": "top"}
        color, weight = rc["axes.labelcolor"], rc["axes.labelweight"]
        self.label = Text(0, 0, "", ha="center", fontsize=size, color=color, fontweight=weight, **turned)
        self.labelpad = rc["axes.labelpad"]
        self.units = None
        self._side = "bottom" if name == "x" else "left"
        self._label_side = None
        self._params = {"major": {}, "minor": {}}
        self._label_props = {}
        self._grid = {"major": dict() if rc["axes.grid"] else None, "minor": None}
        self.set_scale("linear")

    def set_scale(self, scale):
        if scale not in ("linear", "log"):
            if scale in ("symlog", "logit", "asinh", "function"):
                raise NotImplementedError(f"the scale {scale!r} is not implemented in janus-jit yet")
            known = "'linear', 'log', 'symlog', 'asinh', 'logit', 'function', 'functionlog'"
            raise ValueError(f"{scale!r} is not a valid value for scale; supported values are {known}")
        self._scale = scale
        if scale == "log":
            self.major = _Ticks(ticker.LogLocator(), ticker.LogFormatterSciNotation(), self)
            self.minor = _Ticks(ticker.LogLocator(subs=tuple(range(2, 10))), ticker.NullFormatter(), self)
        else:
            self.major = _Ticks(ticker.AutoLocator(), ticker.ScalarFormatter(), self)
            self.minor = _Ticks(ticker.NullLocator(), ticker.NullFormatter(), self)

    def get_scale(self):
        return self._scale

    def get_view_interval(self):
        return np.array(self._range)

    def get_label(self):
        return self.label

    def get_label_text(self):
        return self.label.get_text()

    def set_label_text(self, label, fontdict=None, **kwargs):
        self.label.set_text(label)
        self.label.set(**{**(fontdict or {}), **kwargs})
        return self.label

    def set_label_coords(self, x, y):
        raise NotImplementedError(f"set_label_coords({x}, {y}) is not implemented in janus-jit yet")

    def set_label_position(self, position):
        self._label_side = position

    def set_ticks_position(self, position):
        allowed = ("bottom", "top") if self.axis_name == "x" else ("left", "right")
        if position not in allowed:
            raise NotImplementedError(f"set_ticks_position({position!r}) is not implemented in janus-jit yet")
        self._side = position

    def tick_top(self):
        self.set_ticks_position("top")

    def tick_right(self):
        self.set_ticks_position("right")

    def tick_left(self):
        self.set_ticks_position("left")

    def tick_bottom(self):
        self.set_ticks_position("bottom")

    def set_major_locator(self, locator):
        self.major.locator = locator
        locator.set_axis(self)

    def set_minor_locator(self, locator):
        self.minor.locator = locator
        locator.set_axis(self)

    def set_major_formatter(self, formatter):
        self._set_formatter(self.major, formatter)

    def set_minor_formatter(self, formatter):
        self._set_formatter(self.minor, formatter)

    def _set_formatter(self, ticks, formatter):
        if isinstance(formatter, str):
            formatter = ticker.StrMethodFormatter(formatter)
        elif callable(formatter) and not isinstance(formatter, ticker.Formatter):
            formatter = ticker.FuncFormatter(formatter)
        ticks.formatter = formatter
        formatter.set_axis(self)

    def get_major_locator(self):
        return self.major.locator

    def get_major_formatter(self):
        return self.major.formatter

    def get_ticklocs(self, *, minor=False):
        return np.asarray((self.minor if minor else self.major).locator(), dtype=float)

    get_majorticklocs = get_ticklocs

    def set_ticks(self, ticks, labels=None, *, minor=False, **kwargs):
        if labels is None and kwargs:
            raise ValueError(
                f"Incorrect use of keyword argument {next(iter(kwargs))!r}. Keyword arguments other than 'minor' modify the"
                " text labels and can only be used if 'labels' are passed as well."
            )
        ticks = self.axes._convert(self, data(ticks))
        which = self.minor if minor else self.major
        which.locator = ticker.FixedLocator(ticks)
        which.locator.set_axis(self)
        if ticks and not minor:
            low, high = self._range
            self._range_to(min(low, high, *ticks), max(low, high, *ticks))
        if labels is not None:
            self.set_ticklabels(labels, minor=minor, **kwargs)

    def _range_to(self, low, high):
        self._range = (high, low) if self._inverted else (low, high)
        self.axes._autoscale_on[self.axis_name] = False

    def set_ticklabels(self, labels, *, minor=False, fontdict=None, **kwargs):
        labels = [x.get_text() if isinstance(x, Text) else str(x) for x in labels]
        which = self.minor if minor else self.major
        if isinstance(which.locator, ticker.FixedLocator) and labels and len(which.locator.locs) != len(labels):
            raise ValueError(
                f"The number of FixedLocator locations ({len(which.locator.locs)}), usually from a call to set_ticks, does"
                f" not match the number of labels ({len(labels)})."
            )
        self._set_formatter(which, ticker.FixedFormatter(labels))
        self._check_label_props({**(fontdict or {}), **kwargs})
        return self.get_ticklabels(minor=minor)

    def _check_label_props(self, props):
        Text(0, 0, "", **props)
        self._label_props.update(props)

    def get_ticklabels(self, minor=False):
        which = self.minor if minor else self.major
        locs = self.get_ticklocs(minor=minor).tolist()
        return [self._label_at(loc, text) for loc, text in zip(locs, which.formatter.format_ticks(locs))]

    def _label_at(self, loc, text):
        x, y = (loc, 0) if self.axis_name == "x" else (0, loc)
        label = Text(x, y, text, **self._label_props)
        label._of = self
        return label

    def _tick_space(self):
        """How many labels there is room for."""
        x0, y0, x1, y1 = self.axes._box_in_points()
        size = ticker.size_of(self.axis_name)
        length = x1 - x0 if self.axis_name == "x" else y1 - y0
        return math.floor(length / (size * (3 if self.axis_name == "x" else 2)))

    def grid(self, visible=None, which="major", **kwargs):
        known = {"color", "c", "linestyle", "ls", "linewidth", "lw", "alpha", "zorder"}
        for key in kwargs:
            if key not in known:
                raise AttributeError(f"Line2D.set() got an unexpected keyword argument {key!r}")
        for name in ("major", "minor") if which == "both" else (which,):
            shown = self._grid[name] is None if visible is None and not kwargs else visible is not False
            self._grid[name] = {**(self._grid[name] or {}), **kwargs} if shown and (visible or visible is None) else None

    def set_tick_params(self, which="major", **kwargs):
        known = {"size": "length", "labelrotation": "rotation"}
        allowed = ("length", "width", "color", "pad", "labelsize", "labelcolor", "colors", "rotation", "direction", "labelrotation")
        allowed += ("left", "right", "top", "bottom", "labelleft", "labelright", "labeltop", "labelbottom", "size")
        for key, value in kwargs.items():
            if key not in allowed:
                raise ValueError(
                    f"keyword {key} is not recognized; valid keywords are {list(allowed)}"
                )
            for name in ("major", "minor") if which == "both" else (which,):
                if key == "colors":
                    self._params[name].update(color=value, labelcolor=value)
                else:
                    self._params[name][known.get(key, key)] = value

    def get_major_ticks(self, numticks=None):
        raise NotImplementedError(f"get_major_ticks({numticks}) is not implemented in janus-jit yet")

    def get_inverted(self):
        return self._range[0] > self._range[1]

    # How numbers become points.

    def to_unit(self, values):
        low, high = self._range
        if self._scale == "log":
            low, high = math.log(low), math.log(high)
            values = [math.log(v) if v > 0 else math.nan for v in values]
        span = (high - low) or 1.0
        return [(v - low) / span for v in values]

    # Drawing.

    def _seen(self, which):
        """Ticks inside of the range, with their labels."""
        ticks = self.minor if which == "minor" else self.major
        locs = np.asarray(ticks.locator(), dtype=float).tolist()
        labels = ticks.formatter.format_ticks(locs)
        drawn = getattr(ticks.formatter, "drawn", None)
        units = self.to_unit(locs)
        return [
            (u, drawn(loc) if drawn else label) for u, loc, label in zip(units, locs, labels) if -1e-9 <= u <= 1 + 1e-9
        ]

    def _shows(self, what, which, default):
        return self._params[which].get(what, default)

    def _draw_grid(self, canvas):
        if not self._visible:
            return
        rc = _rc.rcParams
        box = self.axes._box_in_points()
        for which in ("minor", "major"):
            props = self._grid[which]
            if props is None:
                continue
            alpha = props.get("alpha", rc["grid.alpha"])
            color = to_rgba(props.get("color", props.get("c", rc["grid.color"])), alpha)
            width = props.get("linewidth", props.get("lw", rc["grid.linewidth"]))
            from matplotlib.artist import line_style

            style = line_style(props.get("linestyle", props.get("ls", rc["grid.linestyle"])))
            line = stroke(color, width, style, "butt")
            for u, _ in self._seen(which):
                if self.axis_name == "x":
                    x = box[0] + u * (box[2] - box[0])
                    canvas.path("ML", [x, box[1], x, box[3]], None, line)
                else:
                    y = box[1] + u * (box[3] - box[1])
                    canvas.path("ML", [box[0], y, box[2], y], None, line)

    def _draw(self, canvas):
        if not self._visible:
            return
        rc, name = _rc.rcParams, self.axis_name
        box = self.axes._box_in_points()
        near, far = ("bottom", "top") if name == "x" else ("left", "right")
        reach = {near: 0.0, far: 0.0}
        for which in ("minor", "major"):
            params = self._params[which]
            length = params.get("length", rc[f"{name}tick.{which}.size"])
            width = params.get("width", rc[f"{name}tick.{which}.width"])
            line = stroke(to_rgba(params.get("color", rc[f"{name}tick.color"])), width, "-", "butt")
            direction = params.get("direction", rc[f"{name}tick.direction"])
            out, inner = {"out": (length, 0.0), "in": (0.0, length), "inout": (length / 2, length / 2)}[direction]
            pad = params.get("pad", rc[f"{name}tick.major.pad"])
            ticks = self._seen(which)
            for side in (near, far):
                on = side == self._side
                if params.get(side, on):
                    reach[side] = max(reach[side], out)
                    for u, _ in ticks:
                        self._tick(canvas, box, u, side, out, inner, line)
                if params.get("label" + side, on):
                    deep = 0.0
                    for u, words in ticks:
                        if words:
                            deep = max(deep, self._tick_label(canvas, box, u, side, out + pad, words, params))
                    if deep:
                        reach[side] = max(reach[side], out + pad + deep)
        self._offset_text(canvas, box, reach)
        self._place_label(canvas, box, reach)

    def _point(self, box, u, side, away):
        x0, y0, x1, y1 = box
        if self.axis_name == "x":
            return x0 + u * (x1 - x0), y0 - away if side == "bottom" else y1 + away
        return (x0 - away if side == "left" else x1 + away), y0 + u * (y1 - y0)

    def _tick(self, canvas, box, u, side, out, inner, line):
        canvas.path("ML", [*self._point(box, u, side, out), *self._point(box, u, side, -inner)], None, line)

    def _tick_label(self, canvas, box, u, side, away, words, params):
        x, y = self._point(box, u, side, away)
        aligned = {"bottom": ("center", "top"), "top": ("center", "bottom"), "left": ("right", "center_baseline")}
        ha, va = aligned.get(side, ("left", "center_baseline"))
        rc = _rc.rcParams
        props = {
            "fontsize": _rc.size(params.get("labelsize", rc[f"{self.axis_name}tick.labelsize"])),
            "color": params.get("labelcolor", rc[f"{self.axis_name}tick.color"]),
            "rotation": params.get("rotation", 0),
        }
        label = Text(x, y, words, **{**props, "ha": ha, "va": va, **self._label_props})
        label._draw_at(canvas, x, y)
        a, b, c, d = label._box(x, y)
        return d - b if self.axis_name == "x" else c - a

    def _offset_text(self, canvas, box, reach):
        text = self.major.formatter.get_offset()
        if not text:
            return
        size = ticker.size_of(self.axis_name)
        if self.axis_name == "x":
            x, y, ha, va = box[2], box[1] - reach["bottom"] - 3, "right", "top"
            reach["bottom"] += size
        else:
            x, y, ha, va = box[0], box[3] + 3, "left", "baseline"
        Text(x, y, text, fontsize=size, ha=ha, va=va)._draw_at(canvas, x, y)

    def _place_label(self, canvas, box, reach):
        if not self.label.get_text() or not self.label.get_visible():
            return
        side = self._label_side or self._side
        x, y = self._point(box, 0.5, side, reach[side] + self.labelpad)
        if side == "top":
            self.label.set_va("bottom")
        elif side == "right":
            self.label.set_va("top")
        self.label._draw_at(canvas, x, y)


__all__ = ["Axis", "measure"]
