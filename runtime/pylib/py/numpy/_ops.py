"""Operations and reductions of tensors by NumPy's rules: what `ndarray` and the ufuncs are made of.

Both operands of an operation have one dtype, which `_array` has chosen.
"""

import torch
from torch import _C

from numpy import _errors
from numpy._dtypes import as_dtype, promote


def _missing(what):
    return NotImplementedError(f"{what} is not implemented in janus-jit yet")


def _no_bool(name):
    return TypeError(
        f"numpy boolean {name}, the `-` operator, is not supported, use the bitwise_xor, the `^` operator, or the "
        "logical_xor function instead."
    )


def _not_for(name, a, b):
    return TypeError(
        f"ufunc '{name}' not supported for the input types, and the inputs could not be safely coerced to any "
        "supported types according to the casting rule ''safe''"
    )


def is_inexact(t):
    """Whether a tensor has floats or complex numbers."""
    return t.dtype.is_floating_point or t.dtype.is_complex


def _floats(t):
    """Of ints: the floats that they are divided as."""
    return t if is_inexact(t) else t.to(torch.float64)


def _inexact(t):
    """Of ints: the shortest floats that hold them, which a function of floats is computed in."""
    if is_inexact(t):
        return t
    if t.dtype is torch.int16:
        return t.to(torch.float32)
    if t.dtype in (torch.bool, torch.int8, torch.uint8):
        return t.to(torch.float16)
    return t.to(torch.float64)


def _doubles(t):
    return t.to(torch.complex128 if t.dtype.is_complex else torch.float64)


def _remainder(a, b):
    r = torch.remainder(a, b)
    # Zero has the sign of the divisor.
    return torch.where(r == 0, torch.copysign(torch.zeros_like(r), b), r) if r.dtype.is_floating_point else r


def _arithmetic(of_bools):
    """Of a tensor function: what it is of bools comes from another one, or is an error."""

    def decorate(function):
        def operation(a, b):
            if a.dtype is torch.bool:
                return of_bools(a, b)
            return function(a, b)

        return operation

    return decorate


def _subtract(a, b):
    if a.dtype is torch.bool:
        raise _no_bool("subtract")
    return a - b


def _bytes(function):
    """Of a tensor function that has no form for bools: they count as numbers of eight bits."""

    def operation(a, b):
        if a.dtype is torch.bool:
            a, b = a.to(torch.int8), b.to(torch.int8)
        return function(a, b)

    return operation


def _nonzero(name, b, function, a):
    """An integer division, where one by zero is zero."""
    if is_inexact(b):
        return function(a, b)
    zero = b == 0
    if not zero.any():
        return function(a, b)
    if _errors.state.checks and a.numel():
        _errors.happened(name, ["divide"])
    return function(a, torch.where(zero, torch.ones_like(b), b)).masked_fill(zero, 0)


def _power(a, b):
    if not is_inexact(a) and (b < 0).any():
        raise ValueError("Integers to negative integer powers are not allowed.")
    if a.dtype is torch.float32:
        # As `powf` does: of float64, and rounded once.
        return torch.pow(a.to(torch.float64), b.to(torch.float64)).to(torch.float32)
    return torch.pow(a, b)


def _ints_only(name, function):
    def operation(a, b):
        if is_inexact(a):
            raise _not_for(name, a, b)
        return function(a, b)

    return operation


def _no_complex(name, function):
    """Of a tensor function that complex numbers have none of."""

    def operation(a, b):
        if a.dtype.is_complex:
            raise _not_for(name, a, b)
        return function(a, b)

    return operation


def _ordered(name, function):
    """A comparison: complex numbers are ordered by their real parts, if no other part is NaN, and where these are equal by the
    others."""

    def operation(a, b):
        if not a.dtype.is_complex:
            return function(a, b)
        first = torch.lt if name.startswith("less") else torch.gt
        apart = first(a.real, b.real) & ~(a.imag.isnan() | b.imag.isnan())
        return apart | (a.real == b.real) & function(a.imag, b.imag)

    return operation


