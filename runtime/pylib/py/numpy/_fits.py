"""Python's own numbers as items of arrays.

NumPy asks such a number for its value as an int or a float, which raises where there is none; what has a dtype already is
converted instead, and warned of.
"""

import torch
from torch import Tensor

from numpy import _errors
from numpy._dtypes import UINT64, float64, generic

_LOWEST, _ABOVE = -(2**63), 2**63


def _as_int(n, dtype):
    if isinstance(n, complex):
        raise TypeError("int() argument must be a string, a bytes-like object or a real number, not 'complex'")
    n = int(n)
    if not dtype._low <= n <= dtype._high:
        if _LOWEST <= n < (2**64 if dtype is UINT64 else _ABOVE):
            raise OverflowError(f"Python integer {n} out of bounds for {dtype.name}")
        raise OverflowError("Python int too large to convert to C long")
    return n


def _as_float(n, dtype):
    if isinstance(n, complex):
        raise TypeError("float() argument must be a string or a real number, not 'complex'")
    return float(n)


_OWN = {"i": _as_int, "u": _as_int, "f": _as_float, "c": lambda n, dtype: complex(n)}


def is_plain(x, dtype):
    """Whether something is a number of Python's, which has no dtype of its own; signed ints take float64 for one, too."""
    own = not isinstance(x, generic) or (type(x) is float64 and dtype.kind == "i")
    return own and isinstance(x, (int, float, complex))


def number(n, dtype):
    """What a number of Python's becomes as an item of a dtype of ints."""
    return _as_int(n, dtype)


def item(n, dtype):
    """A tensor of no dimensions with the item that a number becomes."""
    own = _OWN.get(dtype.kind)
    n = own(n, dtype) if own is not None else bool(n)
    wide = {"f": torch.float64, "c": torch.complex128}.get(dtype.kind)
    t = torch.tensor(n, dtype=wide or dtype._torch)
    return t if wide is None else _errors.cast(t, dtype._torch)


def check(x, dtype):
    """Raises where a number of Python's, in sequences or alone, cannot be an item."""
    own = _OWN.get(dtype.kind)
    if own is None:
        return
    if isinstance(x, (list, tuple, range)):
        for row in x:
            check(row, dtype)
    elif is_plain(x, dtype):
        own(x, dtype)


def holds_all(t, dtype):
    """Whether an array of a dtype holds numbers as they are, but for what is rounded: then there is nothing to raise."""
    if dtype.kind in "iu" and t.dtype.is_floating_point:
        low, above = float(dtype._low), float(dtype._high) + 1.0
        return not t.numel() or bool((((t > low - 1.0) | (t >= low)) & (t < above)).all())
    return not t.dtype.is_complex or dtype.kind in "cb"


def leaves(x):
    """The items of nested sequences."""
    if isinstance(x, (list, tuple, range)):
        for row in x:
            yield from leaves(row)
    else:
        yield x


def has_large(x):
    """Whether there are ints that int64 does not hold."""
    return any(isinstance(n, int) and not _LOWEST <= n < _ABOVE for n in leaves(x))


def as_floats(x):
    """Nested sequences with floats for ints."""
    if isinstance(x, (list, tuple, range)):
        return [as_floats(row) for row in x]
    return float(x) if type(x) is int else x


def kind_of_large(x):
    """What ints that int64 does not hold make an array of: "u" for uint64, "f" for float64, "O" for objects."""
    kind = "u"
    for n in leaves(x):
        if isinstance(n, (float, complex, Tensor)) or type(n) is not int:
            kind = "f"
        elif not _LOWEST <= n < 2**64:
            return "O"
        elif n < _ABOVE:
            kind = "f"
    return kind
