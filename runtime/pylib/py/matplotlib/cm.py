"""Colour maps by name, and what has one."""

import numpy as np

from matplotlib import _formulas, _maps
from matplotlib._rc import rcParams
from matplotlib.colors import Colormap, LinearSegmentedColormap, ListedColormap, LogNorm, Normalize


def _built_in(name):
    if name.endswith("_r"):
        found = _built_in(name[:-2])
        return found and found.reversed()
    if name in ("grey", "Grays"):
        found = _built_in(name.replace("grey", "gray").replace("Grays", "Greys"))
        found.name = name
        return found
    if name in _maps.TABLES:
        rows = _maps.TABLES[name].split()
        return ListedColormap([[int(row[i : i + 6]) / 1e6 for i in (0, 6, 12)] for row in rows], name)
    if name in _maps.FEW:
        return ListedColormap([tuple(int(row[i : i + 2], 16) / 255 for i in (0, 2, 4)) for row in _maps.FEW[name].split()], name)
    if name in _formulas.FORMULAS:
        return LinearSegmentedColormap(name, dict(zip(("red", "green", "blue"), _formulas.FORMULAS[name])))
    if name in _maps.POINTS:
        data = {}
        for channel, text in zip(("red", "green", "blue"), _maps.POINTS[name]):
            points = [tuple(map(float, point.split())) for point in text.split(";")]
            data[channel] = [(p[0], p[1], p[-1]) for p in points]
        return LinearSegmentedColormap(name, data)
    return None


def _names():
    names = [*_maps.TABLES, *_maps.FEW, *_maps.POINTS, *_formulas.FORMULAS, "grey", "Grays"]
    return names + [name + "_r" for name in names]


class ColormapRegistry:
    """`matplotlib.colormaps`"""

    def __init__(self):
        self._known = {}
        self._own = {}

    def __getitem__(self, name):
        if name in self._own:
            return self._own[name].copy()
        if name not in self._known:
            found = _built_in(name)
            if found is None:
                raise KeyError(f"{name!r} is not a known colormap name")
            self._known[name] = found
        return self._known[name].copy()

    def __iter__(self):
        return iter(_names() + list(self._own))

    def __len__(self):
        return len(list(iter(self)))

    def __contains__(self, name):
        return name in self._own or name in _names()

    def __call__(self):
        return list(self)

    def register(self, cmap, *, name=None, force=False):
        name = name or cmap.name
        if name in self and not (force and name in self._own):
            raise ValueError(f'A colormap named "{name}" is already registered.')
        self._own[name] = cmap.copy()

    def unregister(self, name):
        if name in _names():
            raise ValueError(f"cannot unregister {name!r} which is a builtin colormap.")
        self._own.pop(name, None)

    def get_cmap(self, cmap):
        return get_cmap(cmap)


colormaps = ColormapRegistry()


def get_cmap(name=None, lut=None):
    if name is None:
        name = rcParams["image.cmap"]
    if isinstance(name, Colormap):
        return name
    if name not in colormaps:
        known = ", ".join(repr(x) for x in sorted(colormaps))
        raise ValueError(f"{name!r} is not a valid value for name; supported values are {known}")
    found = colormaps[name]
    return found if lut is None else found.resampled(lut)


def __getattr__(name):
    if name in colormaps:
        return colormaps[name]
    raise AttributeError(f"module 'matplotlib.cm' has no attribute {name!r}")


class ScalarMappable:
    """Something whose numbers are shown as colours."""

    def __init__(self, norm=None, cmap=None):
        self._A = None
        self.colorbar = None
        self.set_norm(norm)
        self.set_cmap(cmap)

    def set_cmap(self, cmap):
        self.cmap = get_cmap(cmap)

    def get_cmap(self):
        return self.cmap

    def set_norm(self, norm):
        if isinstance(norm, str):
            kinds = {"linear": Normalize, "log": LogNorm}
            if norm not in kinds:
                raise ValueError(f"Invalid norm str name; the following values are supported: {', '.join(kinds)}")
            norm = kinds[norm]()
        self.norm = Normalize() if norm is None else norm

    def set_array(self, A):
        self._A = None if A is None else np.asarray(A)

    def get_array(self):
        return self._A

    def set_clim(self, vmin=None, vmax=None):
        if vmax is None and isinstance(vmin, (tuple, list)):
            vmin, vmax = vmin
        if vmin is not None:
            self.norm.vmin = float(vmin)
        if vmax is not None:
            self.norm.vmax = float(vmax)

    def get_clim(self):
        return self.norm.vmin, self.norm.vmax

    def autoscale(self):
        self.norm.autoscale(self._A)

    def autoscale_None(self):
        if self._A is not None:
            self.norm.autoscale_None(self._A)

    def to_rgba(self, x, alpha=None, bytes=False):
        return self.cmap(self.norm(np.asarray(x)), alpha, bytes)


def range_norm(norm, vmin, vmax):
    """The norm that a function's arguments say."""
    if norm is None:
        return Normalize(vmin, vmax)
    if vmin is not None or vmax is not None:
        if not isinstance(norm, str):
            raise ValueError(
                "Passing a Normalize instance simultaneously with vmin/vmax is not supported.  "
                "Please pass vmin/vmax directly to the norm when creating it."
            )
        kinds = {"linear": Normalize, "log": LogNorm}
        if norm not in kinds:
            raise ValueError(f"Invalid norm str name; the following values are supported: {', '.join(kinds)}")
        return kinds[norm](vmin, vmax)
    return norm
