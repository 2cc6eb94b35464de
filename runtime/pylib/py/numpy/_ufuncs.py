"""Universal functions: the operations of `_ops`, and functions of one array, with `reduce` and the like."""

from _refused import refused
import math
import torch
from torch import Tensor

from numpy import _errors, _short
from numpy._array import _as_tensor, _binary, _given, _wrap, binary, is_unsigned, ndarray, reduced, result
from numpy._ops import UFuncTypeError, _OPERATIONS, _inexact, _missing, _not_for, _same_kind, _wide, is_inexact
from numpy._dtypes import NotNumbers, as_dtype, float64, generic, int64, of_torch


# Of one number these need no tensor.
_FLOATS = (float, float64)
_INTS = (int, int64)
_OF_NUMBERS = {
    "sqrt": math.sqrt, "exp": math.exp, "log": math.log, "log2": math.log2, "log10": math.log10, "log1p": math.log1p,
    "expm1": math.expm1, "sin": math.sin, "cos": math.cos, "tan": math.tan, "arcsin": math.asin, "arccos": math.acos,
    "arctan": math.atan, "sinh": math.sinh, "cosh": math.cosh, "tanh": math.tanh, "fabs": math.fabs, "absolute": abs,
    "square": lambda x: x * x,
}


class ufunc:
    """A function of `nin` arrays, item by item."""

    nout = 1

    def __init__(self, name, nin, function):
        self.__name__ = name
        self.nin = nin
        self._function = function
        self._of_number = _OF_NUMBERS.get(name)

    def __repr__(self):
        return f"<ufunc '{self.__name__}'>"

    def __call__(self, *args, out=None, where=True, dtype=None, casting="same_kind", order="K", subok=True):
        if casting != "same_kind":
            raise refused("numpy.ufunc", "casting")
        if order == "F":
            raise refused("numpy.ufunc", "order")
        if not subok:
            raise refused("numpy.ufunc", "subok")
        if len(args) == 1 and out is None and dtype is None and self._of_number:
            (x,) = args
            try:
                if type(x) in _INTS and self.__name__ in _TO_FLOATS and -(2**63) <= x < 2**63:
                    x = float(x)
                if type(x) in _FLOATS:
                    n = self._of_number(x)
                    if math.isfinite(n) or not math.isfinite(x):
                        return float64(n)
            except (ValueError, OverflowError):
                # Infinity, or no number: the tensor function says which.
                pass
        if len(args) == self.nin + 1 and out is None:
            *args, out = args
        if len(args) != self.nin:
            raise TypeError(
                f"{self.__name__}() takes from {self.nin} to {self.nin + 1} positional arguments but {len(args)} were "
                "given"
            )
        if self.nin == 2 and (is_unsigned(args[0]) or is_unsigned(args[1])):
            if where is not True or dtype is not None or out is not None:
                raise _missing(f"{self.__name__}(where=, dtype=, out=) of unsigned ints")
            return binary(self.__name__, *args)
        if dtype is not None:
            kind = as_dtype(dtype)._torch
            if not self._has_loop(kind):
                raise TypeError(
                    f"No loop matching the specified signature and casting was found for ufunc {self.__name__}"
                )
            if self.__name__ not in _TO_BOOL:
                for i, a in enumerate(args):
                    given = _as_tensor(a).dtype
                    if isinstance(a, (Tensor, ndarray, generic, float)) and not _same_kind(given, kind):
                        which = f" {i}" if self.nin > 1 else ""
                        raise UFuncTypeError(
                            f"Cannot cast ufunc '{self.__name__}' input{which} from {of_torch(given)!r} to "
                            f"{as_dtype(dtype)!r} with casting rule 'same_kind'"
                        )
                args = [_wrap(_as_tensor(a).to(kind)) for a in args]
        if isinstance(out, tuple):
            (out,) = out
        if where is not True:
            mask = _as_tensor(where)
            # What is left out is no error.
            args = [_left_out(self.__name__, a, mask) for a in args]
        try:
            t = self._function(*args)
        except NotNumbers:
            if where is not True or dtype is not None or out is not None:
                raise
            from numpy._items import of_ufunc

            return of_ufunc(self.__name__, args)
        if self.nin == 1:
            _errors.of_result(self.__name__, t, _as_tensor(args[0]))
        if out is not None:
            kept = None if where is True else out._t.clone()
            out._write(t)
            if kept is not None:
                out._t.copy_(torch.where(mask, out._t, kept))
            return out
        if where is not True:
            t = torch.where(mask, t, torch.zeros_like(t))
        if any(isinstance(a, Tensor) for a in args):
            return t
        return result(t)

    def _has_loop(self, kind):
        """Whether it computes results of a dtype."""
        if self.__name__ in _TO_BOOL:
            return kind is torch.bool
        if self.__name__ in _TO_FLOATS:
            return kind.is_floating_point
        return not (kind.is_floating_point and self.__name__ in _TO_INTS)

    def reduce(self, a, axis=0, dtype=None, out=None, keepdims=False, initial=None, where=True):
        if self.__name__ in _REDUCED:
            return reduced(self.__name__, a, axis, dtype, out, keepdims, initial, where)
        if where is not True:
            raise refused("numpy.ufunc.reduce", "where")
        t = self._operand(a, dtype)
        axes = range(t.dim()) if axis is None else axis if isinstance(axis, (tuple, list)) else (axis,)
        axes = [d % t.dim() for d in axes] if t.dim() else []
        if len(axes) > 1 and self.__name__ not in _REORDERED:
            raise ValueError(
                f"reduction operation '{self.__name__}' is not reorderable, so at most one axis may be specified"
            )
        for d in sorted(axes, reverse=True):
            t = self._folded(t.unbind(d), initial)
            initial = None
        if keepdims:
            for d in sorted(axes):
                t = t.unsqueeze(d)
        return _given(t, out)

    def _operand(self, a, dtype):
        """What is reduced: logical functions ask for truth, and comparisons have nothing that they could go on with."""
        t = _as_tensor(a)
        if dtype is not None:
            t = t.to(as_dtype(dtype)._torch)
        if self.__name__.startswith("logical_"):
            t = t.to(torch.bool)
        elif self.__name__ in _COMPARISONS and t.dtype is not torch.bool:
            raise TypeError(
                f"No loop matching the specified signature and casting was found for ufunc {self.__name__}"
            )
        return t

    def _folded(self, rows, initial):
        rows = [_wrap(row) for row in rows]
        if initial is None:
            if not rows:
                raise ValueError(f"zero-size array to reduction operation {self.__name__} which has no identity")
            total, rows = rows[0], rows[1:]
        else:
            like = rows[0]._t if rows else torch.zeros(())
            total = _wrap(torch.full_like(like, initial))
        for row in rows:
            total = _wrap(_binary(self.__name__, total, row))
        return total._t

    def reduceat(self, array, indices, axis=0, dtype=None, out=None):
        t = _as_tensor(array)
        starts = _as_tensor(indices).tolist()
        extent = t.shape[axis]
        for i in starts:
            if not 0 <= i < extent:
                raise IndexError(f"index {i} out-of-bounds in {self.__name__}.reduceat [0, {extent})")
        parts = []
        for k, i in enumerate(starts):
            end = starts[k + 1] if k + 1 < len(starts) else extent
            part = t.narrow(axis, i, max(end - i, 1))
            parts.append(_as_tensor(self.reduce(_wrap(part), axis=axis, dtype=dtype)))
        return _given(torch.stack(parts, axis), out)

    def accumulate(self, a, axis=0, dtype=None, out=None):
        if dtype is not None:
            raise refused("numpy.ufunc.accumulate", "dtype")
        t = self._operand(a, None)
        known = _ACCUMULATED.get(self.__name__)
        if known is not None:
            return _given(known(t, axis), out)
        rows = t.unbind(axis)
        found = [rows[0]]
        for row in rows[1:]:
            found.append(_binary(self.__name__, _wrap(found[-1]), _wrap(row)))
        return _given(torch.stack(found, axis), out)

    def outer(self, a, b):
        a, b = _as_tensor(a), _as_tensor(b)
        return result(self._function(_wrap(a.reshape(*a.shape, *[1] * b.dim())), _wrap(b)))

    def at(self, a, indices, b=None):
        at = indices if isinstance(indices, tuple) else (indices,)
        at = tuple(_as_tensor(i).to(torch.int64) for i in at)
        if self.__name__ not in ("add", "subtract") or a._t.dtype is torch.bool:
            return self._at_each(a, at, b)
        values = _as_tensor(b).to(a._t.dtype)
        if self.__name__ == "subtract":
            values = -values
        a._t.index_put_(at, values, accumulate=True)

    def _at_each(self, a, at, b):
        """One place after the other, where a place may come again."""
        at = torch.broadcast_tensors(*at)
        count = at[0].numel()
        places = list(zip(*[i.reshape(-1).tolist() for i in at]))
        if b is not None:
            rest = tuple(a._t.shape[len(at):])
            values = _as_tensor(b)
            values = values.expand(tuple(at[0].shape) + rest).reshape((count,) + rest)
        turns, seen = [], {}
        for k, place in enumerate(places):
            place = tuple(i % n for i, n in zip(place, a._t.shape))
            turn = seen[place] = seen.get(place, -1) + 1
            if turn == len(turns):
                turns.append([])
            turns[turn].append(k)
        for turn in turns:
            picked = tuple(i.reshape(-1)[turn] for i in at)
            part = _wrap(a._t[picked])
            made = self(part) if b is None else self(part, _wrap(values[turn]))
            held = a._t[picked].clone()
            _wrap(held)._write(_as_tensor(made))
            a._t[picked] = held


