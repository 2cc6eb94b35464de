"""Floating point errors: what is warned of, raised or handed to a function where a result is infinite or no number and
its operands do not explain it.

A result is looked at once, by `_C._all_finite`; only where that fails is it asked what happened. So the check is a branch
that compiled code takes for granted.
"""

import contextlib
import contextvars
import math
import sys
import warnings
import torch
from torch import _C

_KINDS = ("divide", "over", "under", "invalid")
_MODES = ("ignore", "warn", "raise", "call", "print", "log")
_TEXTS = {
    "divide": "divide by zero", "over": "overflow", "under": "underflow", "invalid": "invalid value",
}
_BITS = {"divide": 1, "over": 2, "under": 4, "invalid": 8}


class _State:
    """What is to happen where a result is no number, as the short ways in Rust read it.

    `checks`: whether results are looked at; `tiny`: whether small ones may matter to anyone. What is done about them is
    asked of the context, of which every thread and task has its own."""

    def __init__(self):
        self.checks = True
        self.tiny = False

    @property
    def modes(self):
        return _here.get()[0]

    @property
    def call(self):
        return _here.get()[1]

    def ignores(self):
        return all(how == "ignore" for how in self.modes.values())


_here = contextvars.ContextVar(
    "numpy_errstate", default=({"divide": "warn", "over": "warn", "under": "ignore", "invalid": "warn"}, None)
)
state = _State()
_C._watch_results(True)


def _changed(all, divide, over, under, invalid):
    """The modes of the context but for those that are given."""
    new = dict(state.modes)
    for kind, how in (("divide", divide), ("over", over), ("under", under), ("invalid", invalid)):
        how = all if how is None else how
        if how is None:
            continue
        if how not in _MODES:
            raise ValueError(f"invalid error mode {how!r}")
        new[kind] = how
    if new["under"] != "ignore":
        state.tiny = True
    return new


def _checked_call(func):
    if func is not None and not callable(func) and not callable(getattr(func, "write", None)):
        raise ValueError("Python object must be callable or have a callable write method")
    return func


def seterr(all=None, divide=None, over=None, under=None, invalid=None):
    old = state.modes
    _here.set((_changed(all, divide, over, under, invalid), state.call))
    return dict(old)


def geterr():
    return dict(state.modes)


def seterrcall(func):
    old = state.call
    _here.set((state.modes, _checked_call(func)))
    return old


def geterrcall():
    return state.call


_UNSET = object()


class errstate(contextlib.ContextDecorator):
    def __init__(self, *, call=_UNSET, all=None, divide=None, over=None, under=None, invalid=None):
        self._call = call
        self._wanted = (all, divide, over, under, invalid)
        self._token = None

    def _recreate_cm(self):
        all, divide, over, under, invalid = self._wanted
        return errstate(call=self._call, all=all, divide=divide, over=over, under=under, invalid=invalid)

    def __enter__(self):
        if self._token is not None:
            raise TypeError("Cannot enter `np.errstate` twice.")
        call = state.call if self._call is _UNSET else _checked_call(self._call)
        self._token = _here.set((_changed(*self._wanted), call))

    def __exit__(self, *exception):
        _here.reset(self._token)


def deprecated(message):
    """A DeprecationWarning at the line of the script."""
    warn(message, DeprecationWarning)


def warn(message, kind=RuntimeWarning):
    """A warning at the line of the script that called the package."""
    level, frame = 1, sys._getframe(0)
    while frame is not None and _is_inside(frame.f_globals.get("__name__", "")):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, kind, stacklevel=level)


def _is_inside(module):
    return module == "numpy" or module.startswith("numpy.") or module == "contextlib"


def happened(name, kinds):
    """Does what is to be done about errors of an operation."""
    bits = sum(_BITS[kind] for kind in kinds)
    for kind in _KINDS:
        if kind not in kinds:
            continue
        how = state.modes[kind]
        text = f"{_TEXTS[kind]} encountered in {name}"
        if how == "warn":
            warn(text)
        elif how == "raise":
            raise FloatingPointError(text)
        elif how == "print":
            print(f"Warning: {text}", file=sys.stderr)
        elif how == "call":
            if state.call is None:
                raise ValueError(f"python callback specified for {_TEXTS[kind]} (in  {name}) but no function found.")
            state.call(_TEXTS[kind], bits)
        elif how == "log":
            if state.call is None:
                raise ValueError(f"log specified for {_TEXTS[kind]} (in {name}) but no object with write method found.")
            state.call.write(f"Warning: {text}\n")


# Where a finite operand has no finite result, since that grows without bounds beside it.
_POLES = {
    "divide": lambda a, b: b == 0,
    "floor_divide": lambda a, b: b == 0,
    "power": lambda a, b: a == 0,
    "float_power": lambda a, b: a == 0,
    "reciprocal": lambda a: a == 0,
    "log": lambda a: a == 0,
    "log2": lambda a: a == 0,
    "log10": lambda a: a == 0,
    "log1p": lambda a: a == -1,
    "arctanh": lambda a: a.abs() == 1,
}

# Operations whose small results are not exact.
_ROUNDED = frozenset(
    (
        "multiply", "divide", "power", "float_power", "square", "reciprocal", "exp", "exp2", "expm1", "sin", "tan", "arcsin",
        "arctan", "sinh", "tanh", "arctan2", "hypot", "cast",
    )
)


def of_result(name, t, *operands, shown=None):
    """Looks at a tensor that an operation made of others."""
    if state.checks:
        if state.tiny and state.modes["under"] != "ignore" and name in _ROUNDED and t.dtype.is_floating_point:
            _look_for_tiny(name, t, operands, shown)
        if not _C._all_finite(t) and not state.ignores():
            _explain(name, t, operands, shown)


