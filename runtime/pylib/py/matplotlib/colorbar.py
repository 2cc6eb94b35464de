"""Bars that say which colour stands for which number."""

import numpy as np

from matplotlib import ticker
from matplotlib.artist import Artist
from matplotlib._canvas import box_steps
from matplotlib.colors import LogNorm


class _Ramp(Artist):
    """The colours of a bar."""

    zorder = 1

    def __init__(self, bar):
        super().__init__()
        self._bar = bar

    def _draw(self, canvas):
        bar = self._bar
        x0, y0, x1, y1 = self.axes._box_in_points()
        colors, edges = bar.colors()
        upright = bar.orientation == "vertical"
        axis = self.axes.yaxis if upright else self.axes.xaxis
        ends = axis.to_unit(edges)
        for (a, b), color in zip(zip(ends, ends[1:]), colors):
            a, b = max(a, 0.0), min(b, 1.0)
            if upright:
                box = box_steps(x0, y0 + a * (y1 - y0), x1, y0 + b * (y1 - y0))
            else:
                box = box_steps(x0 + a * (x1 - x0), y0, x0 + b * (x1 - x0), y1)
            canvas.path(*box, tuple(color), None, False)


class Colorbar:
    def __init__(
        self, ax, mappable, *, orientation="vertical", ticks=None, format=None, label="", extend=None, drawedges=False
    ):
        if extend not in (None, "neither") or drawedges:
            raise NotImplementedError("colorbar(): arguments 'extend', 'drawedges' are not implemented in janus-jit yet")
        if orientation not in ("vertical", "horizontal"):
            raise ValueError(f"{orientation!r} is not a valid value for orientation")
        self.ax, self.mappable, self.orientation = ax, mappable, orientation
        mappable.colorbar = self
        mappable.autoscale_None()
        self.cmap, self.norm = mappable.cmap, mappable.norm
        upright = orientation == "vertical"
        self._axis, other = (ax.yaxis, ax.xaxis) if upright else (ax.xaxis, ax.yaxis)
        other.set_major_locator(ticker.NullLocator())
        if upright:
            ax.yaxis.tick_right()
        side = "y" if upright else "x"
        low, high = self._limits()
        if isinstance(self.norm, LogNorm):
            ax._set_scale(side, "log", {})
        ax._set_lim(side, low, high, "", False)
        if hasattr(mappable, "levels"):
            self._axis.set_major_locator(ticker.FixedLocator(mappable.levels, nbins=10))
        if ticks is not None:
            self.set_ticks(ticks)
        if format is not None:
            formatter = ticker.FormatStrFormatter(format) if isinstance(format, str) and "%" in format else format
            self._axis.set_major_formatter(formatter)
        if label:
            self.set_label(label)
        ax.add_artist(_Ramp(self))
        self.outline = ax.spines["left"]

    def _limits(self):
        if getattr(self.mappable, "filled", None) is not None:
            levels = self.mappable.levels.tolist()
            return levels[0], levels[-1]
        low, high = self.norm.vmin, self.norm.vmax
        if low is None:
            return 0.0, 1.0
        return (low, high) if low != high else (low - 0.1 * abs(low) or -0.1, high + 0.1 * abs(high) or 0.1)

    def colors(self):
        if getattr(self.mappable, "filled", None):
            return self.mappable.paints, self.mappable.levels.tolist()
        if getattr(self.mappable, "filled", None) is False:
            return [], self.mappable.levels.tolist()
        low, high = self._limits()
        n = min(self.cmap.N, 256)
        ends = np.linspace(0, 1, n + 1)
        if isinstance(self.norm, LogNorm):
            edges = (low * (high / low) ** ends).tolist()
        else:
            edges = (low + (high - low) * ends).tolist()
        return self.cmap((np.arange(n) + 0.5) / n, self.mappable.get_alpha() if isinstance(self.mappable, Artist) else None).tolist(), edges

    def set_label(self, label, *, loc=None, **kwargs):
        if self.orientation == "vertical":
            self.ax.set_ylabel(label, loc=loc, **kwargs)
        else:
            self.ax.set_xlabel(label, loc=loc, **kwargs)

    def set_ticks(self, ticks, *, labels=None, minor=False, **kwargs):
        if isinstance(ticks, ticker.Locator):
            self._axis.set_major_locator(ticks)
        else:
            self._axis.set_ticks(ticks, labels, minor=minor, **kwargs)

    def get_ticks(self, minor=False):
        return self._axis.get_ticklocs(minor=minor)

    def set_ticklabels(self, ticklabels, **kwargs):
        return self._axis.set_ticklabels(ticklabels, **kwargs)

    def update_normal(self, mappable):
        self.mappable, self.cmap, self.norm = mappable, mappable.cmap, mappable.norm

    def remove(self):
        self.ax.remove()


