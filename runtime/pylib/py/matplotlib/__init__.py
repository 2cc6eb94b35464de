"""Plots, drawn without windows.

Its own code over a native writer of PNG, SVG and PDF. What an argument says is done, or refused.
"""

import contextlib

from matplotlib import _rc
from matplotlib._rc import RcParams, cycler, rcParams, rcParamsDefault

__version__ = "3.10.0"
_BACKENDS = ("agg", "pdf", "svg", "cairo", "template", "module://matplotlib_inline.backend_inline")


def use(backend, *, force=True):
    """Windows are never opened: a backend that would is refused if it is insisted on."""
    name = str(backend).lower()
    interactive = ("gtk3agg", "gtk4agg", "macosx", "nbagg", "qt4agg", "qt5agg", "qtagg", "tkagg", "webagg", "wxagg")
    interactive += ("gtk3cairo", "gtk4cairo", "notebook", "qtcairo", "tkcairo", "wx", "wxcairo", "qt5cairo", "ipympl")
    if name in interactive:
        if force:
            raise ImportError(
                f"Cannot load backend '{backend}' which requires an interactive framework, as 'headless' is currently"
                " running"
            )
        return
    if name not in _BACKENDS:
        raise ValueError(f"{backend!r} is not a valid value for backend")
    dict.__setitem__(rcParams, "backend", backend)


def get_backend():
    return rcParams["backend"]


def interactive(b):
    rcParams["interactive"] = bool(b)


def is_interactive():
    return rcParams["interactive"]


def rc(group, **kwargs):
    names = {"lw": "linewidth", "ls": "linestyle", "c": "color", "fc": "facecolor", "ec": "edgecolor", "mew": "markeredgewidth"}
    for one in [group] if isinstance(group, str) else group:
        for key, value in kwargs.items():
            rcParams[f"{one}.{names.get(key, key)}"] = value


def rcdefaults():
    rcParams.update(_rc.defaults())


@contextlib.contextmanager
def rc_context(rc=None, fname=None):
    """Other settings inside: of a `with`, or of a function that this decorates."""
    if fname is not None:
        raise NotImplementedError("rc_context(): argument 'fname' is not implemented in janus-jit yet")
    before = dict(rcParams)
    try:
        rcParams.update(rc or {})
        yield
    finally:
        dict.update(rcParams, before)


def __getattr__(name):
    if name in ("colormaps", "color_sequences"):
        if name == "colormaps":
            from matplotlib.cm import colormaps

            return colormaps
        raise NotImplementedError("matplotlib.color_sequences is not implemented in janus-jit yet")
    raise AttributeError(f"module 'matplotlib' has no attribute {name!r}")
