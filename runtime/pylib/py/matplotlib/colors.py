"""Colours, and how numbers become colours."""

import math
import re

import numpy as np

from matplotlib import _names
from matplotlib._rc import CYCLE, rcParams

_words = _names.NAMES.split()
CSS4_COLORS = {name: "#" + digits.upper() for name, digits in zip(_words[::2], _words[1::2])}
BASE_COLORS = {
    "b": (0, 0, 1),
    "g": (0, 0.5, 0),
    "r": (1, 0, 0),
    "c": (0, 0.75, 0.75),
    "m": (0.75, 0, 0.75),
    "y": (0.75, 0.75, 0),
    "k": (0, 0, 0),
    "w": (1, 1, 1),
}
_TABLEAU = ("blue", "orange", "green", "red", "purple", "brown", "pink", "gray", "olive", "cyan")
TABLEAU_COLORS = {"tab:" + name: digits for name, digits in zip(_TABLEAU, CYCLE)}
_BY_NAME = {**{k: v.lower() for k, v in CSS4_COLORS.items()}, **TABLEAU_COLORS, "tab:grey": "#7f7f7f"}


def _is_number(x):
    return isinstance(x, (int, float)) or (hasattr(x, "__float__") and not isinstance(x, str))


def _of_text(text):
    if text.lower() == "none":
        return (0.0, 0.0, 0.0, 0.0)
    if text in BASE_COLORS:
        return (*map(float, BASE_COLORS[text]), 1.0)
    if re.fullmatch(r"C[0-9]+", text):
        cycle = [row.get("color", "k") for row in rcParams["axes.prop_cycle"]]
        return to_rgba(cycle[int(text[1:]) % len(cycle)])
    known = _BY_NAME.get(text) or _BY_NAME.get(text.lower())
    digits = known or text
    if re.fullmatch("#[0-9a-fA-F]+", digits) and len(digits) in (4, 5, 7, 9):
        step = 1 if len(digits) < 7 else 2
        parts = [digits[i : i + step] for i in range(1, len(digits), step)]
        values = [int(part * (3 - step), 16) / 255 for part in parts]
        return tuple(values) if len(values) == 4 else (*values, 1.0)
    try:
        level = float(text)
    except ValueError:
        raise ValueError(f"Invalid RGBA argument: {text!r}") from None
    if not 0 <= level <= 1:
        raise ValueError(f"Invalid string grayscale value {text!r}. Value must be within 0-1 range")
    return (level, level, level, 1.0)


def to_rgba(c, alpha=None):
    if isinstance(c, tuple) and len(c) == 2 and isinstance(c[0], str):
        c, inner = c
        alpha = inner if alpha is None else alpha
    if isinstance(c, str):
        found = _of_text(c)
        if alpha is not None and c.lower() != "none":
            found = (*found[:3], float(alpha))
        return found
    if _is_number(c) and not hasattr(c, "__len__"):
        raise ValueError(f"Invalid RGBA argument: {c!r}")
    try:
        values = [float(x) for x in c]
    except (TypeError, ValueError):
        raise ValueError(f"Invalid RGBA argument: {c!r}") from None
    if len(values) not in (3, 4):
        raise ValueError("RGBA sequence should have length 3 or 4")
    if any(not 0 <= x <= 1 for x in values):
        raise ValueError("RGBA values should be within 0-1 range")
    if len(values) == 3:
        values.append(1.0)
    if alpha is not None:
        values[3] = float(alpha)
    return tuple(values)


def to_rgb(c):
    return to_rgba(c)[:3]


def to_hex(c, keep_alpha=False):
    values = to_rgba(c)[: 4 if keep_alpha else 3]
    return "#" + "".join(f"{round(x * 255):02x}" for x in values)


def is_color_like(c):
    try:
        to_rgba(c)
    except (TypeError, ValueError):
        return False
    return True


def to_rgba_array(c, alpha=None):
    if isinstance(c, str) or is_color_like(c):
        return np.array([to_rgba(c, alpha)] if not (isinstance(c, str) and c.lower() == "none") else np.zeros((0, 4)))
    return np.array([to_rgba(x, alpha) for x in c]).reshape(-1, 4)