def _as_operands(t, operands):
    return [o if isinstance(o, torch.Tensor) else torch.tensor(o, dtype=t.dtype) for o in operands]


def _explain(name, t, operands, shown):
    operands = _as_operands(t, operands)
    known = torch.ones((), dtype=torch.bool)
    finite = torch.ones((), dtype=torch.bool)
    for o in operands:
        known = known & (o == o)
        finite = finite & torch.isfinite(o)
    kinds = []
    unknown = (t != t) & known
    infinite = torch.isinf(t) & finite
    if infinite.any():
        pole = _POLES.get(name)
        at = pole(*operands) & infinite if pole is not None else torch.zeros((), dtype=torch.bool)
        if at.any():
            kinds.append("divide")
        if (infinite & ~at).any():
            kinds.append("over")
    if unknown.any():
        kinds.append("invalid")
    if kinds:
        happened(shown or name, kinds)


def _look_for_tiny(name, t, operands, shown):
    small = t.abs() < torch.finfo(t.dtype).tiny
    if not small.any():
        return
    operands = _as_operands(t, operands)
    for i, o in enumerate(operands):
        # Of zeros and infinities a zero is exact.
        exact = ~torch.isfinite(o)
        if name in ("divide", "power", "float_power", "arctan2") and i > 0:
            small = small & ~exact
        elif name.startswith("exp") and name != "expm1":
            small = small & ~exact
        else:
            small = small & ~exact & (o != 0)
    if name in ("exp", "exp2", "expm1") and not operands[0].dtype.is_floating_point:
        return
    if small.any():
        happened(shown or name, ["under"])


def of_reduction(name, t, source, axes):
    """Looks at what a sum or product along axes came to."""
    if not state.checks or _C._all_finite(t) or state.ignores():
        return
    axes = tuple(axes)
    if not axes or 0 in source.shape:
        return
    finite = torch.isfinite(source).to(torch.int8)
    known = (source == source).to(torch.int8)
    finite, known = finite.amin(axes).bool(), known.amin(axes).bool()
    t = t.reshape(finite.shape)
    kinds = []
    if (torch.isinf(t) & finite).any():
        kinds.append("over")
    if ((t != t) & known).any():
        kinds.append("invalid")
    if kinds:
        happened(name, kinds)


def of_all(name, t, *sources):
    """Looks at products of matrices and running sums, of which each result may depend on any element."""
    if not state.checks or _C._all_finite(t) or state.ignores():
        return
    kinds = []
    if all(torch.isfinite(s).all() for s in sources) and torch.isinf(t).any():
        kinds.append("over")
    if not any((s != s).any() for s in sources) and (t != t).any():
        kinds.append("invalid")
    if kinds:
        happened(name, kinds)


_RANGES = {
    torch.int8: (2.0**31, -(2.0**31)), torch.int16: (2.0**31, -(2.0**31)), torch.int32: (2.0**31, -(2.0**31)),
    torch.uint8: (2.0**31, -(2.0**31)), torch.int64: (2.0**63, -(2.0**63)),
}


def cast(t, kind):
    """A tensor in another dtype, with an error where that does not hold its numbers."""
    made = t.to(kind)
    if t.dtype.is_complex and not kind.is_complex and kind is not torch.bool:
        from numpy.exceptions import ComplexWarning

        warn("Casting complex values to real discards the imaginary part", ComplexWarning)
    if not state.checks or not (t.dtype.is_floating_point or t.dtype.is_complex):
        return made
    if kind.is_complex:
        before, after = t.element_size() // (2 if t.dtype.is_complex else 1), made.element_size() // 2
        parts = torch.view_as_real(made)
        if after < before and not _C._all_finite(parts):
            of_result("cast", parts, torch.view_as_real(t.to(torch.complex128)))
        return made
    if t.dtype.is_complex:
        t = t.real
    if kind.is_floating_point:
        if made.element_size() < t.element_size():
            of_result("cast", made, t)
    elif kind in _RANGES:
        above, below = _RANGES[kind]
        if not ((t < above) & (t > below - 1)).all():
            happened("cast", ["invalid"])
    return made


def scalar(name, n, *operands):
    """Looks at a float that an operation of scalars made."""
    if not state.checks:
        return n
    if math.isfinite(n):
        small = state.tiny and abs(n) < sys.float_info.min and state.modes["under"] != "ignore"
        if small and name in ("multiply", "divide"):
            if all(math.isfinite(o) for o in operands) and operands[0] != 0 and (name == "divide" or operands[1] != 0):
                happened(f"scalar {name}", ["under"])
    elif n == n:
        if all(math.isfinite(o) for o in operands):
            happened(f"scalar {name}", ["divide" if name in _POLES and operands[-1] == 0 else "over"])
    elif not any(math.isnan(o) for o in operands):
        happened(f"scalar {name}", ["invalid"])
    return n


_EXACT = {
    "add": lambda a, b: a + b, "subtract": lambda a, b: a - b, "multiply": lambda a, b: a * b,
    "floor_divide": lambda a, b: a // b,
}


def of_ints(name, n, a, b):
    """Looks at an int that an operation of scalars made."""
    if not state.checks:
        return
    if b == 0 and name in ("floor_divide", "remainder", "fmod"):
        happened(f"scalar {name}", ["divide"])
    elif name in _EXACT and _EXACT[name](int(a), int(b)) != int(n):
        happened(f"scalar {name}", ["over"])
