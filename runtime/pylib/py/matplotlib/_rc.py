"""Settings, with matplotlib's defaults."""

_DEFAULTS = {
    "axes.axisbelow": "line",
    "axes.edgecolor": "black",
    "axes.facecolor": "white",
    "axes.grid": False,
    "axes.grid.axis": "both",
    "axes.labelcolor": "black",
    "axes.labelpad": 4.0,
    "axes.labelsize": "medium",
    "axes.labelweight": "normal",
    "axes.linewidth": 0.8,
    "axes.prop_cycle": None,
    "axes.spines.bottom": True,
    "axes.spines.left": True,
    "axes.spines.right": True,
    "axes.spines.top": True,
    "axes.titlecolor": "auto",
    "axes.titlepad": 6.0,
    "axes.titlesize": "large",
    "axes.titleweight": "normal",
    "axes.unicode_minus": True,
    "axes.xmargin": 0.05,
    "axes.ymargin": 0.05,
    "backend": "agg",
    "errorbar.capsize": 0.0,
    "figure.autolayout": False,
    "figure.dpi": 100.0,
    "figure.edgecolor": "white",
    "figure.facecolor": "white",
    "figure.figsize": [6.4, 4.8],
    "figure.max_open_warning": 20,
    "figure.subplot.bottom": 0.11,
    "figure.subplot.hspace": 0.2,
    "figure.subplot.left": 0.125,
    "figure.subplot.right": 0.9,
    "figure.subplot.top": 0.88,
    "figure.subplot.wspace": 0.2,
    "figure.titlesize": "large",
    "figure.titleweight": "normal",
    "font.family": ["sans-serif"],
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 10.0,
    "font.weight": "normal",
    "grid.alpha": 1.0,
    "grid.color": "#b0b0b0",
    "grid.linestyle": "-",
    "grid.linewidth": 0.8,
    "hist.bins": 10,
    "image.aspect": "equal",
    "image.cmap": "viridis",
    "image.interpolation": "auto",
    "image.origin": "upper",
    "interactive": False,
    "legend.edgecolor": "0.8",
    "legend.facecolor": "inherit",
    "legend.fontsize": "medium",
    "legend.framealpha": 0.8,
    "legend.frameon": True,
    "legend.loc": "best",
    "legend.title_fontsize": None,
    "lines.color": "C0",
    "lines.linestyle": "-",
    "lines.linewidth": 1.5,
    "lines.marker": "None",
    "lines.markeredgewidth": 1.0,
    "lines.markersize": 6.0,
    "patch.edgecolor": "black",
    "patch.facecolor": "C0",
    "patch.linewidth": 1.0,
    "savefig.bbox": None,
    "savefig.dpi": "figure",
    "savefig.edgecolor": "auto",
    "savefig.facecolor": "auto",
    "savefig.format": "png",
    "savefig.pad_inches": 0.1,
    "savefig.transparent": False,
    "scatter.edgecolors": "face",
    "scatter.marker": "o",
    "text.color": "black",
    "xtick.color": "black",
    "xtick.direction": "out",
    "xtick.labelsize": "medium",
    "xtick.major.pad": 3.5,
    "xtick.major.size": 3.5,
    "xtick.major.width": 0.8,
    "xtick.minor.size": 2.0,
    "xtick.minor.width": 0.6,
    "ytick.color": "black",
    "ytick.direction": "out",
    "ytick.labelsize": "medium",
    "ytick.major.pad": 3.5,
    "ytick.major.size": 3.5,
    "ytick.major.width": 0.8,
    "ytick.minor.size": 2.0,
    "ytick.minor.width": 0.6,
}

# What there is one of: another value is refused, since it would do nothing.
_FIXED = ("axes.unicode_minus", "axes.grid.axis", "axes.axisbelow")

SIZES = {
    "xx-small": 0.579,
    "x-small": 0.694,
    "small": 0.833,
    "medium": 1.0,
    "large": 1.2,
    "x-large": 1.44,
    "xx-large": 1.728,
    "larger": 1.2,
    "smaller": 0.833,
}