_short.of_class(ufunc)


def _left_out(name, a, mask):
    """An operand, where what the mask leaves out is replaced by a number that every function is defined for."""
    t = _as_tensor(a)
    safe = torch.tensor(0 if name == "arctanh" else 1, dtype=t.dtype)
    return _wrap(torch.where(mask, t, safe))


_TO_BOOL = frozenset(
    (
        "less", "less_equal", "greater", "greater_equal", "equal", "not_equal", "logical_and", "logical_or",
        "logical_xor", "logical_not", "isnan", "isinf", "isfinite", "signbit",
    )
)
_TO_FLOATS = frozenset(
    (
        "divide", "float_power", "arctan2", "hypot", "logaddexp", "logaddexp2", "copysign", "heaviside",
        "nextafter", "fabs", "sqrt", "cbrt", "exp", "exp2",
        "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "arcsin", "arccos", "arctan", "sinh", "cosh",
        "tanh", "arcsinh", "arccosh", "arctanh", "deg2rad", "rad2deg", "rint",
    )
)
_TO_INTS = frozenset(("bitwise_and", "bitwise_or", "bitwise_xor", "left_shift", "right_shift", "gcd", "lcm", "invert"))
_REDUCED = ("add", "multiply", "maximum", "minimum", "logical_or", "logical_and")
_COMPARISONS = ("equal", "greater", "greater_equal", "less", "less_equal", "not_equal")
_REORDERED = (
    "bitwise_and", "bitwise_or", "bitwise_xor", "fmax", "fmin", "gcd", "hypot", "logaddexp", "logaddexp2", "logical_xor",
)
_ACCUMULATED = {
    "add": lambda t, d: _wide(t, None).cumsum(d),
    "multiply": lambda t, d: _wide(t, None).cumprod(d),
    "maximum": lambda t, d: t.cummax(d).values,
    "minimum": lambda t, d: t.cummin(d).values,
}


