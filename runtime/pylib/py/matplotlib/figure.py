"""Figures, and the files that they are written to."""

import os
import warnings

import numpy as np

from matplotlib import _rc, legend
from matplotlib._canvas import Canvas, box_steps
from matplotlib.artist import Artist, Transform
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba
from matplotlib.gridspec import GridSpec, SubplotParams, SubplotSpec
from matplotlib.text import Text

_KINDS = {"pdf": "Portable Document Format", "png": "Portable Network Graphics", "svg": "Scalable Vector Graphics"}


def save_bytes(fname, format, make):
    """Writes to a path or a file what is made for its format."""
    is_path = isinstance(fname, (str, os.PathLike))
    if format is None:
        format = os.path.splitext(os.fspath(fname))[1][1:] if is_path else ""
        if not format:
            format = _rc.rcParams["savefig.format"]
            fname = os.fspath(fname) + "." + format if is_path else fname
    kind = format.lower()
    if kind not in _KINDS:
        raise ValueError(f"Format {format!r} is not supported (supported formats: {', '.join(_KINDS)})")
    content = make(kind)
    if is_path:
        with open(fname, "wb") as f:
            f.write(content)
    else:
        fname.write(content)


class FigureCanvas:
    """What scripts take pixels from."""

    def __init__(self, figure):
        self.figure = figure
        self._rgba = None

    def draw(self):
        import _draw

        rows, columns, channels, _, samples = _draw.read_png(self.figure._bytes("png", self.figure.dpi))
        values = np.frombuffer(samples, dtype=np.int16).astype(np.uint8)
        self._rgba = values.reshape(rows, columns, channels)

    draw_idle = draw

    def get_width_height(self):
        width, height = self.figure.get_size_inches().tolist()
        return int(width * self.figure.dpi), int(height * self.figure.dpi)

    def buffer_rgba(self):
        if self._rgba is None:
            self.draw()
        return self._rgba

    def tostring_argb(self):
        return self.buffer_rgba()[:, :, [3, 0, 1, 2]].tobytes()

    def flush_events(self):
        """There are no events."""

    def mpl_connect(self, s, func):
        raise NotImplementedError(f"mpl_connect({s!r}, {func!r}) is not implemented in janus-jit: there are no windows")

    def get_supported_filetypes(self):
        return dict(_KINDS)

    def print_png(self, filename_or_obj):
        self.figure.savefig(filename_or_obj, format="png")


