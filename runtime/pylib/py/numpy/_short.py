"""Short ways in Rust for the common calls of functions of the package."""

from torch import _C


def of_class(c):
    """Puts the short ways that there are in front of a class's methods."""
    for name in _C._short_ways(c.__name__):
        setattr(c, name, _C._short_way(f"{c.__name__}.{name}", getattr(c, name)))


def of_function(function):
    """A function with its short way in front of it."""
    return _C._short_way(f"numpy.{function.__name__}", function)
