"""Functions on the figure and the axes that were used last."""

import functools as _functools
import os as _os
import warnings as _warnings

import numpy as np  # noqa: F401  a name that scripts take from here

import matplotlib
from matplotlib import cm, colors, rc, rc_context, rcdefaults, style, ticker  # noqa: F401
from matplotlib._rc import cycler, rcParams, rcParamsDefault  # noqa: F401
from matplotlib.artist import Artist  # noqa: F401
from matplotlib.axes import Axes
from matplotlib.cm import colormaps, get_cmap  # noqa: F401
from matplotlib.colors import Normalize  # noqa: F401
from matplotlib.figure import Figure
from matplotlib.gridspec import GridSpec
from matplotlib.image import imread, imsave  # noqa: F401
from matplotlib.lines import Line2D  # noqa: F401
from matplotlib.patches import Circle, Polygon, Rectangle  # noqa: F401
from matplotlib.text import Annotation, Text  # noqa: F401
from matplotlib.ticker import (  # noqa: F401
    AutoLocator,
    FixedFormatter,
    FixedLocator,
    FormatStrFormatter,
    Formatter,
    FuncFormatter,
    LinearLocator,
    Locator,
    LogLocator,
    MaxNLocator,
    MultipleLocator,
    NullFormatter,
    NullLocator,
    ScalarFormatter,
)

_figures = {}
_order = []


# Figures.


def figure(num=None, figsize=None, dpi=None, *, facecolor=None, edgecolor=None, frameon=True, FigureClass=Figure, clear=False, **kwargs):
    label = None
    if isinstance(num, Figure):
        num = num.number
    elif isinstance(num, str):
        label = num
        num = next((n for n, f in _figures.items() if f.get_label() == label), max(_figures, default=0) + 1)
    elif num is None:
        num = max(_figures, default=0) + 1
    num = int(num)
    if num not in _figures:
        limit = rcParams["figure.max_open_warning"]
        if len(_figures) == limit >= 1:
            _warnings.warn(
                f"More than {limit} figures have been opened. Figures created through the pyplot interface"
                " (`matplotlib.pyplot.figure`) are retained until explicitly closed and may consume too much memory. (To"
                " control this warning, see the rcParam `figure.max_open_warning`). Consider using"
                " `matplotlib.pyplot.close()`.",
                RuntimeWarning,
                stacklevel=2,
            )
        made = FigureClass(figsize, dpi, facecolor=facecolor, edgecolor=edgecolor, frameon=frameon, **kwargs)
        made.number = num
        if label is not None:
            made.set_label(label)
        _figures[num] = made
    elif figsize is not None or dpi is not None or facecolor is not None or edgecolor is not None or kwargs:
        _warnings.warn("Ignoring specified arguments in this call because figure with num: " f"{num} already exists", stacklevel=2)
    if num in _order:
        _order.remove(num)
    _order.append(num)
    if clear:
        _figures[num].clear()
    return _figures[num]


def gcf():
    return _figures[_order[-1]] if _order else figure()


def fignum_exists(num):
    return num in _figures if isinstance(num, int) else any(f.get_label() == num for f in _figures.values())


def get_fignums():
    return sorted(_figures)


def get_figlabels():
    return [_figures[n].get_label() for n in get_fignums()]


def close(fig=None):
    if fig is None:
        gone = _order[-1:]
    elif isinstance(fig, str):
        gone = list(_figures) if fig == "all" else [n for n, f in _figures.items() if f.get_label() == fig]
    elif isinstance(fig, Figure):
        gone = [n for n, f in _figures.items() if f is fig]
    elif isinstance(fig, int):
        gone = [fig] if fig in _figures else []
    else:
        raise TypeError(f"close() argument must be a Figure, an int, a string, or None, not {type(fig)}")
    for n in gone:
        del _figures[n]
        _order.remove(n)


def clf():
    gcf().clear()


def gca():
    return gcf().gca()


def cla():
    gca().clear()


def sca(ax):
    figure(ax.figure)
    ax.figure.sca(ax)


def delaxes(ax=None):
    ax = gca() if ax is None else ax
    ax.figure.delaxes(ax)


def axes(arg=None, **kwargs):
    if arg is None:
        return gcf().add_subplot(**kwargs)
    return gcf().add_axes(arg, **kwargs)