class Figure(Artist):
    def __init__(
        self,
        figsize=None,
        dpi=None,
        *,
        facecolor=None,
        edgecolor=None,
        linewidth=0.0,
        frameon=True,
        subplotpars=None,
        tight_layout=None,
        constrained_layout=None,
        layout=None,
        **kwargs,
    ):
        super().__init__()
        rc = _rc.rcParams
        self._size = [float(v) for v in (rc["figure.figsize"] if figsize is None else figsize)]
        if any(not v > 0 or v == float("inf") for v in self._size):
            raise ValueError(f"figure size must be positive finite not {tuple(self._size)}")
        self.dpi = float(rc["figure.dpi"] if dpi is None else dpi)
        self._face = rc["figure.facecolor"] if facecolor is None else facecolor
        self._edge, self._width = rc["figure.edgecolor"] if edgecolor is None else edgecolor, linewidth
        self._frame_on = frameon
        self.subplotpars = SubplotParams() if subplotpars is None else subplotpars
        if layout not in (None, "none", "tight", "constrained", "compressed"):
            raise ValueError(f"Invalid value for 'layout': {layout!r}")
        # What is called constrained here is tight: nothing overlaps, and it is decided when the figure is drawn.
        self._tight = bool(tight_layout or constrained_layout or layout not in (None, "none") or rc["figure.autolayout"])
        self.axes, self.texts, self.legends, self.artists = [], [], [], []
        self._titles = {}
        self._current_axes = self._current_image = None
        self.transFigure = Transform("figure", self)
        self.figure = self
        self.canvas = FigureCanvas(self)
        self.number = None
        self.set(**kwargs)

    def __repr__(self):
        w, h = self.canvas.get_width_height()
        return f"<Figure size {w}x{h} with {len(self.axes)} Axes>"

    __str__ = lambda self: "Figure({}x{})".format(*self.canvas.get_width_height())  # noqa: E731

    # Size.

    def get_size_inches(self):
        return np.array(self._size)

    def set_size_inches(self, w, h=None, forward=True):
        if not forward:
            raise NotImplementedError("set_size_inches(): argument 'forward' is not implemented in janus-jit yet")
        w, h = w if h is None else (w, h)
        self._size = [float(w), float(h)]

    def get_figwidth(self):
        return self._size[0]

    def get_figheight(self):
        return self._size[1]

    def set_figwidth(self, val):
        self._size[0] = float(val)

    def set_figheight(self, val):
        self._size[1] = float(val)

    def set_dpi(self, val):
        self.dpi = float(val)

    def get_dpi(self):
        return self.dpi

    def set_facecolor(self, color):
        to_rgba(color)
        self._face = color

    def get_facecolor(self):
        return to_rgba(self._face)

    def _map(self, kind, xs, ys):
        w, h = (v * 72 for v in self._size)
        return ([x * w for x in xs], [y * h for y in ys]) if kind == "figure" else (xs, ys)

    def _box_in_points(self):
        return 0.0, 0.0, self._size[0] * 72, self._size[1] * 72

    def _points_of_data(self):
        return []

    # Axes.

    def add_axes(self, *args, **kwargs):
        first = args[0] if args else kwargs.pop("rect", None)
        if isinstance(first, Axes):
            axes = first
        else:
            axes = _kind_of(kwargs)(self, first, **kwargs)
        return self._add(axes)

    def _add(self, axes):
        if axes not in self.axes:
            self.axes.append(axes)
        self._current_axes = axes
        return axes

    def add_subplot(self, *args, **kwargs):
        kind = _kind_of(kwargs)
        spec = self._spec_of(args)
        axes = kind(self, (0, 0, 1, 1), **kwargs)
        axes._spec = spec
        return self._add(axes)

    def _spec_of(self, args):
        if len(args) == 1 and isinstance(args[0], SubplotSpec):
            return args[0]
        if not args:
            args = (1, 1, 1)
        if len(args) == 1:
            number = args[0]
            if not isinstance(number, int) or not 100 <= number <= 999:
                raise ValueError(f"Integer subplot specification must be a three-digit number, not {number!r}")
            args = tuple(map(int, str(number)))
        if len(args) != 3:
            raise TypeError(f"add_subplot() takes 1 or 3 positional arguments but {len(args)} were given")
        rows, columns, which = args
        grid = GridSpec(rows, columns)
        if isinstance(which, (tuple, list)):
            first, last = which
        else:
            first = last = which
        if not 1 <= first <= rows * columns or not 1 <= last <= rows * columns:
            raise ValueError(f"num must be an integer with 1 <= num <= {rows * columns}, not {which!r}")
        return grid[first - 1 : last] if first != last else grid[first - 1]

    def subplots(
        self,
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
    ):
        options = dict(gridspec_kw or {})
        if width_ratios is not None:
            options["width_ratios"] = width_ratios
        if height_ratios is not None:
            options["height_ratios"] = height_ratios
        grid = GridSpec(nrows, ncols, self, **options)
        share = {"x": sharex, "y": sharey}
        for side, value in share.items():
            share[side] = {True: "all", False: "none"}.get(value, value) if isinstance(value, (bool, str)) else value
            if share[side] not in ("all", "none", "row", "col"):
                raise ValueError(f"{value!r} is not a valid value for share{side}; supported values are 'all', 'row', 'col', 'none', False, True")
        made = [[None] * ncols for _ in range(nrows)]
        for i in range(nrows):
            for j in range(ncols):
                first = {"all": made[0][0], "row": made[i][0], "col": made[0][j], "none": None}
                props = {f"share{side}": first[share[side]] for side in "xy"}
                made[i][j] = self.add_subplot(grid[i, j], **{**props, **(subplot_kw or {})})
        for i in range(nrows):
            for j in range(ncols):
                if share["x"] in ("all", "col") and i < nrows - 1:
                    made[i][j].xaxis.set_tick_params(labelbottom=False)
                if share["y"] in ("all", "row") and j > 0:
                    made[i][j].yaxis.set_tick_params(labelleft=False)
        self._current_axes = made[0][0] if nrows * ncols == 1 else made[-1][-1]
        if squeeze and nrows == ncols == 1:
            return made[0][0]
        if squeeze and 1 in (nrows, ncols):
            return Grid([a for row in made for a in row])
        return Grid(made)

    def add_gridspec(self, nrows=1, ncols=1, **kwargs):
        return GridSpec(nrows, ncols, self, **kwargs)

    def delaxes(self, ax):
        self.axes = [a for a in self.axes if a is not ax]
        if self._current_axes is ax:
            self._current_axes = self.axes[-1] if self.axes else None
        for side in "xy":
            ax._shared[side].discard(ax)

    def gca(self):
        return self._current_axes if self._current_axes is not None else self.add_subplot()

    def sca(self, a):
        self._current_axes = a
        return a

    def get_axes(self):
        return list(self.axes)

    def clear(self, keep_observers=False):
        if keep_observers:
            raise NotImplementedError("clear(): argument 'keep_observers' is not implemented in janus-jit yet")
        self.axes, self.texts, self.legends, self.artists, self._titles = [], [], [], [], {}
        self._current_axes = self._current_image = None

    clf = clear

    # Words.

    def _super(self, name, t, x, y, kwargs, **props):
        known = {"fontsize": _rc.size(_rc.rcParams["figure.titlesize"])}
        text = Text(x, y, t)
        text.set(**{**props, **known, **text._normal(kwargs)})
        text._transform, text.figure = self.transFigure, self
        self._titles[name] = text
        return text

    def suptitle(self, t, x=0.5, y=0.98, **kwargs):
        return self._super("title", t, x, y, kwargs, ha="center", va="top", fontweight=_rc.rcParams["figure.titleweight"])

    def supxlabel(self, t, x=0.5, y=0.01, **kwargs):
        return self._super("x", t, x, y, kwargs, ha="center", va="bottom")

    def supylabel(self, t, x=0.02, y=0.5, **kwargs):
        return self._super("y", t, x, y, kwargs, ha="left", va="center", rotation=90, rotation_mode="anchor")

    def text(self, x, y, s, fontdict=None, **kwargs):
        text = Text(x, y, s, fontdict=fontdict, **kwargs)
        text._transform, text.figure = text._transform or self.transFigure, self
        text._remover = self.texts.remove
        self.texts.append(text)
        return text

    def legend(self, *args, **kwargs):
        handles, labels = legend.collect(self.axes, args, kwargs)
        kwargs.setdefault("loc", "upper right")
        made = legend.Legend(self, handles, labels, **kwargs)
        made.figure = self
        made._remover = self.legends.remove
        self.legends.append(made)
        return made

    def add_artist(self, artist):
        artist.figure = self
        artist._transform = artist._transform or self.transFigure
        artist._remover = self.artists.remove
        self.artists.append(artist)
        return artist

    def colorbar(
        self, mappable, cax=None, ax=None, *, orientation=None, location=None, fraction=0.15, shrink=1.0, aspect=20, pad=None, **kwargs
    ):
        from matplotlib.colorbar import Colorbar

        if location not in (None, "right", "bottom"):
            raise NotImplementedError(f"colorbar(): location={location!r} is not implemented in janus-jit yet")
        upright = (orientation or {"bottom": "horizontal"}.get(location, "vertical")) == "vertical"
        if cax is None:
            if ax is None:
                ax = getattr(mappable, "axes", None)
                if ax is None:
                    raise ValueError(
                        "Unable to determine Axes to steal space for Colorbar. Either provide the *cax* argument to use as the"
                        " Axes for the Colorbar, provide the *ax* argument to steal space from it, or add *mappable* to an Axes."
                    )
            current = self._current_axes
            parents = [ax] if isinstance(ax, Axes) else list(np.asarray(ax).reshape(-1)) if not isinstance(ax, (list, Grid)) else _flat(ax)
            cax = self._beside(parents, upright, fraction, shrink, aspect, (0.05 if upright else 0.15) if pad is None else pad)
            self._current_axes = current
        return Colorbar(cax, mappable, orientation="vertical" if upright else "horizontal", **kwargs)

    def _beside(self, parents, upright, fraction, shrink, aspect, pad):
        """Axes for a bar, in space that others give up."""
        axes = Axes(self, (0, 0, 1, 1))
        before = [(p._spec, p._position) for p in parents]

        def old(i):
            spec, position = before[i]
            return spec.place(self) if spec is not None else position

        def around():
            boxes = [old(i) for i in range(len(parents))]
            x0, y0 = min(b[0] for b in boxes), min(b[1] for b in boxes)
            x1, y1 = max(b[0] + b[2] for b in boxes), max(b[1] + b[3] for b in boxes)
            return x0, y0, x1 - x0, y1 - y0

        class Left(SubplotSpec):
            """What is left of a parent's place."""

            def __init__(self, i):
                self._i = i
                spec = before[i][0]
                if spec is not None:
                    super().__init__(spec.grid, spec.rows, spec.columns)

            def place(self, figure):
                x, y, w, h = old(self._i)
                ax, ay, aw, ah = around()
                keep = 1 - fraction - pad
                if upright:
                    return ax + (x - ax) * keep, y, w * keep, h
                return x, ay + ah * (1 - keep) + (y - ay) * keep, w, h * keep

        class Bar(SubplotSpec):
            def __init__(self):
                spec = before[0][0]
                if spec is not None:
                    super().__init__(spec.grid, spec.rows, spec.columns)

            def place(self, figure):
                x, y, w, h = around()
                wide, tall = figure.get_size_inches().tolist()
                if upright:
                    length = h * shrink
                    width = min(fraction * w, length * tall / aspect / wide)
                    return x + w * (1 - fraction), y + (h - length) / 2, width, length
                length = w * shrink
                height = min(fraction * h, length * wide / aspect / tall)
                return x + (w - length) / 2, y + h * fraction - height, length, height

        for i, parent in enumerate(parents):
            parent._spec = Left(i)
        axes._spec = Bar()
        return self._add(axes)

    # Layout.

    def subplots_adjust(self, left=None, bottom=None, right=None, top=None, wspace=None, hspace=None):
        self.subplotpars.update(left, bottom, right, top, wspace, hspace)

    def tight_layout(self, *, pad=1.08, h_pad=None, w_pad=None, rect=None):
        """Room for all labels; within a rectangle of the figure."""
        size = _rc.size(None)
        wide, tall = (v * 72 for v in self._size)
        specs = [(a, a._spec) for a in self.axes if a._spec is not None and a.get_visible()]
        grids = {spec.grid.get_geometry() for _, spec in specs}
        if not specs or len(grids) > 1:
            if specs:
                warnings.warn("tight_layout not applied: number of rows in subplot specifications must be multiples of one another.", stacklevel=3)
            return
        nrows, ncols = grids.pop()
        x0, y0, x1, y1 = (0, 0, 1, 1) if rect is None else rect
        self.subplotpars.update(x0 + 0.125 * (x1 - x0), y0 + 0.11 * (y1 - y0), x0 + 0.9 * (x1 - x0), y0 + 0.88 * (y1 - y0), 0.2, 0.2)
        edge = pad * size
        gaps_x, gaps_y = [0.0] * (ncols + 1), [0.0] * (nrows + 1)
        for axes, spec in specs:
            canvas = Canvas(wide, tall)
            axes._draw(canvas)
            if canvas.box is None:
                continue
            a = axes._outer_box() if axes._aspect != "auto" else axes._box_in_points()
            b = canvas.box
            gaps_x[spec.columns[0]] = max(gaps_x[spec.columns[0]], _out(a[0] - b[0]))
            right = _out(b[2] - a[2])
            if spec.columns[1] == ncols:
                gaps_x[ncols] = max(gaps_x[ncols], right)
            else:
                gaps_x[spec.columns[1]] = max(gaps_x[spec.columns[1]], right)
            gaps_y[spec.rows[0]] = max(gaps_y[spec.rows[0]], _out(b[3] - a[3]))
            low = _out(a[1] - b[1])
            if spec.rows[1] == nrows:
                gaps_y[nrows] = max(gaps_y[nrows], low)
            else:
                gaps_y[spec.rows[1]] = max(gaps_y[spec.rows[1]], low)
        between_x = self._between(specs, ncols, wide, tall, "columns") + (edge if w_pad is None else w_pad * size)
        between_y = self._between(specs, nrows, wide, tall, "rows") + (edge if h_pad is None else h_pad * size)
        title = self._titles.get("title")
        above = 0.0
        if title is not None and title.get_text():
            box = title._box(title._x * wide, title._y * tall)
            above = tall - box[1]
        left, right = x0 + (gaps_x[0] + edge) / wide, x1 - (gaps_x[ncols] + edge) / wide
        bottom, top = y0 + (gaps_y[nrows] + edge) / tall, y1 - (gaps_y[0] + edge + above) / tall
        if left >= right or bottom >= top:
            warnings.warn("Tight layout not applied. The left and right margins cannot be made large enough to accommodate all Axes decorations.", stacklevel=3)
            return
        self.subplotpars.update(left, bottom, right, top)
        for count, between, span, name in (
            (ncols, between_x / wide, right - left, "wspace"),
            (nrows, between_y / tall, top - bottom, "hspace"),
        ):
            if count > 1:
                cell = (span + between) / count - between
                setattr(self.subplotpars, name, max(between / cell, 0.0) if cell > 0 else 0.2)

    def _between(self, specs, count, wide, tall, which):
        """How far labels between two columns, or rows, reach at most."""
        before, after = [0.0] * (count + 1), [0.0] * (count + 1)
        for axes, spec in specs:
            canvas = Canvas(wide, tall)
            axes._draw(canvas)
            if canvas.box is None:
                continue
            a, b = axes._box_in_points(), canvas.box
            first, last = getattr(spec, which)
            low, high = (a[0] - b[0], b[2] - a[2]) if which == "columns" else (b[3] - a[3], a[1] - b[1])
            after[first] = max(after[first], _out(low))
            before[last] = max(before[last], _out(high))
        return max([before[i] + after[i] for i in range(1, count)], default=0.0)

    def set_layout_engine(self, layout=None, **kwargs):
        if kwargs:
            raise NotImplementedError(f"set_layout_engine(): argument {next(iter(kwargs))!r} is not implemented in janus-jit yet")
        self._tight = layout not in (None, "none")

    def set_tight_layout(self, tight):
        self._tight = bool(tight)

    def autofmt_xdate(self, bottom=0.2, rotation=30, ha="right", which="major"):
        if which != "major":
            raise NotImplementedError("autofmt_xdate(): argument 'which' is not implemented in janus-jit yet")
        for axes in self.axes:
            axes.xaxis._check_label_props({"rotation": rotation, "ha": ha})
        self.subplots_adjust(bottom=bottom)

    # Files.

    def _paint(self, canvas, face):
        w, h = (v * 72 for v in self._size)
        if self._frame_on and face[3]:
            canvas.path(*box_steps(0, 0, w, h), face, None, False)
            canvas.box = None
        for axes in sorted(self.axes, key=lambda a: a.zorder):
            axes._draw(canvas)
        for item in [*self.artists, *self.texts, *self._titles.values(), *self.legends]:
            item._draw(canvas)

    def _bytes(self, kind, dpi, face=None, tight=False, pad=0.1):
        face = to_rgba(self._face) if face is None else face
        w, h = (v * 72 for v in self._size)
        if self._tight:
            self.tight_layout()
        before, self.dpi = self.dpi, dpi
        try:
            canvas = Canvas(w, h)
            self._paint(canvas, face)
            if tight and canvas.box is not None:
                x0, y0, x1, y1 = canvas.box
                edge = pad * 72
                x0, y0, x1, y1 = x0 - edge, y0 - edge, x1 + edge, y1 + edge
                canvas = Canvas(x1 - x0, y1 - y0, (x0, y0))
                if self._frame_on and face[3]:
                    canvas.path(*box_steps(x0, y0, x1, y1), face, None, False)
                self._paint(canvas, (0, 0, 0, 0))
            return canvas.write(kind, dpi)
        finally:
            self.dpi = before

    def savefig(
        self,
        fname,
        *,
        transparent=None,
        dpi=None,
        format=None,
        bbox_inches=None,
        pad_inches=None,
        facecolor=None,
        edgecolor=None,
        metadata=None,
        orientation="portrait",
        papertype=None,
        backend=None,
        bbox_extra_artists=None,
    ):
        rc = _rc.rcParams
        for name, value in (("metadata", metadata), ("papertype", papertype), ("backend", backend)):
            if value is not None:
                raise NotImplementedError(f"savefig(): argument '{name}' is not implemented in janus-jit yet")
        if edgecolor not in (None, "auto", "none") or orientation != "portrait":
            raise NotImplementedError("savefig(): arguments 'edgecolor', 'orientation' are not implemented in janus-jit yet")
        for artist in bbox_extra_artists or ():
            if artist.get_figure() not in (self, None):
                raise ValueError("an artist of another figure")
        dpi = rc["savefig.dpi"] if dpi is None else dpi
        dpi = self.dpi if dpi == "figure" else float(dpi)
        box = rc["savefig.bbox"] if bbox_inches is None else bbox_inches
        if box not in (None, "tight", "standard"):
            raise NotImplementedError(f"savefig(): bbox_inches={bbox_inches!r} is not implemented in janus-jit yet")
        pad = rc["savefig.pad_inches"] if pad_inches is None else pad_inches
        color = rc["savefig.facecolor"] if facecolor is None else facecolor
        face = to_rgba(self._face if isinstance(color, str) and color == "auto" else color)
        kept = []
        if rc["savefig.transparent"] if transparent is None else transparent:
            face = (0.0, 0.0, 0.0, 0.0)
            kept = [(a, a._face) for a in self.axes]
            for axes in self.axes:
                axes._face = "none"
        try:
            save_bytes(fname, format, lambda kind: self._bytes(kind, dpi, face, box == "tight", pad))
        finally:
            for axes, before in kept:
                axes._face = before

    def draw(self, renderer):
        self._paint(renderer, to_rgba(self._face))

    def show(self, warn=True):
        if warn:
            warnings.warn("FigureCanvasAgg is non-interactive, and thus cannot be shown", stacklevel=2)

    def waitforbuttonpress(self, timeout=-1):
        raise NotImplementedError(f"waitforbuttonpress({timeout}) is not implemented in janus-jit: there are no windows")