def _extreme(name, function):
    """The larger or smaller one of two: of complex numbers in the same order, where NaN wins."""

    def operation(a, b):
        if not a.dtype.is_complex:
            return function(a, b)
        better = _OPERATIONS["greater" if name == "maximum" else "less"](a, b)
        a, b, better = torch.broadcast_tensors(a, b, better | (a != a))
        return torch.where(better & ~((b != b) & (a == a)), a, b)

    return operation


_OPERATIONS = {
    "add": _arithmetic(torch.logical_or)(torch.add),
    "subtract": _subtract,
    "multiply": _arithmetic(torch.logical_and)(torch.mul),
    "divide": lambda a, b: torch.div(_floats(a), _floats(b)),
    "floor_divide": _no_complex("floor_divide", _bytes(lambda a, b: _nonzero("floor_divide", b, torch.floor_divide, a))),
    "remainder": _no_complex("remainder", _bytes(lambda a, b: _nonzero("remainder", b, _remainder, a))),
    "fmod": _no_complex("fmod", _bytes(lambda a, b: _nonzero("fmod", b, torch.fmod, a))),
    "power": _bytes(_power),
    "float_power": lambda a, b: torch.pow(_doubles(a), _doubles(b)),
    "maximum": _extreme("maximum", torch.maximum),
    "minimum": _extreme("minimum", torch.minimum),
    "fmax": torch.fmax,
    "fmin": torch.fmin,
    "less": _ordered("less", torch.lt),
    "less_equal": _ordered("less_equal", torch.le),
    "greater": _ordered("greater", torch.gt),
    "greater_equal": _ordered("greater_equal", torch.ge),
    "equal": torch.eq,
    "not_equal": torch.ne,
    "logical_and": torch.logical_and,
    "logical_or": torch.logical_or,
    "logical_xor": torch.logical_xor,
    "bitwise_and": _ints_only("bitwise_and", torch.bitwise_and),
    "bitwise_or": _ints_only("bitwise_or", torch.bitwise_or),
    "bitwise_xor": _ints_only("bitwise_xor", torch.bitwise_xor),
    "left_shift": _bytes(_ints_only("left_shift", torch.bitwise_left_shift)),
    "right_shift": _bytes(_ints_only("right_shift", torch.bitwise_right_shift)),
    "arctan2": lambda a, b: torch.atan2(_inexact(a), _inexact(b)),
    "hypot": lambda a, b: torch.hypot(_inexact(a), _inexact(b)),
    "logaddexp": lambda a, b: torch.logaddexp(_inexact(a), _inexact(b)),
    "copysign": lambda a, b: torch.copysign(_inexact(a), _inexact(b)),
    "heaviside": lambda a, b: torch.heaviside(*torch.broadcast_tensors(_inexact(a), _inexact(b))),
    "nextafter": lambda a, b: torch.nextafter(_inexact(a), _inexact(b)),
    "logaddexp2": lambda a, b: torch.logaddexp2(_inexact(a), _inexact(b)),
    "gcd": _ints_only("gcd", torch.gcd),
    "lcm": _ints_only("lcm", torch.lcm),
}


# Reductions


def normalized(axis, ndim):
    """An axis that counts from the front."""
    if not -ndim <= axis < ndim:
        raise AxisError(f"axis {axis} is out of bounds for array of dimension {ndim}")
    return int(axis) % ndim


class AxisError(ValueError, IndexError):
    __module__ = "numpy.exceptions"

    pass


def _axes(axis, ndim):
    """The axes that a reduction is over, in order."""
    if axis is None:
        return tuple(range(ndim))
    if isinstance(axis, (tuple, list)):
        found = sorted(normalized(one, ndim) for one in axis)
        if len(set(found)) != len(found):
            raise ValueError("duplicate value in 'axis'")
        return tuple(found)
    return (normalized(axis, ndim),)