def _of_floats(function):
    return lambda x: function(_inexact(_as_tensor(x)))


def _kept(function):
    """Of a tensor function that rounds: ints and bools stay what they are."""

    def operation(x):
        t = _as_tensor(x)
        if t.dtype.is_complex:
            raise _not_for(function.__name__, t, None)
        return function(t) if is_inexact(t) else t.clone()

    return operation


def _no_bools(name, function):
    def operation(x):
        t = _as_tensor(x)
        if t.dtype is torch.bool:
            raise TypeError(f"The numpy boolean {name} is not supported")
        return function(t)

    return operation


def _absolute(x):
    t = _as_tensor(x)
    return t.clone() if t.dtype is torch.bool else t.abs()


def _isclass(function, of_ints):
    def operation(x):
        t = _as_tensor(x)
        return function(t) if is_inexact(t) else torch.full_like(t, of_ints, dtype=torch.bool)

    return operation


def _sign(x):
    t = _as_tensor(x)
    if t.dtype is torch.bool:
        raise UFuncTypeError(
            "ufunc 'sign' did not contain a loop with signature matching types <class 'numpy.dtypes.BoolDType'> -> None"
        )
    if t.dtype.is_complex:
        return torch.where(t != t, t, torch.sgn(t))
    r = torch.sign(t)
    return torch.where(t != t, t, r) if t.dtype.is_floating_point else r