class Grid:
    """Axes in rows and columns, as an array of objects is."""

    def __init__(self, items):
        self._items = items
        self._deep = bool(items) and isinstance(items[0], list)

    @property
    def shape(self):
        return (len(self._items), len(self._items[0])) if self._deep else (len(self._items),)

    ndim = property(lambda self: len(self.shape))
    size = property(lambda self: len(self.ravel()))
    flat = property(lambda self: list(self.ravel()))
    T = property(lambda self: Grid([list(c) for c in zip(*self._items)]) if self._deep else self)

    def __len__(self):
        return len(self._items)

    def __iter__(self):
        return iter([Grid(r) for r in self._items] if self._deep else self._items)

    def __getitem__(self, key):
        if isinstance(key, tuple):
            rows = self._items[key[0]]
            if len(key) == 1:
                return self[key[0]]
            if not self._deep:
                raise IndexError("too many indices for array: array is 1-dimensional, but 2 were indexed")
            if isinstance(key[0], slice):
                found = [row[key[1]] for row in rows]
                return Grid(found)
            found = rows[key[1]]
            return Grid(found) if isinstance(found, list) else found
        found = self._items[key]
        return Grid(found) if isinstance(found, list) else found

    def ravel(self, order="C"):
        if order != "C":
            return self.T.ravel()
        return Grid([a for row in self._items for a in row]) if self._deep else Grid(list(self._items))

    flatten = ravel

    def reshape(self, *shape):
        shape = shape[0] if len(shape) == 1 and not isinstance(shape[0], int) else shape
        items = list(self.ravel())
        shape = [len(items) // -_product(shape) if n == -1 else n for n in shape]
        if _product(shape) != len(items):
            raise ValueError(f"cannot reshape array of size {len(items)} into shape {tuple(shape)}")
        if len(shape) == 1:
            return Grid(items)
        return Grid([items[i * shape[1] : (i + 1) * shape[1]] for i in range(shape[0])])

    def tolist(self):
        return [list(row) if self._deep else row for row in self._items]

    def item(self):
        (one,) = self.ravel()
        return one

    def __repr__(self):
        return f"array({self._items!r}, dtype=object)"


def _product(numbers):
    result = 1
    for n in numbers:
        result *= n
    return result


def _flat(axes):
    return [a for item in axes for a in (item if isinstance(item, (list, Grid)) else [item])]


def _out(x):
    return max(x, 0.0)


def _kind_of(kwargs):
    projection = kwargs.pop("projection", None)
    if kwargs.pop("polar", False):
        projection = "polar"
    if projection not in (None, "rectilinear"):
        if projection in ("3d", "polar", "aitoff", "hammer", "lambert", "mollweide"):
            raise NotImplementedError(f"the projection {projection!r} is not implemented in janus-jit yet")
        raise ValueError(f"Unknown projection {projection!r}")
    return Axes
