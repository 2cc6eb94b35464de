"""CPython's paths, which are 3.12's, with what 3.11 has besides."""

import _pypathlib
import os
from _pypathlib import *
from _pypathlib import __all__

for _name in __all__:
    globals()[_name].__module__ = "pathlib"
del _name

_posix_flavour, _windows_flavour = PurePosixPath._flavour, PureWindowsPath._flavour


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(_pypathlib, name)


def _link_to(self, target):
    import warnings
    warnings.warn("pathlib.Path.link_to() is deprecated and is scheduled for removal in Python 3.12. Use "
                  "pathlib.Path.hardlink_to() instead.", DeprecationWarning, stacklevel=2)
    os.link(self, target)


_link_to.__name__, _link_to.__qualname__ = "link_to", "Path.link_to"
Path.link_to = _link_to


def _relative_to(self, *other):
    """The path from another one, which this lies below."""
    if not other:
        raise TypeError("need at least one argument")
    base = type(self)(*other)
    if not self.is_relative_to(base):
        raise ValueError(f"{str(self)!r} is not in the subpath of {str(base)!r} OR one path is relative and the other is absolute.")
    return _of_later(self, base)


_of_later = PurePath.relative_to
_relative_to.__name__, _relative_to.__qualname__ = "relative_to", "PurePath.relative_to"
PurePath.relative_to = _relative_to