def _invert(x):
    t = _as_tensor(x)
    if is_inexact(t):
        raise TypeError("ufunc 'invert' not supported for the input types")
    return ~t


def _reciprocal(t):
    if is_inexact(t):
        return torch.reciprocal(t)
    if t.dtype is torch.bool:
        raise _missing("float16, which this is of bool (astype() makes it another),")
    if (t == 0).any():
        raise _missing("the reciprocal of an int that is zero")
    return torch.where(t == 1, 1, torch.where(t == -1, -1, 0)).to(t.dtype)


def _cbrt(t):
    root = t.abs().pow(1.0 / 3.0)
    # One step of Newton's makes whole roots whole.
    root = torch.where(root == 0, root, root - (root * root * root - t.abs()) / (3 * root * root))
    return torch.copysign(root, t)


def _positive(x):
    t = _as_tensor(x)
    if t.dtype is torch.bool:
        raise UFuncTypeError("ufunc 'positive' did not contain a loop with signature matching types <class 'numpy.dtypes.BoolDType'> -> None")
    return t.clone()


def _conjugate(x):
    t = _as_tensor(x)
    return t.to(torch.int8) if t.dtype is torch.bool else t.clone() if not t.dtype.is_complex else t.conj_physical()


def _square(t):
    # Bools have no product of their own.
    t = t.to(torch.int8) if t.dtype is torch.bool else t
    return t * t


_UNARY = {
    "negative": _no_bools("negative", torch.neg),
    "positive": _positive,
    "conjugate": _conjugate,
    "absolute": _absolute,
    "fabs": _of_floats(torch.abs),
    "sign": _sign,
    "square": lambda x: _square(_as_tensor(x)),
    "reciprocal": lambda x: _reciprocal(_as_tensor(x)),
    "sqrt": _of_floats(torch.sqrt),
    "cbrt": _of_floats(_cbrt),
    "exp": _of_floats(torch.exp),
    "exp2": _of_floats(torch.exp2),
    "expm1": _of_floats(torch.expm1),
    "log": _of_floats(torch.log),
    "log2": _of_floats(torch.log2),
    "log10": _of_floats(torch.log10),
    "log1p": _of_floats(torch.log1p),
    "sin": _of_floats(torch.sin),
    "cos": _of_floats(torch.cos),
    "tan": _of_floats(torch.tan),
    "arcsin": _of_floats(torch.asin),
    "arccos": _of_floats(torch.acos),
    "arctan": _of_floats(torch.atan),
    "sinh": _of_floats(torch.sinh),
    "cosh": _of_floats(torch.cosh),
    "tanh": _of_floats(torch.tanh),
    "arcsinh": _of_floats(torch.asinh),
    "arccosh": _of_floats(torch.acosh),
    "arctanh": _of_floats(torch.atanh),
    "deg2rad": _of_floats(torch.deg2rad),
    "rad2deg": _of_floats(torch.rad2deg),
    "floor": _kept(torch.floor),
    "ceil": _kept(torch.ceil),
    "trunc": _kept(torch.trunc),
    "rint": _of_floats(torch.round),
    "isnan": _isclass(torch.isnan, False),
    "isinf": _isclass(torch.isinf, False),
    "isfinite": _isclass(torch.isfinite, True),
    "signbit": lambda x: torch.signbit(_as_tensor(x)),
    "logical_not": lambda x: torch.logical_not(_as_tensor(x)),
    "invert": _invert,
}


def _of_two(name):
    return lambda a, b: _binary(name, a, b)


def all_ufuncs():
    """Every ufunc by its name."""
    found = {name: ufunc(name, 2, _of_two(name)) for name in _OPERATIONS}
    for name, function in _UNARY.items():
        found[name] = ufunc(name, 1, function)
    others = {
        "abs": "absolute", "mod": "remainder", "true_divide": "divide", "pow": "power", "bitwise_not": "invert",
        "radians": "deg2rad", "degrees": "rad2deg", "acos": "arccos", "asin": "arcsin", "atan": "arctan",
        "atan2": "arctan2", "acosh": "arccosh", "asinh": "arcsinh", "atanh": "arctanh", "conj": "conjugate",
        "bitwise_left_shift": "left_shift", "bitwise_right_shift": "right_shift",
    }
    for name, same in others.items():
        found[name] = found[same]
    return found