def subplot(*args, **kwargs):
    if "nrows" in kwargs or "ncols" in kwargs:
        raise TypeError("subplot() got an unexpected keyword argument 'ncols' and/or 'nrows'.  Did you intend to call subplots()?")
    fig = gcf()
    spec = fig._spec_of(args)
    for ax in fig.axes:
        # The same place is the same axes, unless other properties are asked for.
        known = ax._spec
        if known is not None and not kwargs:
            same = known.grid.get_geometry() == spec.grid.get_geometry()
            if same and (known.rows, known.columns) == (spec.rows, spec.columns) and ax._twin_of is None:
                fig.sca(ax)
                return ax
    return fig.add_subplot(spec, **kwargs)


def subplots(
    nrows=1,
    ncols=1,
    *,
    sharex=False,
    sharey=False,
    squeeze=True,
    width_ratios=None,
    height_ratios=None,
    subplot_kw=None,
    gridspec_kw=None,
    **fig_kw,
):
    fig = figure(**fig_kw)
    axs = fig.subplots(
        nrows,
        ncols,
        sharex=sharex,
        sharey=sharey,
        squeeze=squeeze,
        width_ratios=width_ratios,
        height_ratios=height_ratios,
        subplot_kw=subplot_kw,
        gridspec_kw=gridspec_kw,
    )
    return fig, axs


def subplot2grid(shape, loc, rowspan=1, colspan=1, fig=None, **kwargs):
    fig = gcf() if fig is None else fig
    rows, columns = shape
    r, c = loc
    return fig.add_subplot(GridSpec(rows, columns)[r : r + rowspan, c : c + colspan], **kwargs)


def subplot_mosaic(*args, **kwargs):
    raise NotImplementedError("subplot_mosaic() is not implemented in janus-jit yet")


# Windows, of which there are none.


def show(*args, **kwargs):
    unknown = set(kwargs) - {"block"}
    if unknown or len(args) > 1:
        raise TypeError(f"show() got an unexpected keyword argument '{next(iter(unknown), 'block')}'")
    # As with the Agg backend: who has no screen is not told that there is none.
    if _figures and _os.environ.get("DISPLAY"):
        _warnings.warn("FigureCanvasAgg is non-interactive, and thus cannot be shown", stacklevel=2)


def pause(interval):
    import time

    time.sleep(interval)


class _Mode:
    """What ion and ioff return: the mode before comes back at the end of a with."""

    def __init__(self, on):
        self._before = rcParams["interactive"]
        matplotlib.interactive(on)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        matplotlib.interactive(self._before)


def ion():
    return _Mode(True)


def ioff():
    return _Mode(False)


def isinteractive():
    return matplotlib.is_interactive()


def draw():
    gcf().canvas.draw()


def draw_if_interactive(*args, **kwargs):
    if args or kwargs:
        raise TypeError("draw_if_interactive() takes no arguments")


def switch_backend(newbackend):
    matplotlib.use(newbackend)


def get_backend():
    return matplotlib.get_backend()


def ginput(*args, **kwargs):
    raise NotImplementedError("ginput() is not implemented in janus-jit: there are no windows")


def waitforbuttonpress(timeout=-1):
    raise NotImplementedError(f"waitforbuttonpress({timeout}) is not implemented in janus-jit: there are no windows")


# What figures do.


def _of_figure(name):
    @_functools.wraps(getattr(Figure, name))
    def call(*args, **kwargs):
        return getattr(gcf(), name)(*args, **kwargs)

    return call


for _name in ("savefig", "suptitle", "tight_layout", "subplots_adjust", "figtext", "figlegend", "supxlabel", "supylabel"):
    globals()[_name] = _of_figure({"figtext": "text", "figlegend": "legend"}.get(_name, _name))


def colorbar(mappable=None, cax=None, ax=None, **kwargs):
    if mappable is None:
        mappable = gci()
        if mappable is None:
            raise RuntimeError(
                "No mappable was found to use for colorbar creation. First define a mappable such as an image (with imshow) or"
                " a contour set (with contourf)."
            )
    return gcf().colorbar(mappable, cax=cax, ax=ax, **kwargs)


def gci():
    return gcf()._current_image


def sci(im):
    gcf()._current_image = im


def set_cmap(cmap):
    cmap = get_cmap(cmap)
    rcParams["image.cmap"] = cmap.name
    if gci() is not None:
        gci().set_cmap(cmap)


