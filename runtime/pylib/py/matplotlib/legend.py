"""What colours and marks stand for."""

from matplotlib import _rc
from matplotlib._canvas import box_steps
from matplotlib.artist import Artist, stroke
from matplotlib.colors import to_rgba
from matplotlib.text import Text, measure

_CODES = {
    "best": 0,
    "upper right": 1,
    "upper left": 2,
    "lower left": 3,
    "lower right": 4,
    "right": 5,
    "center left": 6,
    "center right": 7,
    "lower center": 8,
    "upper center": 9,
    "center": 10,
}
_PLACES = {1: (1, 1), 2: (0, 1), 3: (0, 0), 4: (1, 0), 5: (1, 0.5), 6: (0, 0.5), 7: (1, 0.5), 8: (0.5, 0), 9: (0.5, 1), 10: (0.5, 0.5)}


class Legend(Artist):
    zorder = 5

    def __init__(
        self,
        parent,
        handles,
        labels,
        *,
        loc=None,
        bbox_to_anchor=None,
        ncols=1,
        ncol=None,
        fontsize=None,
        prop=None,
        title=None,
        title_fontsize=None,
        frameon=None,
        fancybox=True,
        shadow=False,
        framealpha=None,
        facecolor=None,
        edgecolor=None,
        labelcolor=None,
        markerscale=None,
        numpoints=1,
        scatterpoints=1,
        borderpad=0.4,
        labelspacing=0.5,
        handlelength=2.0,
        handletextpad=0.8,
        borderaxespad=0.5,
        columnspacing=2.0,
        handler_map=None,
        mode=None,
        bbox_transform=None,
    ):
        super().__init__()
        refused = {"shadow": shadow, "markerscale": markerscale, "handler_map": handler_map, "mode": mode}
        refused.update(bbox_transform=bbox_transform, numpoints=numpoints - 1, scatterpoints=scatterpoints - 1)
        for name, value in refused.items():
            if value:
                raise NotImplementedError(f"legend(): argument '{name}' is not implemented in janus-jit yet")
        rc = _rc.rcParams
        self._parent = parent
        self.legend_handles, self._labels = list(handles), [str(x) for x in labels]
        if prop is not None:
            fontsize = prop.get("size", fontsize) if isinstance(prop, dict) else fontsize
        self._size = _rc.size(rc["legend.fontsize"] if fontsize is None else fontsize)
        self._title = title
        title_size = rc["legend.title_fontsize"] if title_fontsize is None else title_fontsize
        self._title_size = self._size if title_size is None else _rc.size(title_size)
        self._columns = ncols if ncol is None else ncol
        self._frame = rc["legend.frameon"] if frameon is None else frameon
        self._round = fancybox
        self._frame_alpha = rc["legend.framealpha"] if framealpha is None else framealpha
        self._face = rc["legend.facecolor"] if facecolor is None else facecolor
        self._edge = rc["legend.edgecolor"] if edgecolor is None else edgecolor
        self._label_color = labelcolor
        self._pads = borderpad, labelspacing, handlelength, handletextpad, borderaxespad, columnspacing
        self._anchor = bbox_to_anchor
        self.set_loc(rc["legend.loc"] if loc is None else loc)

    def set_loc(self, loc):
        if isinstance(loc, str):
            if loc.lower() not in _CODES:
                known = ", ".join(repr(x) for x in _CODES)
                raise ValueError(f"{loc!r} is not a valid value for loc; supported values are {known}")
            loc = _CODES[loc.lower()]
        self._loc = loc

    def get_texts(self):
        return [Text(0, 0, label, fontsize=self._size) for label in self._labels]

    def get_title(self):
        return Text(0, 0, self._title or "", fontsize=self._title_size)

    def set_title(self, title, prop=None):
        if prop is not None:
            self._title_size = _rc.size(prop.get("size", self._title_size))
        self._title = title

    def get_lines(self):
        from matplotlib.lines import Line2D

        return [h for h in self.legend_handles if isinstance(h, Line2D)]

    def get_patches(self):
        from matplotlib.patches import Patch

        return [h for h in self.legend_handles if isinstance(h, Patch)]

    def set_draggable(self, state, use_blit=False, update="loc"):
        if state or use_blit or update != "loc":
            raise NotImplementedError("set_draggable() is not implemented in janus-jit yet: there are no windows")

    def _columns_of(self):
        n = max(1, min(self._columns, len(self._labels)))
        rows, more = divmod(len(self._labels), n)
        found, at = [], 0
        for i in range(n):
            count = rows + (i < more)
            found.append(list(range(at, at + count)))
            at += count
        return found

    def _size_of(self):
        size = self._size
        border, spacing, handle, gap, _, between = (p * size for p in self._pads)
        widths, heights = [], []
        for column in self._columns_of():
            sizes = [measure(self._labels[i], size) for i in column]
            widths.append(handle + gap + max((s[0] for s in sizes), default=0.0))
            heights.append(sum(max(s[1], size) for s in sizes) + spacing * max(len(column) - 1, 0))
        width = sum(widths) + between * (len(widths) - 1)
        height = max(heights, default=0.0)
        if self._title:
            w, h, *_ = measure(self._title, self._title_size)
            width, height = max(width, w), height + h + spacing
        return width + 2 * border, height + 2 * border, widths

    def _draw(self, canvas):
        if not self._visible or not self._labels:
            return
        width, height, widths = self._size_of()
        x, y = self._place(width, height)
        size = self._size
        border, spacing, handle, gap, _, between = (p * size for p in self._pads)
        if self._frame:
            face = _rc.rcParams["axes.facecolor"] if self._face == "inherit" else self._face
            fill, edge = to_rgba(face, self._frame_alpha), to_rgba(self._edge, self._frame_alpha)
            if self._round:
                canvas.path(*_rounded(x, y, x + width, y + height, 0.2 * size), fill, stroke(edge, 1.0, "-", "butt"))
            else:
                canvas.path(*box_steps(x, y, x + width, y + height), fill, stroke(edge, 1.0, "-", "butt", "miter"))
        top = y + height - border
        if self._title:
            _, h, bases, _ = measure(self._title, self._title_size)
            title = Text(0, 0, self._title, fontsize=self._title_size, ha="center", va="top")
            title._draw_at(canvas, x + width / 2, top)
            top -= h + spacing
        left = x + border
        for column, wide in zip(self._columns_of(), widths):
            at = top
            for i in column:
                _, h, *_ = measure(self._labels[i], size)
                tall = max(h, size)
                middle = at - tall / 2
                sample = getattr(self.legend_handles[i], "_draw_sample", None)
                if sample is not None:
                    sample(canvas, x0=left, x1=left + handle, y=middle, size=size)
                color = self._label_color or _rc.rcParams["text.color"]
                text = Text(0, 0, self._labels[i], fontsize=size, va="center_baseline", color=color)
                text._draw_at(canvas, left + handle + gap, middle)
                at -= tall + spacing
            left += wide + between

    def _place(self, width, height):
        x0, y0, x1, y1 = self._parent._box_in_points()
        pad = self._pads[4] * self._size
        loc = self._loc
        if self._anchor is not None:
            a = [float(v) for v in self._anchor]
            w, h = x1 - x0, y1 - y0
            ax, ay = x0 + a[0] * w, y0 + a[1] * h
            x0, y0, x1, y1 = (ax, ay, ax, ay) if len(a) == 2 else (ax, ay, ax + a[2] * w, ay + a[3] * h)
            loc = loc or 1
        elif not isinstance(loc, int):
            return x0 + loc[0] * (x1 - x0), y0 + loc[1] * (y1 - y0)
        if not isinstance(loc, int):
            return x0 + loc[0] * (x1 - x0), y0 + loc[1] * (y1 - y0)

        def at(code):
            u, v = _PLACES[code]
            left, right, low, high = x0 + pad, x1 - pad - width, y0 + pad, y1 - pad - height
            return left + u * (right - left), low + v * (high - low)

        if loc:
            return at(loc)
        points = self._parent._points_of_data()
        best = None
        for code in range(1, 11):
            x, y = at(code)
            hidden = sum(x <= a <= x + width and y <= b <= y + height for a, b in points)
            if best is None or hidden < best[0]:
                best = (hidden, x, y)
            if hidden == 0:
                break
        return best[1:]


