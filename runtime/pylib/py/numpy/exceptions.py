"""Errors and warnings of NumPy's own."""

from numpy._ops import AxisError
from numpy._polynomials import RankWarning


class ComplexWarning(RuntimeWarning):
    """An imaginary part is dropped."""


class VisibleDeprecationWarning(UserWarning):
    """Something that will go, shown to everyone."""


class ModuleDeprecationWarning(DeprecationWarning):
    """A module that will go."""


class DTypePromotionError(TypeError):
    """Dtypes that have no common one."""


class TooHardError(RuntimeError):
    """A question whose answer would take too long."""
