"""What all that is drawn has in common: properties, and setters for them by name."""

import numpy as np

from matplotlib.colors import to_rgba

DASHES = {"-": None, "--": (3.7, 1.6), "-.": (6.4, 1.6, 1.0, 1.6), ":": (1.0, 1.65)}
STYLES = {"solid": "-", "dashed": "--", "dashdot": "-.", "dotted": ":", "none": "None", " ": "None", "": "None"}


def data(values):
    """An array of what a script gives: lists, arrays, tensors."""
    if hasattr(values, "detach"):
        if values.requires_grad:
            raise RuntimeError(
                "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead."
            )
        values = values.numpy()
    elif isinstance(values, (range, dict)) or type(values).__name__ in ("dict_keys", "dict_values", "map", "zip"):
        values = list(values)
    elif isinstance(values, (list, tuple)) and any(hasattr(v, "detach") for v in values):
        values = [data(v) for v in values]
    return np.asarray(values)


def line_style(style):
    """A style's own name, or its dashes."""
    if isinstance(style, (tuple, list)):
        offset, dashes = style
        if offset:
            raise NotImplementedError("an offset in a dash pattern is not implemented in janus-jit yet")
        return "-" if dashes is None else tuple(map(float, dashes))
    name = STYLES.get(str(style).lower(), style) if style is not None else "None"
    if name not in DASHES and name != "None":
        known = ", ".join(repr(x) for x in ["-", "--", "-.", ":", "None", " ", "", *list(STYLES)[:4]])
        raise ValueError(f"{style!r} is not a valid value for ls; supported values are {known}")
    return name


def stroke(color, width, style="-", cap="projecting", join="round"):
    """What the canvas takes; None where nothing is seen."""
    if style == "None" or width <= 0 or color[3] == 0:
        return None
    dashes = DASHES[style] if isinstance(style, str) else style
    scaled = tuple(d * width for d in dashes) if dashes else ()
    return (color, width, scaled, "butt" if scaled else cap, join)


class Transform:
    """Coordinates of what: data, an axes' box, the figure, points."""

    def __init__(self, kind, owner):
        self._kind, self._owner = kind, owner

    def transform(self, values):
        points = np.asarray(values, dtype=float)
        flat = points.reshape(-1, 2)
        xs, ys = self.map(flat[:, 0].tolist(), flat[:, 1].tolist())
        dpi = self._owner.get_figure().dpi / 72
        return np.array([[x * dpi, y * dpi] for x, y in zip(xs, ys)]).reshape(points.shape)

    def map(self, xs, ys):
        """In points."""
        return self._owner._map(self._kind, xs, ys)

    def is_data(self):
        return self._kind == "data"

    def __eq__(self, other):
        return isinstance(other, Transform) and (self._kind, self._owner) == (other._kind, other._owner)

    def __hash__(self):
        return hash(self._kind)


class Artist:
    zorder = 0
    _aliases = {}

    def __init__(self):
        self.figure = self.axes = None
        self._alpha = None
        self._visible = True
        self._label = ""
        self._clip_on = True
        self._transform = None
        self._remover = None
        self._gid = self._picker = None

    def get_figure(self):
        return self.figure

    def set(self, **kwargs):
        for key, value in self._normal(kwargs).items():
            setter = getattr(self, "set_" + key, None)
            if setter is None:
                raise AttributeError(f"{type(self).__name__}.set() got an unexpected keyword argument {key!r}")
            setter(value)
        return self

    update = lambda self, props: self.set(**props)  # noqa: E731

    def _normal(self, kwargs):
        """With the long names of properties."""
        found, given = {}, {}
        for key, value in kwargs.items():
            name = self._aliases.get(key, key)
            if name in found:
                raise TypeError(f"Got both {given[name]!r} and {key!r}, which are aliases of one another")
            found[name], given[name] = value, key
        return found

    def set_alpha(self, alpha):
        self._alpha = alpha

    def get_alpha(self):
        return self._alpha

    def set_visible(self, b):
        self._visible = bool(b)

    def get_visible(self):
        return self._visible

    def set_label(self, s):
        self._label = "" if s is None else str(s)

    def get_label(self):
        return self._label

    def set_zorder(self, level):
        self.zorder = type(self).zorder if level is None else level

    def get_zorder(self):
        return self.zorder

    def set_clip_on(self, b):
        self._clip_on = bool(b)

    def get_clip_on(self):
        return self._clip_on

    def set_transform(self, t):
        if t is not None and not isinstance(t, Transform):
            raise NotImplementedError(f"transform={t!r} is not implemented in janus-jit yet")
        self._transform = t

    def get_transform(self):
        return self._transform or self.axes.transData

    def set_gid(self, gid):
        self._gid = gid

    def get_gid(self):
        return self._gid

    def set_picker(self, picker):
        self._picker = picker

    def get_picker(self):
        return self._picker

    def set_animated(self, b):
        if b:
            raise NotImplementedError("animated=True is not implemented in janus-jit yet")

    def set_rasterized(self, rasterized):
        if rasterized:
            raise NotImplementedError("rasterized=True is not implemented in janus-jit yet")

    def set_antialiased(self, aa):
        self._smooth = bool(aa)

    def remove(self):
        if self._remover is None:
            raise NotImplementedError("cannot remove artist")
        self._remover(self)
        self._remover = None

    def _color(self, color):
        return None if color is None else to_rgba(color, self._alpha)

    def _clip(self):
        return self.axes._box_in_points() if self.axes is not None and self._clip_on else None

    def _map(self, xs, ys):
        return self.get_transform().map(xs, ys)

    def _extent(self):
        """What of the data it takes: lists of x and of y."""
        return [], []

    def _draw(self, canvas):
        raise NotImplementedError