def _rounded(x0, y0, x1, y1, r):
    points = [x0 + r, y0, x1 - r, y0, x1, y0, x1, y0 + r, x1, y1 - r, x1, y1, x1 - r, y1, x0 + r, y1, x0, y1, x0, y1 - r]
    return "MLQLQLQLQZ", points + [x0, y0 + r, x0, y0, x0 + r, y0]


def collect(axes_list, args, kwargs):
    """Handles and labels of what a call of legend says."""
    handles, labels = kwargs.pop("handles", None), kwargs.pop("labels", None)
    if len(args) > 2:
        raise TypeError("legend() takes at most 2 positional arguments")
    if len(args) == 2:
        handles, labels = args
    elif len(args) == 1:
        labels = args[0]
    known = [h for axes in axes_list for h in axes._handles()]
    if handles is None and labels is None:
        handles = [h for h in known if h.get_label() and not h.get_label().startswith("_")]
        labels = [h.get_label() for h in handles]
        if not handles:
            import warnings

            warnings.warn(
                "No artists with labels found to put in legend.  Note that artists whose label start with an underscore are"
                " ignored when legend() is called with no argument.",
                stacklevel=4,
            )
    elif handles is None:
        handles = known
    elif labels is None:
        labels = [h.get_label() for h in handles]
    if isinstance(labels, str):
        raise TypeError("labels must be a sequence of strings, not a string")
    handles = [h[0] if isinstance(h, list) and len(h) == 1 else h for h in handles]
    pairs = list(zip(handles, labels))
    return [h for h, _ in pairs], [label for _, label in pairs]
