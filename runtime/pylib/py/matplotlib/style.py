"""Sets of settings."""

import contextlib

from matplotlib import _rc
from matplotlib._rc import Cycler, rcParams

_BREWER = "E24A33 348ABD 988ED5 777777 FBC15E 8EBA42 FFB5B8"
_STYLES = {
    "default": {},
    "classic": None,
    "ggplot": {
        "patch.linewidth": 0.5,
        "patch.facecolor": "#348ABD",
        "patch.edgecolor": "#EEEEEE",
        "font.size": 10.0,
        "axes.facecolor": "#E5E5E5",
        "axes.edgecolor": "white",
        "axes.linewidth": 1.0,
        "axes.grid": True,
        "axes.titlesize": "x-large",
        "axes.labelsize": "large",
        "axes.labelcolor": "#555555",
        "axes.prop_cycle": _BREWER,
        "xtick.color": "#555555",
        "ytick.color": "#555555",
        "grid.color": "white",
        "figure.facecolor": "white",
        "figure.edgecolor": "0.50",
    },
    "dark_background": {
        "lines.color": "white",
        "patch.edgecolor": "white",
        "text.color": "white",
        "axes.facecolor": "black",
        "axes.edgecolor": "white",
        "axes.labelcolor": "white",
        "axes.prop_cycle": "8dd3c7 feffb3 bfbbd9 fa8174 81b1d2 fdb462 b3de69 bc82bd ccebc4 ffed6f",
        "xtick.color": "white",
        "ytick.color": "white",
        "grid.color": "white",
        "figure.facecolor": "black",
        "figure.edgecolor": "black",
    },
    "bmh": {
        "lines.linewidth": 2.0,
        "patch.linewidth": 0.5,
        "patch.facecolor": "#348ABD",
        "patch.edgecolor": "#eeeeee",
        "axes.facecolor": "#eeeeee",
        "axes.edgecolor": "#bcbcbc",
        "axes.grid": True,
        "axes.titlesize": "x-large",
        "axes.labelsize": "large",
        "axes.prop_cycle": "348ABD A60628 7A68A6 467821 D55E00 CC79A7 56B4E9 009E73 F0E442 0072B2",
        "grid.color": "#b2b2b2",
        "grid.linestyle": "--",
        "grid.linewidth": 0.5,
        "xtick.direction": "in",
        "ytick.direction": "in",
    },
    "fivethirtyeight": {
        "lines.linewidth": 4.0,
        "patch.linewidth": 0.5,
        "axes.facecolor": "#f0f0f0",
        "axes.edgecolor": "#f0f0f0",
        "axes.linewidth": 3.0,
        "axes.grid": True,
        "axes.titlesize": "x-large",
        "axes.labelsize": "large",
        "axes.prop_cycle": "008fd5 fc4f30 e5ae38 6d904f 8b8b8b 810f7c",
        "font.size": 14.0,
        "grid.color": "#cbcbcb",
        "grid.linewidth": 1.0,
        "figure.facecolor": "#f0f0f0",
        "savefig.facecolor": "#f0f0f0",
    },
    "grayscale": {
        "lines.color": "black",
        "patch.facecolor": "gray",
        "patch.edgecolor": "black",
        "axes.prop_cycle": "000000 666666 999999 b3b3b3",
        "image.cmap": "gray",
        "figure.facecolor": "0.75",
    },
    "tableau-colorblind10": {"axes.prop_cycle": "006BA4 FF800E ABABAB 595959 5F9ED1 C85200 898989 A2C8EC FFBC79 CFCFCF"},
}
available = sorted(name for name, settings in _STYLES.items() if settings is not None and name != "default")
library = {name: settings for name, settings in _STYLES.items() if name in available}


def _settings(style):
    if isinstance(style, dict):
        return style
    if style == "default":
        return {k: v for k, v in _rc.defaults().items() if k not in ("backend", "interactive")}
    found = _STYLES.get(style)
    if found is None:
        raise OSError(
            f"{style!r} is not a valid package style, path of style file, URL of style file, or library style name (library"
            " styles are listed in `style.available`)"
        )
    found = dict(found)
    if "axes.prop_cycle" in found:
        found["axes.prop_cycle"] = Cycler([{"color": "#" + c} for c in found["axes.prop_cycle"].split()])
    return found


def use(style):
    for one in style if isinstance(style, (list, tuple)) else [style]:
        rcParams.update(_settings(one))


@contextlib.contextmanager
def context(style, after_reset=False):
    """Other settings inside: of a `with`, or of a function that this decorates."""
    before = dict(rcParams)
    try:
        if after_reset:
            use("default")
        use(style)
        yield
    finally:
        dict.update(rcParams, before)