class Normalize:
    """A range of values onto 0 to 1."""

    def __init__(self, vmin=None, vmax=None, clip=False):
        self.vmin = None if vmin is None else float(vmin)
        self.vmax = None if vmax is None else float(vmax)
        self.clip = clip

    def scaled(self):
        return self.vmin is not None and self.vmax is not None

    def _usable(self, values):
        return values[np.isfinite(values)]

    def autoscale_None(self, A):
        values = self._usable(np.asarray(A, dtype=float).reshape(-1))
        if values.size:
            if self.vmin is None:
                self.vmin = float(values.min())
            if self.vmax is None:
                self.vmax = float(values.max())

    def autoscale(self, A):
        self.vmin = self.vmax = None
        self.autoscale_None(A)

    def _forward(self, x):
        return (x - self.vmin) / (self.vmax - self.vmin)

    def inverse(self, value):
        return self.vmin + value * (self.vmax - self.vmin)

    def __call__(self, value, clip=None):
        values = np.asarray(value, dtype=float)
        self.autoscale_None(values)
        if not self.scaled():
            return values
        if self.vmin > self.vmax:
            raise ValueError("minvalue must be less than or equal to maxvalue")
        if self.vmin == self.vmax:
            found = np.zeros(values.shape)
        else:
            if self.clip if clip is None else clip:
                values = np.clip(values, self.vmin, self.vmax)
            found = self._forward(values)
        return found if values.ndim else float(found)


class NoNorm(Normalize):
    def __call__(self, value, clip=None):
        if clip:
            raise NotImplementedError("NoNorm() with clip is not implemented in janus-jit yet")
        return value


class LogNorm(Normalize):
    def _usable(self, values):
        return values[np.isfinite(values) & (values > 0)]

    def _forward(self, x):
        low, high = math.log(self.vmin), math.log(self.vmax)
        return (np.log(np.where(x > 0, x, np.nan)) - low) / (high - low)

    def inverse(self, value):
        return self.vmin * (self.vmax / self.vmin) ** value


class BoundaryNorm(Normalize):
    """Values between two boundaries are of one colour."""

    def __init__(self, boundaries, ncolors, clip=False):
        super().__init__(boundaries[0], boundaries[-1], clip)
        self.boundaries = np.asarray(boundaries, dtype=float)
        self.N = len(self.boundaries)
        self.Ncmap = ncolors
        if ncolors < self.N - 1:
            raise ValueError(f"There are {self.N - 1} color bins including extensions, but ncolors = {ncolors}")

    def __call__(self, value, clip=None):
        values = np.asarray(value, dtype=float)
        if self.clip if clip is None else clip:
            values = np.clip(values, self.vmin, self.vmax)
        found = np.searchsorted(self.boundaries, values, side="right") - 1
        found = np.where(values == self.vmax, self.N - 2, found)
        if self.N - 2 > 0 and self.Ncmap > self.N - 1:
            found = found * (self.Ncmap - 1) // (self.N - 2)
        return np.where(values > self.vmax, self.Ncmap, np.where(values < self.vmin, -1, found))