def clim(vmin=None, vmax=None):
    if gci() is None:
        raise RuntimeError("You must first define an image, e.g., with imshow")
    gci().set_clim(vmin, vmax)


def matshow(A, fignum=None, **kwargs):
    if fignum is None or fignum != 0:
        figure(fignum)
    return gca().matshow(A, **kwargs)


# What axes do.


def _of_axes(name):
    @_functools.wraps(getattr(Axes, name))
    def call(*args, **kwargs):
        return getattr(gca(), name)(*args, **kwargs)

    return call


_METHODS = "annotate arrow autoscale axhline axhspan axis axline axvline axvspan bar bar_label barh boxplot clabel contour contourf"
_METHODS += " errorbar fill fill_between fill_betweenx grid hexbin hist hist2d hlines imshow legend locator_params loglog margins"
_METHODS += " minorticks_off minorticks_on pcolor pcolormesh pie plot quiver scatter semilogx semilogy stackplot stem step"
_METHODS += " streamplot table text tick_params ticklabel_format violinplot vlines"
for _name in _METHODS.split():
    globals()[_name] = _of_axes(_name)


def title(label, fontdict=None, loc=None, pad=None, *, y=None, **kwargs):
    return gca().set_title(label, fontdict=fontdict, loc=loc, pad=pad, y=y, **kwargs)


def xlabel(xlabel, fontdict=None, labelpad=None, *, loc=None, **kwargs):
    return gca().set_xlabel(xlabel, fontdict=fontdict, labelpad=labelpad, loc=loc, **kwargs)


def ylabel(ylabel, fontdict=None, labelpad=None, *, loc=None, **kwargs):
    return gca().set_ylabel(ylabel, fontdict=fontdict, labelpad=labelpad, loc=loc, **kwargs)


def xlim(*args, **kwargs):
    return gca().set_xlim(*args, **kwargs) if args or kwargs else gca().get_xlim()


def ylim(*args, **kwargs):
    return gca().set_ylim(*args, **kwargs) if args or kwargs else gca().get_ylim()


def xscale(value, **kwargs):
    gca().set_xscale(value, **kwargs)


def yscale(value, **kwargs):
    gca().set_yscale(value, **kwargs)


def _ticks(ax, side, ticks, labels, minor, kwargs):
    axis = ax._axis(side)
    if ticks is None:
        locs = (ax.get_xticks if side == "x" else ax.get_yticks)(minor=minor)
        if labels is not None:
            raise TypeError(f"{side}ticks(): Parameter 'labels' can't be set without setting 'ticks'")
    else:
        (ax.set_xticks if side == "x" else ax.set_yticks)(ticks, minor=minor)
        locs = axis.get_ticklocs(minor=minor)
    if labels is not None:
        shown = axis.set_ticklabels(labels, minor=minor, **kwargs)
    else:
        if kwargs:
            axis._check_label_props(kwargs)
        shown = axis.get_ticklabels(minor=minor)
    return locs, shown


def xticks(ticks=None, labels=None, *, minor=False, **kwargs):
    return _ticks(gca(), "x", ticks, labels, minor, kwargs)


def yticks(ticks=None, labels=None, *, minor=False, **kwargs):
    return _ticks(gca(), "y", ticks, labels, minor, kwargs)


def twinx(ax=None):
    return (gca() if ax is None else ax).twinx()


def twiny(ax=None):
    return (gca() if ax is None else ax).twiny()


def box(on=None):
    ax = gca()
    ax.set_frame_on(not ax._frame_on if on is None else on)


def setp(obj, *args, **kwargs):
    many = obj if isinstance(obj, (list, tuple)) else [obj]
    props = {**dict(zip(args[::2], args[1::2])), **kwargs}
    for one in many:
        one.set(**props)
    if many and all(isinstance(one, Text) for one in many):
        # Labels of ticks are made anew whenever they are drawn: the axis that they are of keeps what they look like.
        for owner in {id(o): o for o in (getattr(one, "_of", None) for one in many) if o is not None}.values():
            owner._check_label_props(props)


def _color_map(name):
    def call():
        set_cmap(name)

    return call


for _name in ("autumn", "bone", "cool", "copper", "gray", "hot", "hsv", "jet", "magma", "inferno", "plasma", "spring", "summer", "viridis", "winter"):
    globals()[_name] = _color_map(_name)