CYCLE = [
    "#1f77b4",
    "#ff7f0e",
    "#2ca02c",
    "#d62728",
    "#9467bd",
    "#8c564b",
    "#e377c2",
    "#7f7f7f",
    "#bcbd22",
    "#17becf",
]


class Cycler:
    """Properties that lines take in turns."""

    def __init__(self, rows):
        self._rows = rows

    def __iter__(self):
        return iter([dict(row) for row in self._rows])

    def __len__(self):
        return len(self._rows)

    @property
    def keys(self):
        return {key for row in self._rows for key in row}

    def by_key(self):
        return {key: [row[key] for row in self._rows] for key in self._rows[0]}

    def __add__(self, other):
        if len(self) != len(other):
            raise ValueError(f"Can only add equal length cycles, not {len(self)} and {len(other)}")
        return Cycler([{**a, **b} for a, b in zip(self._rows, other._rows)])

    def __mul__(self, other):
        if isinstance(other, int):
            return Cycler(self._rows * other)
        return Cycler([{**a, **b} for a in self._rows for b in other._rows])

    def __repr__(self):
        return " + ".join(f"cycler({key!r}, {values!r})" for key, values in self.by_key().items())


def cycler(*args, **kwargs):
    if args and kwargs:
        raise TypeError("cycler() can only accept positional OR keyword arguments -- not both.")
    if len(args) == 1:
        return Cycler(list(args[0]))
    if len(args) == 2:
        kwargs = {args[0]: args[1]}
    names = {"c": "color", "ls": "linestyle", "lw": "linewidth", "ms": "markersize"}
    columns = {names.get(key, key): list(values) for key, values in kwargs.items()}
    lengths = {len(values) for values in columns.values()}
    if len(lengths) != 1:
        raise ValueError("Can only add equal length cycles")
    return Cycler([dict(zip(columns, row)) for row in zip(*columns.values())])


class RcParams(dict):
    """A dict that knows which settings there are."""

    def __init__(self, *args, **kwargs):
        super().__init__()
        self.update(*args, **kwargs)

    def __setitem__(self, key, value):
        if key not in _DEFAULTS:
            raise KeyError(
                f"{key} is not a valid rc parameter (see rcParams.keys() for a list of valid parameters)"
                " or one that is not implemented in janus-jit yet"
            )
        if key in _FIXED and value != _DEFAULTS[key]:
            raise NotImplementedError(f"rcParams[{key!r}] = {value!r} is not implemented in janus-jit yet")
        if key in ("font.family", "font.sans-serif"):
            _look_for(value)
        super().__setitem__(key, value)

    def update(self, *args, **kwargs):
        for key, value in dict(*args, **kwargs).items():
            self[key] = value

    def copy(self):
        return RcParams(self)

    def find_all(self, pattern):
        import re

        return RcParams({key: value for key, value in self.items() if re.search(pattern, key)})


def _look_for(families):
    """Says, as matplotlib does, that a font is not there; DejaVu Sans is."""
    families = [families] if isinstance(families, str) else list(families)
    known = ("sans-serif", "dejavu sans", "monospace", "dejavu sans mono")
    if not any(name.lower() in known for name in families):
        import logging

        log = logging.getLogger("matplotlib.font_manager")
        for name in families:
            log.warning("findfont: Font family %r not found.", name)


def defaults():
    found = RcParams(_DEFAULTS)
    found["axes.prop_cycle"] = Cycler([{"color": c} for c in CYCLE])
    return found


rcParams = defaults()
rcParamsDefault = defaults()


def size(value, base=None):
    """A font size in points."""
    if value is None:
        return float(rcParams["font.size"])
    if isinstance(value, str):
        if value in SIZES:
            return SIZES[value] * float(rcParams["font.size"] if base is None else base)
        try:
            return float(value)
        except ValueError:
            names = ", ".join(sorted(SIZES))
            raise ValueError(f"Size is invalid. Valid font size are {names}") from None
    return float(value)
