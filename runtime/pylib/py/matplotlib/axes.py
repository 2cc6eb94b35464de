"""A pair of axes and what is in them."""

import math
import warnings

import numpy as np

from matplotlib import _rc, legend
from matplotlib._canvas import box_steps
from matplotlib._kinds import Kinds
from matplotlib._plots import Plots
from matplotlib.artist import Artist, Transform, data, stroke
from matplotlib.axis import Axis
from matplotlib.colors import to_rgba
from matplotlib.text import Annotation, Text


class Spine(Artist):
    def __init__(self, axes, side):
        super().__init__()
        rc = _rc.rcParams
        self.axes, self.side = axes, side
        self._visible = rc[f"axes.spines.{side}"]
        self._edge, self._width, self._style = rc["axes.edgecolor"], rc["axes.linewidth"], "-"
        self._position = ("axes", 0.0 if side in ("left", "bottom") else 1.0)

    def set_color(self, c):
        to_rgba(c)
        self._edge = c

    set_edgecolor = set_color

    def set_linewidth(self, w):
        self._width = float(w)

    def set_linestyle(self, ls):
        from matplotlib.artist import line_style

        self._style = line_style(ls)

    def set_position(self, position):
        position = {"center": ("axes", 0.5), "zero": ("data", 0.0)}.get(position, position)
        if position[0] not in ("axes", "data"):
            raise NotImplementedError(f"a spine's position {position!r} is not implemented in janus-jit yet")
        self._position = position

    def _draw(self, canvas):
        if not self._visible:
            return
        x0, y0, x1, y1 = self.axes._box_in_points()
        level = self.side in ("bottom", "top")
        kind, value = self._position
        if kind == "data":
            value = (self.axes.yaxis if level else self.axes.xaxis).to_unit([value])[0]
        line = stroke(to_rgba(self._edge, self._alpha), self._width, self._style, "projecting", "miter")
        if level:
            y = y0 + value * (y1 - y0)
            canvas.path("ML", [x0, y, x1, y], None, line)
        else:
            x = x0 + value * (x1 - x0)
            canvas.path("ML", [x, y0, x, y1], None, line)


class Spines(dict):
    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"'Spines' object does not contain a '{name}' spine") from None

    def __getitem__(self, key):
        if isinstance(key, (list, slice)):
            chosen = list(self.values()) if isinstance(key, slice) else [self[k] for k in key]
            return _Several(chosen)
        return super().__getitem__(key)


class _Several:
    def __init__(self, spines):
        self._spines = spines

    def __getattr__(self, name):
        def call(*args, **kwargs):
            for spine in self._spines:
                getattr(spine, name)(*args, **kwargs)

        return call