class Colormap:
    def __init__(self, name, N=256):
        self.name = name
        self.N = int(N)
        self._under = self._over = None
        self._bad = (0.0, 0.0, 0.0, 0.0)
        self._table = None

    def _colors(self):
        """Its colours, an array of N by 4."""
        if self._table is None:
            self._table = np.array(self._make(), dtype=float)
        return self._table

    def set_under(self, color="k", alpha=None):
        self._under = to_rgba(color, alpha)

    def set_over(self, color="k", alpha=None):
        self._over = to_rgba(color, alpha)

    def set_bad(self, color="k", alpha=None):
        self._bad = to_rgba(color, alpha)

    def copy(self):
        import copy

        return copy.copy(self)

    def __call__(self, X, alpha=None, bytes=False):
        values = np.asarray(X)
        table = self._colors()
        bad = np.zeros(values.shape, dtype=bool)
        if values.dtype.kind == "f":
            bad = np.isnan(values)
            scaled = np.where(bad, 0.0, values) * self.N
            at = np.where(scaled == self.N, self.N - 1, np.clip(np.floor(scaled), -1, self.N)).astype(np.int64)
        else:
            at = values.astype(np.int64)
        found = table[np.clip(at, 0, self.N - 1)]
        flat, places = found.reshape(-1, 4), at.reshape(-1)
        for which, color in ((places < 0, self._under), (places >= self.N, self._over), (bad.reshape(-1), self._bad)):
            if color is not None and which.any():
                flat[which] = np.array(color)
        if alpha is not None:
            flat[:, 3] = np.asarray(alpha, dtype=float).reshape(-1)
        found = flat.reshape(*values.shape, 4)
        if bytes:
            found = (found * 255).astype(np.uint8)
        if values.ndim:
            return found
        return tuple(x if bytes else np.float64(x) for x in found)

    def resampled(self, lutsize):
        raise NotImplementedError(f"{type(self).__name__}.resampled() is not implemented in janus-jit yet: {lutsize}")

    def reversed(self, name=None):
        if name is None:
            name = self.name[:-2] if self.name.endswith("_r") else self.name + "_r"
        return ListedColormap([tuple(row) for row in self._colors()[::-1].tolist()], name)

    def __eq__(self, other):
        return isinstance(other, Colormap) and np.array_equal(self._colors(), other._colors())

    __hash__ = object.__hash__


class ListedColormap(Colormap):
    def __init__(self, colors, name="from_list", N=None):
        super().__init__(name, len(colors) if N is None else N)
        self.colors = colors

    def _make(self):
        colors = [to_rgba(c) for c in self.colors]
        return [colors[i % len(colors)] for i in range(self.N)]

    def resampled(self, lutsize):
        return ListedColormap(self(np.linspace(0, 1, lutsize)).tolist(), self.name)


class LinearSegmentedColormap(Colormap):
    """Between points, each with a value before and behind it, a channel is a line."""

    def __init__(self, name, segmentdata, N=256, gamma=1.0):
        super().__init__(name, N)
        self._segmentdata = segmentdata
        self._gamma = gamma

    @staticmethod
    def from_list(name, colors, N=256, gamma=1.0):
        colors = list(colors)
        if colors and isinstance(colors[0], (tuple, list)) and len(colors[0]) == 2 and not _is_number(colors[0][1]):
            places, colors = zip(*colors)
        else:
            places = np.linspace(0, 1, len(colors)).tolist()
        colors = [to_rgba(c) for c in colors]
        data = {
            channel: [(x, c[i], c[i]) for x, c in zip(places, colors)]
            for i, channel in enumerate(("red", "green", "blue", "alpha"))
        }
        return LinearSegmentedColormap(name, data, N, gamma)

    def _channel(self, points):
        steps = np.linspace(0, 1, self.N) ** self._gamma
        if callable(points):
            return np.clip(np.asarray(points(steps), dtype=float), 0, 1).tolist()
        found = []
        for i, x in enumerate(steps.tolist()):
            # The first and the last colour are those of the ends.
            if i == 0:
                found.append(points[0][2])
            elif i == self.N - 1:
                found.append(points[-1][1])
            else:
                at = next(k for k in range(1, len(points)) if points[k][0] >= x)
                (x0, _, y0), (x1, y1, _) = points[at - 1], points[at]
                found.append(y0 + (x - x0) / (x1 - x0) * (y1 - y0))
        return [min(max(y, 0.0), 1.0) for y in found]

    def _make(self):
        data = self._segmentdata
        channels = [self._channel(data[c]) for c in ("red", "green", "blue")]
        channels.append(self._channel(data["alpha"]) if "alpha" in data else [1.0] * self.N)
        return list(zip(*channels))

    def resampled(self, lutsize):
        return LinearSegmentedColormap(self.name, self._segmentdata, lutsize, self._gamma)