def _summed(t, axes):
    """A sum in the order that NumPy has: through memory, pairwise along axes that lie together there, and otherwise one
    after the other."""
    if not axes:
        return t
    if t.dtype.is_complex:
        return torch.view_as_complex(_summed(torch.view_as_real(t), axes).contiguous())
    if not t.dtype.is_floating_point:
        return t.sum(dim=axes).to(t.dtype)
    strides = t.stride()
    kept = [d for d in range(t.dim()) if d not in axes]
    order = sorted(range(t.dim()), key=lambda d: -strides[d])
    last = 0
    while last < len(order) and order[len(order) - 1 - last] in axes:
        last += 1
    front = [d for d in order[: len(order) - last] if d in axes]
    rows = t.permute(*front, *kept, *order[len(order) - last :])
    extents = rows.shape
    first = len(front)
    if last:
        rows = _C._pairwise_sum(rows.flatten(len(extents) - last))
    if first:
        rows = rows.flatten(0, first - 1)
        rows = rows.cumsum(0)[-1] if rows.shape[0] else rows.sum(0)
    return rows


def _keep(t, axes, shape, keepdims):
    if not keepdims:
        return t
    return t.reshape([1 if d in axes else n for d, n in enumerate(shape)])


def _of_axis(function):
    """A tensor function of one dimension, for any axes."""

    def reduce(t, axes):
        if not axes:
            return t
        kept = [d for d in range(t.dim()) if d not in axes]
        rows = t.permute(*kept, *axes)
        return function(rows.reshape(*rows.shape[: len(kept)], -1))

    return reduce




def _largest(name, function):
    def rows(t):
        if not t.dtype.is_complex:
            return function(t)
        best = t[..., 0]
        for i in range(1, t.shape[-1]):
            best = _OPERATIONS[name](best, t[..., i])
        return best

    return _of_axis(rows)


_maximum = _largest("maximum", lambda t: t.amax(-1))
_minimum = _largest("minimum", lambda t: t.amin(-1))
_product = _of_axis(lambda t: t.prod(-1).to(t.dtype))
_any = _of_axis(lambda t: t.any(-1))
_all = _of_axis(lambda t: t.all(-1))


def _wide(t, dtype):
    """Ints are added up in the widest ones there are."""
    if dtype is not None:
        return t.to(as_dtype(dtype)._torch)
    return t if is_inexact(t) else t.to(torch.int64)


_NEUTRAL = {"add": 0, "multiply": 1, "logical_or": False, "logical_and": True}

_REDUCTIONS = {
    "add": lambda t, axes, dtype: _summed(_wide(t, dtype), axes),
    "multiply": lambda t, axes, dtype: _product(_wide(t, dtype), axes),
    "maximum": lambda t, axes, dtype: _maximum(t, axes),
    "minimum": lambda t, axes, dtype: _minimum(t, axes),
    "logical_or": lambda t, axes, dtype: _any(t.to(torch.bool), axes),
    "logical_and": lambda t, axes, dtype: _all(t.to(torch.bool), axes),
}


def _count(t, axes):
    n = 1
    for d in axes:
        n *= t.shape[d]
    return n


def _mean(t, axes, keepdims=False):
    t = _floats(t)
    # float16 is added up in float32.
    added = t.to(torch.float32) if t.dtype is torch.float16 else t
    return _keep((_summed(added, axes) / _count(t, axes)).to(t.dtype), axes, t.shape, keepdims)


def _variance(t, axes, ddof, keepdims):
    t = _floats(t)
    centred = t - _mean(t, axes, True)
    left = max(_count(t, axes) - ddof, 0)
    if t.dtype.is_complex:
        # The square of the distance.
        squares = torch.view_as_real(centred).square().sum(-1)
        return _keep(_summed(squares, axes) / left, axes, t.shape, keepdims)
    return _keep(_summed(centred * centred, axes) / left, axes, t.shape, keepdims)


class UFuncTypeError(TypeError):
    pass


def _same_kind(of, into):
    """Whether `same_kind` lets one dtype's values be written into the other."""
    if promote(of, into) is into:
        return True
    if of.is_complex:
        return into.is_complex
    if of.is_floating_point:
        return into.is_floating_point or into.is_complex
    return of is not torch.bool and into not in (torch.bool, torch.uint8)