class Axes(Plots, Kinds, Artist):
    name = "rectilinear"

    def __init__(self, fig, rect, *, facecolor=None, frameon=True, sharex=None, sharey=None, **kwargs):
        Artist.__init__(self)
        self.figure = fig
        self._position = tuple(map(float, rect))
        self._spec = None
        self._face = _rc.rcParams["axes.facecolor"] if facecolor is None else facecolor
        self._frame_on = frameon
        self._shared = {"x": {self}, "y": {self}}
        self.xaxis = self.yaxis = None
        self._projection_checked = True
        self._twin_of = None
        self._anchor_box = None
        for side, other in (("x", sharex), ("y", sharey)):
            if other is not None:
                self._shared[side] = other._shared[side]
                self._shared[side].add(self)
        self.clear()
        self.set(**kwargs)

    # State.

    def clear(self):
        self.children = []
        self.patches_cycle = 0
        self._cycle_at = {"line": 0, "patch": 0}
        self._autoscale_on = {"x": True, "y": True}
        self._margins = {"x": None, "y": None}
        self._sticky = {"x": [], "y": []}
        self._aspect, self._adjustable, self._axis_on = "auto", "box", True
        self._titles = {"left": None, "center": None, "right": None}
        self._title_pad = None
        self.legend_ = None
        self.containers = []
        self.xaxis, self.yaxis = Axis(self, "x"), Axis(self, "y")
        self.transData, self.transAxes = Transform("data", self), Transform("axes", self)
        self.spines = Spines({side: Spine(self, side) for side in ("left", "right", "bottom", "top")})
        self._limits_known = False
        for side in "xy":
            others = [a for a in self._shared[side] if a is not self and a.xaxis is not None]
            if others:
                axis, other = self._axis(side), others[0]._axis(side)
                axis._range, axis.major, axis.minor, axis._scale = other._range, other.major, other.minor, other._scale
                axis.units = other.units
                self._autoscale_on[side] = others[0]._autoscale_on[side]

    cla = clear

    def _axis(self, side):
        return self.xaxis if side == "x" else self.yaxis

    def _stale(self):
        for side in "xy":
            for axes in self._shared[side]:
                axes._limits_known = False

    @property
    def lines(self):
        from matplotlib.lines import Line2D

        return [c for c in self.children if isinstance(c, Line2D)]

    @property
    def patches(self):
        from matplotlib.patches import Patch

        return [c for c in self.children if isinstance(c, Patch)]

    @property
    def collections(self):
        from matplotlib.collections import Collection

        return [c for c in self.children if isinstance(c, Collection)]

    @property
    def images(self):
        from matplotlib.image import AxesImage

        return [c for c in self.children if isinstance(c, AxesImage)]

    @property
    def texts(self):
        return [c for c in self.children if isinstance(c, Text)]

    def get_lines(self):
        return self.lines

    def get_images(self):
        return self.images

    def get_children(self):
        return [*self.children, *self.spines.values(), self.xaxis, self.yaxis]

    def has_data(self):
        return any(not isinstance(c, Text) for c in self.children)

    def add_artist(self, artist):
        artist.axes, artist.figure = self, self.figure
        artist._remover = self._remove
        self.children.append(artist)
        self._stale()
        return artist

    add_line = add_patch = add_artist

    def add_collection(self, collection, autolim=True):
        if not autolim:
            raise NotImplementedError("add_collection(): argument 'autolim' is not implemented in janus-jit yet")
        return self.add_artist(collection)

    def _remove(self, artist):
        self.children = [c for c in self.children if c is not artist]
        self._stale()

    def remove(self):
        self.figure.delaxes(self)

    # Units.

    def _convert(self, axis, values):
        """Floats; strings get places in the order in which they come."""
        values = data(values).reshape(-1) if not _has_text(values) else values
        if not isinstance(values, (str, list, tuple)) and values.dtype.kind in "UO" and _has_text(values.tolist()):
            values = values.tolist()
        if _has_text(values):
            values = [values] if isinstance(values, str) else list(values)
            if axis.units is None:
                axis.units = {}
                from matplotlib import ticker

                axis.set_major_locator(ticker.FixedLocator([]))
                axis.set_major_formatter(ticker.FixedFormatter([]))
            for v in values:
                axis.units.setdefault(str(v), len(axis.units))
            axis.major.locator.locs = np.arange(len(axis.units)) * 1.0
            axis.major.formatter.seq = list(axis.units)
            return [float(axis.units[str(v)]) for v in values]
        if values.dtype.kind == "O":
            return [float("nan") if v is None else float(v) for v in values.tolist()]
        if values.dtype.kind not in "bifu":
            raise NotImplementedError(f"values of dtype {values.dtype} on an axis are not implemented in janus-jit yet")
        return values.astype(np.float64).tolist()

    def set_prop_cycle(self, *args, **kwargs):
        self._cycle = None if args == (None,) else _rc.cycler(*args, **kwargs)

    _cycle = None

    def _next(self, kind):
        """The next properties of the cycle."""
        rows = list(self._cycle or _rc.rcParams["axes.prop_cycle"])
        at = self._cycle_at[kind]
        self._cycle_at[kind] += 1
        return rows[at % len(rows)]

    def _next_color(self, kind):
        return self._next(kind).get("color", "k")

    # Limits.

    def _autoscale(self):
        for side in "xy":
            group = [a for a in self._shared[side] if a.xaxis is not None]
            if self._limits_known or not self._autoscale_on[side]:
                continue
            found = _extent_of(group, side)
            if found is not None:
                axis = self._axis(side)
                low, high = self._with_margin(side, axis, *found, group)
                for axes in group:
                    other = axes._axis(side)
                    other._range = (high, low) if axis._inverted else (low, high)
        self._limits_known = True

    def _with_margin(self, side, axis, low, high, group):
        if high - low <= max(abs(low), abs(high)) * 1e-15:
            if axis._scale == "log":
                low, high = low / 10, high * 10
            elif low == high == 0:
                low, high = -0.05, 0.05
            else:
                low, high = low - 0.05 * abs(low), high + 0.05 * abs(high)
        margin = self._margins[side]
        margin = _rc.rcParams[f"axes.{side}margin"] if margin is None else margin
        sticky = [v for axes in group for v in axes._sticky[side]]
        log = axis._scale == "log"
        a, b = (math.log10(low), math.log10(high)) if log else (low, high)
        reach = (b - a) * margin
        near = max(abs(low), abs(high)) * 1e-5 if not log else 0.0
        new_a = a if any(abs(v - low) <= near * 1e-3 for v in sticky) else a - reach
        new_b = b if any(abs(v - high) <= near * 1e-3 for v in sticky) else b + reach
        return (10**new_a, 10**new_b) if log else (new_a, new_b)

    def autoscale(self, enable=True, axis="both", tight=None):
        for side in "xy" if axis == "both" else axis:
            if enable is not None:
                for axes in self._shared[side]:
                    axes._autoscale_on[side] = bool(enable)
            if tight:
                self._margins[side] = 0.0
        self._stale()

    def autoscale_view(self, tight=None, scalex=True, scaley=True):
        for side, on in (("x", scalex), ("y", scaley)):
            if on and tight:
                self._margins[side] = 0.0
        self._stale()

    def relim(self, visible_only=False):
        if visible_only:
            raise NotImplementedError("relim(): argument 'visible_only' is not implemented in janus-jit yet")
        self._stale()

    def margins(self, *margins, x=None, y=None, tight=True):
        if margins and (x is not None or y is not None):
            raise TypeError("Cannot pass both positional and keyword arguments for x and/or y.")
        if len(margins) == 1:
            x = y = margins[0]
        elif len(margins) == 2:
            x, y = margins
        elif margins:
            raise TypeError("Must pass a single positional argument for all margins, or one for each margin (x, y).")
        if x is None and y is None:
            return tuple(_rc.rcParams[f"axes.{s}margin"] if self._margins[s] is None else self._margins[s] for s in "xy")
        if not tight:
            raise NotImplementedError("margins(): argument 'tight' is not implemented in janus-jit yet")
        for side, value in (("x", x), ("y", y)):
            if value is not None:
                self._margins[side] = value
        self._stale()

    def set_xmargin(self, m):
        self.margins(x=m)

    def set_ymargin(self, m):
        self.margins(y=m)

    def _get_lim(self, side):
        self._autoscale()
        return tuple(np.float64(v) for v in self._axis(side)._range)

    def get_xlim(self):
        return self._get_lim("x")

    def get_ylim(self):
        return self._get_lim("y")

    def get_xbound(self):
        return tuple(sorted(self.get_xlim()))

    def get_ybound(self):
        return tuple(sorted(self.get_ylim()))

    def _set_lim(self, side, first, last, names, auto):
        if last is None and np.iterable(first):
            first, last = first
        old, axis = self._get_lim(side), self._axis(side)
        values = [old[i] if v is None else self._convert(axis, [v])[0] for i, v in enumerate((first, last))]
        if any(not math.isfinite(v) for v in values):
            raise ValueError("Axis limits cannot be NaN or Inf")
        if axis._scale == "log" and min(values) <= 0:
            warnings.warn(
                f"Attempt to set non-positive {side}lim on a log-scaled axis will be ignored.", stacklevel=3
            )
            values = [old[i] if v <= 0 else v for i, v in enumerate(values)]
        if values[0] == values[1]:
            warnings.warn(
                f"Attempting to set identical low and high {side}lims makes transformation singular; automatically"
                " expanding.",
                stacklevel=3,
            )
            reach = 0.05 * abs(values[0]) or 0.05
            values = [values[0] - reach, values[1] + reach]
        for axes in self._shared[side]:
            other = axes._axis(side)
            other._range, other._inverted = tuple(values), values[0] > values[1]
            if auto is not None:
                axes._autoscale_on[side] = bool(auto)
        return tuple(np.float64(v) for v in values)

    def set_xlim(self, left=None, right=None, *, emit=True, auto=False, xmin=None, xmax=None):
        if not emit:
            raise NotImplementedError("set_xlim(): argument 'emit' is not implemented in janus-jit yet")
        left, right = _one_of("left", left, "xmin", xmin), _one_of("right", right, "xmax", xmax)
        return self._set_lim("x", left, right, "left right", auto)

    def set_ylim(self, bottom=None, top=None, *, emit=True, auto=False, ymin=None, ymax=None):
        if not emit:
            raise NotImplementedError("set_ylim(): argument 'emit' is not implemented in janus-jit yet")
        bottom, top = _one_of("bottom", bottom, "ymin", ymin), _one_of("top", top, "ymax", ymax)
        return self._set_lim("y", bottom, top, "bottom top", auto)

    set_xbound, set_ybound = set_xlim, set_ylim

    def invert_xaxis(self):
        self._invert("x")

    def invert_yaxis(self):
        self._invert("y")

    def _invert(self, side):
        low, high = self._get_lim(side)
        auto = self._autoscale_on[side]
        self._set_lim(side, high, low, "", None)
        self._autoscale_on[side] = auto

    def xaxis_inverted(self):
        return self.get_xlim()[0] > self.get_xlim()[1]

    def yaxis_inverted(self):
        return self.get_ylim()[0] > self.get_ylim()[1]

    def _set_scale(self, side, value, props):
        if props:
            raise NotImplementedError(f"set_{side}scale(): argument {next(iter(props))!r} is not implemented in janus-jit yet")
        for axes in self._shared[side]:
            axes._axis(side).set_scale(value)
        self._stale()

    def set_xscale(self, value, **kwargs):
        self._set_scale("x", value, kwargs)

    def set_yscale(self, value, **kwargs):
        self._set_scale("y", value, kwargs)

    def get_xscale(self):
        return self.xaxis._scale

    def get_yscale(self):
        return self.yaxis._scale

    def set_aspect(self, aspect, adjustable=None, anchor=None, share=False):
        if anchor is not None or share:
            raise NotImplementedError("set_aspect(): argument 'anchor' is not implemented in janus-jit yet")
        if aspect not in ("auto", "equal"):
            aspect = float(aspect)
        self._aspect = aspect
        if adjustable is not None:
            self.set_adjustable(adjustable)

    def set_adjustable(self, adjustable):
        if adjustable not in ("box", "datalim"):
            raise ValueError(f"{adjustable!r} is not a valid value for adjustable; supported values are 'box', 'datalim'")
        self._adjustable = adjustable

    def get_aspect(self):
        return 1.0 if self._aspect == "equal" else self._aspect

    def set_box_aspect(self, aspect=None):
        self._anchor_box = aspect

    def axis(self, arg=None, /, *, emit=True, **kwargs):
        if not emit:
            raise NotImplementedError("axis(): argument 'emit' is not implemented in janus-jit yet")
        if isinstance(arg, (str, bool)):
            arg = {True: "on", False: "off"}.get(arg, arg)
            if arg in ("on", "off"):
                self._axis_on = arg == "on"
            elif arg in ("tight", "image", "scaled", "equal", "auto", "square"):
                self.autoscale(True)
                self.set_aspect("auto", "box")
                if arg in ("image", "scaled"):
                    self.set_aspect("equal", "box")
                    self.autoscale(tight=arg == "image")
                elif arg == "equal":
                    self.set_aspect("equal", "datalim")
                elif arg == "tight":
                    self.autoscale(tight=True)
                elif arg == "square":
                    (x0, x1), (y0, y1) = self.get_xlim(), self.get_ylim()
                    edge = max(x1 - x0, y1 - y0)
                    self.set_aspect("equal", "box")
                    self.set_xlim(x0, x0 + edge)
                    self.set_ylim(y0, y0 + edge)
            else:
                raise ValueError(f"Unrecognized string {arg!r} to axis; try 'on' or 'off'")
        elif arg is not None:
            if len(arg) != 4:
                raise TypeError("The first argument to axis() must be an iterable of the form [xmin, xmax, ymin, ymax]")
            self.set_xlim(arg[0], arg[1])
            self.set_ylim(arg[2], arg[3])
        limits = {k: kwargs.pop(k) for k in ("xmin", "xmax", "ymin", "ymax") if k in kwargs}
        if kwargs:
            raise TypeError(f"axis() got an unexpected keyword argument '{next(iter(kwargs))}'")
        if "xmin" in limits or "xmax" in limits:
            self.set_xlim(limits.get("xmin"), limits.get("xmax"))
        if "ymin" in limits or "ymax" in limits:
            self.set_ylim(limits.get("ymin"), limits.get("ymax"))
        return (*self.get_xlim(), *self.get_ylim())

    def set_axis_off(self):
        self._axis_on = False

    def set_axis_on(self):
        self._axis_on = True

    def set_frame_on(self, b):
        self._frame_on = bool(b)

    def set_facecolor(self, color):
        to_rgba(color)
        self._face = color

    def get_facecolor(self):
        return to_rgba(self._face)

    def set_axisbelow(self, b):
        if b not in (True, "line", False):
            raise ValueError(f"{b!r} is not a valid value for axisbelow")
        self._below = b

    _below = "line"

    # Words.

    def set_title(self, label, fontdict=None, loc=None, pad=None, *, y=None, **kwargs):
        if y is not None:
            raise NotImplementedError("set_title(): argument 'y' is not implemented in janus-jit yet")
        loc = loc or "center"
        if loc not in self._titles:
            raise ValueError(f"{loc!r} is not a valid location")
        rc = _rc.rcParams
        color = rc["text.color"] if rc["axes.titlecolor"] == "auto" else rc["axes.titlecolor"]
        props = {"fontsize": _rc.size(rc["axes.titlesize"]), "fontweight": rc["axes.titleweight"], "color": color}
        title = Text(0, 0, label, va="baseline", ha=loc)
        title.set(**{**props, **title._normal({**(fontdict or {}), **kwargs})})
        title.figure = self.figure
        self._titles[loc] = title
        self._title_pad = rc["axes.titlepad"] if pad is None else pad
        return title

    def get_title(self, loc="center"):
        return self._titles[loc].get_text() if self._titles[loc] else ""

    @property
    def title(self):
        return self._titles["center"] or self.set_title("")

    def _set_label(self, axis, label, fontdict, labelpad, loc, kwargs):
        if loc not in (None, "center"):
            raise NotImplementedError(f"loc={loc!r} of a label is not implemented in janus-jit yet")
        if labelpad is not None:
            axis.labelpad = labelpad
        axis.label.figure = self.figure
        return axis.set_label_text(label, fontdict, **kwargs)

    def set_xlabel(self, xlabel, fontdict=None, labelpad=None, *, loc=None, **kwargs):
        return self._set_label(self.xaxis, xlabel, fontdict, labelpad, loc, kwargs)

    def set_ylabel(self, ylabel, fontdict=None, labelpad=None, *, loc=None, **kwargs):
        return self._set_label(self.yaxis, ylabel, fontdict, labelpad, loc, kwargs)

    def get_xlabel(self):
        return self.xaxis.label.get_text()

    def get_ylabel(self):
        return self.yaxis.label.get_text()

    def set_xticks(self, ticks, labels=None, *, minor=False, **kwargs):
        self._autoscale()
        return self.xaxis.set_ticks(ticks, labels, minor=minor, **kwargs)

    def set_yticks(self, ticks, labels=None, *, minor=False, **kwargs):
        self._autoscale()
        return self.yaxis.set_ticks(ticks, labels, minor=minor, **kwargs)

    def get_xticks(self, *, minor=False):
        self._autoscale()
        return self.xaxis.get_ticklocs(minor=minor)

    def get_yticks(self, *, minor=False):
        self._autoscale()
        return self.yaxis.get_ticklocs(minor=minor)

    def set_xticklabels(self, labels, *, minor=False, fontdict=None, **kwargs):
        return self.xaxis.set_ticklabels(labels, minor=minor, fontdict=fontdict, **kwargs)

    def set_yticklabels(self, labels, *, minor=False, fontdict=None, **kwargs):
        return self.yaxis.set_ticklabels(labels, minor=minor, fontdict=fontdict, **kwargs)

    def get_xticklabels(self, minor=False):
        self._autoscale()
        return self.xaxis.get_ticklabels(minor=minor)

    def get_yticklabels(self, minor=False):
        self._autoscale()
        return self.yaxis.get_ticklabels(minor=minor)

    def get_xaxis(self):
        return self.xaxis

    def get_yaxis(self):
        return self.yaxis

    def tick_params(self, axis="both", **kwargs):
        if axis not in ("x", "y", "both"):
            raise ValueError(f"{axis!r} is not a valid value for axis; supported values are 'x', 'y', 'both'")
        own = {"x": ("left", "right", "labelleft", "labelright"), "y": ("top", "bottom", "labeltop", "labelbottom")}
        for side in "xy" if axis == "both" else axis:
            self._axis(side).set_tick_params(**{k: v for k, v in kwargs.items() if k not in own[side]})

    def ticklabel_format(self, *, axis="both", style=None, scilimits=None, useOffset=None):
        for side in "xy" if axis == "both" else axis:
            formatter = self._axis(side).major.formatter
            if style not in (None, "", "sci", "scientific", "plain", "comma"):
                raise ValueError(f"{style!r} is not a valid value for style")
            if style is not None:
                formatter.set_scientific(style.startswith("sci"))
            if scilimits is not None:
                formatter.set_powerlimits(scilimits)
            if useOffset is not None:
                formatter.set_useOffset(useOffset)

    def locator_params(self, axis="both", tight=None, **kwargs):
        from matplotlib.ticker import AutoLocator

        if tight is not None or set(kwargs) - {"nbins", "integer"}:
            raise NotImplementedError("locator_params() with these arguments is not implemented in janus-jit yet")
        for side in "xy" if axis == "both" else axis:
            locator = self._axis(side).major.locator
            if not isinstance(locator, AutoLocator):
                raise NotImplementedError("locator_params() of this locator is not implemented in janus-jit yet")
            locator._nbins = kwargs.get("nbins", locator._nbins)
            locator._integer = kwargs.get("integer", locator._integer)

    def minorticks_on(self):
        raise NotImplementedError("minorticks_on() is not implemented in janus-jit yet")

    def minorticks_off(self):
        from matplotlib.ticker import NullLocator

        self.xaxis.set_minor_locator(NullLocator())
        self.yaxis.set_minor_locator(NullLocator())

    def grid(self, visible=None, which="major", axis="both", **kwargs):
        for side in "xy" if axis == "both" else axis:
            self._axis(side).grid(visible, which, **kwargs)

    def label_outer(self):
        spec = self._spec
        if spec is None:
            return
        if spec.rows[1] != spec.grid.nrows:
            self.xaxis.set_label_text("")
            self.xaxis.set_tick_params(labelbottom=False)
        if spec.columns[0] != 0:
            self.yaxis.set_label_text("")
            self.yaxis.set_tick_params(labelleft=False)

    def legend(self, *args, **kwargs):
        handles, labels = legend.collect([self], args, kwargs)
        self.legend_ = legend.Legend(self, handles, labels, **kwargs)
        self.legend_.axes, self.legend_.figure = self, self.figure
        self.legend_._remover = lambda _: setattr(self, "legend_", None)
        return self.legend_

    def get_legend(self):
        return self.legend_

    def get_legend_handles_labels(self):
        handles = [h for h in self._handles() if h.get_label() and not h.get_label().startswith("_")]
        return handles, [h.get_label() for h in handles]

    def _handles(self):
        inside = [one for c in self.containers for one in _flat(c)]
        free = [c for c in self.children if not isinstance(c, Text) and not any(c is one for one in inside)]
        return free + self.containers

    def text(self, x, y, s, fontdict=None, **kwargs):
        x, y = self._place_of(x, y, kwargs)
        return self.add_artist(Text(x, y, s, fontdict=fontdict, **kwargs))

    def _place_of(self, x, y, kwargs):
        transform = kwargs.get("transform")
        if transform is None or transform.is_data():
            return self._convert(self.xaxis, [x])[0], self._convert(self.yaxis, [y])[0]
        return float(x), float(y)

    def annotate(self, text, xy, xytext=None, xycoords="data", textcoords=None, arrowprops=None, annotation_clip=None, **kwargs):
        return self.add_artist(Annotation(text, xy, xytext, xycoords, textcoords, arrowprops, annotation_clip, **kwargs))

    # Two pairs of axes in one place.

    def twinx(self):
        return self._twin("x")

    def twiny(self):
        return self._twin("y")

    def _twin(self, side):
        share = {"sharex": self} if side == "x" else {"sharey": self}
        other = self.figure.add_axes(self._position, **share)
        other._spec, other._twin_of, other._face = self._spec, self, "none"
        if side == "x":
            other.yaxis.tick_right()
            other.xaxis.set_visible(False)
        else:
            other.xaxis.tick_top()
            other.yaxis.set_visible(False)
        return other

    def sharex(self, other):
        self._shared["x"] = other._shared["x"]
        other._shared["x"].add(self)

    def sharey(self, other):
        self._shared["y"] = other._shared["y"]
        other._shared["y"].add(self)

    def inset_axes(self, bounds, **kwargs):
        x, y, w, h = self._position
        rect = (x + bounds[0] * w, y + bounds[1] * h, bounds[2] * w, bounds[3] * h)
        return self.figure.add_axes(rect, **kwargs)

    # Where they are.

    def get_position(self, original=False):
        from matplotlib.transforms import Bbox

        if not original:
            x0, y0, x1, y1 = self._box_in_points()
            w, h = self.figure.get_size_inches() * 72
            return Bbox.from_extents(x0 / w, y0 / h, x1 / w, y1 / h)
        return Bbox.from_bounds(*self._position)

    def set_position(self, pos, which="both"):
        if which != "both":
            raise NotImplementedError("set_position(): argument 'which' is not implemented in janus-jit yet")
        self._position = tuple(pos.bounds if hasattr(pos, "bounds") else pos)
        self._spec = None

    def get_subplotspec(self):
        return self._spec

    def get_window_extent(self, renderer=None):
        from matplotlib.transforms import Bbox

        scale = getattr(renderer, "dpi", self.figure.dpi) / 72
        return Bbox.from_extents(*(v * scale for v in self._box_in_points()))

    def _outer_box(self):
        x, y, w, h = self._spec.place(self.figure) if self._spec is not None else self._position
        wide, tall = (float(v) * 72 for v in self.figure.get_size_inches())
        return x * wide, y * tall, (x + w) * wide, (y + h) * tall

    def _box_in_points(self):
        """Left, bottom, right, top; within the outer box if the aspect says so."""
        x0, y0, x1, y1 = self._outer_box()
        ratio = self._anchor_box
        if self._aspect != "auto" and self._adjustable == "box":
            spans = [abs(_span(self._axis(side))) for side in "xy"]
            ratio = spans[1] / spans[0] * self.get_aspect() if spans[0] else None
        if ratio:
            w, h = x1 - x0, y1 - y0
            if w * ratio > h:
                new_w, new_h = h / ratio, h
            else:
                new_w, new_h = w, w * ratio
            x0, y0 = x0 + (w - new_w) / 2, y0 + (h - new_h) / 2
            x1, y1 = x0 + new_w, y0 + new_h
        return x0, y0, x1, y1

    def _apply_aspect(self):
        """Where the data's limits give way to the aspect."""
        if self._aspect == "auto" or self._adjustable != "datalim":
            return
        x0, y0, x1, y1 = self._box_in_points()
        (a, b), (c, d) = self.xaxis._range, self.yaxis._range
        wanted = (y1 - y0) / (x1 - x0) / self.get_aspect()
        have = abs(d - c) / abs(b - a)
        if have < wanted:
            middle, half = (c + d) / 2, (d - c) / 2 * wanted / have
            self.yaxis._range = (middle - half, middle + half)
        else:
            middle, half = (a + b) / 2, (b - a) / 2 * have / wanted
            self.xaxis._range = (middle - half, middle + half)

    def _map(self, kind, xs=None, ys=None):
        x0, y0, x1, y1 = self._box_in_points()
        if kind == "data":
            self._autoscale()
            xs, ys = self.xaxis.to_unit(xs), self.yaxis.to_unit(ys)
        elif kind == "xaxis":
            xs = self.xaxis.to_unit(xs)
        elif kind == "yaxis":
            ys = self.yaxis.to_unit(ys)
        return [x0 + u * (x1 - x0) for u in xs], [y0 + v * (y1 - y0) for v in ys]

    def get_xaxis_transform(self):
        return Transform("xaxis", self)

    def get_yaxis_transform(self):
        return Transform("yaxis", self)

    def _points_of_data(self):
        points = []
        for c in self.children:
            if not isinstance(c, Text) and c.get_visible():
                xs, ys = c._extent()
                if len(xs) == len(ys) and xs:
                    points += zip(*self._map("data", xs, ys))
        return points

    # Drawing.

    def _draw(self, canvas):
        if not self._visible:
            return
        self._autoscale()
        self._apply_aspect()
        face = to_rgba(self._face)
        if self._axis_on and self._frame_on and face[3]:
            canvas.path(*box_steps(*self._box_in_points()), face, None, False)
        grid_at = {True: 0.5, "line": 1.5, False: 2.5}[self._below]
        jobs = [(c.get_zorder(), i, c._draw) for i, c in enumerate(self.children)]
        if self._axis_on:
            for axis in (self.xaxis, self.yaxis):
                jobs.append((grid_at, -1, axis._draw_grid))
                jobs.append((2.5, -1, axis._draw))
            if self._frame_on:
                jobs += [(2.5, -1, spine._draw) for spine in self.spines.values()]
        if self.legend_ is not None:
            jobs.append((self.legend_.get_zorder(), len(jobs), self.legend_._draw))
        for _, _, draw in sorted(jobs, key=lambda job: job[:2]):
            draw(canvas)
        self._draw_titles(canvas)

    def _draw_titles(self, canvas):
        x0, _, x1, y1 = self._box_in_points()
        top = self.xaxis._side == "top" and self._axis_on
        for loc, title in self._titles.items():
            if title is not None and title.get_text() and title.get_visible():
                x = {"left": x0, "center": (x0 + x1) / 2, "right": x1}[loc]
                title._draw_at(canvas, x, y1 + self._title_pad + (17 if top else 0))


def _flat(container):
    for item in container:
        if isinstance(item, (tuple, list)):
            yield from item
        else:
            yield item


def _has_text(values):
    if isinstance(values, str):
        return True
    return isinstance(values, (list, tuple)) and any(isinstance(v, str) for v in values)


def _one_of(name, value, alias, other):
    if other is None:
        return value
    if value is not None:
        raise TypeError(f"Cannot pass both {name!r} and {alias!r}")
    return other


def _span(axis):
    low, high = axis._range
    return math.log10(high / low) if axis._scale == "log" else high - low


def _extent_of(group, side):
    """The least and the greatest of all that is in axes; none if nothing is."""
    low, high = math.inf, -math.inf
    for axes in group:
        log = axes._axis(side)._scale == "log"
        for c in axes.children:
            if isinstance(c, Text):
                continue
            for v in c._extent()[0 if side == "x" else 1]:
                if math.isfinite(v) and (v > 0 or not log):
                    low, high = min(low, v), max(high, v)
    return None if low > high else (low, high)
