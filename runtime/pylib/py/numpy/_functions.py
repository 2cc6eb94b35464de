"""Functions that choose, reduce, order and compare."""

from _refused import refused
import functools
import math
import torch
from torch import _C

from numpy import _errors, _short
from numpy._order import order_of
from numpy._errors import errstate, geterr, geterrcall, seterr, seterrcall
from numpy._array import (
    _as_tensor, _binary, _common, _given, _wrap, array, asarray, dot, is_unsigned, ndarray, reduced, result,
)
from numpy._ops import _axes, _floats, _missing, _no_bool, is_inexact, normalized
from numpy._array import binary as _operation
from numpy._dtypes import ItemDType, NotNumbers, RecordDType, as_dtype, common as _common_dtype, generic, of_torch, promote
from numpy._creation import _extents, linspace, ones_like, tri, zeros_like
from numpy._shapes import *
from numpy._shapes import _together
from numpy._counts import *
from numpy._places import *
from numpy._differences import *
from numpy._quantiles import DISCRETE as _DISCRETE, METHODS as _METHODS, place as _place

_any, _min = any, min


# Choices


def tril_indices(n, k=0, m=None):
    return nonzero(tri(n, m, k, bool))


def triu_indices(n, k=0, m=None):
    return nonzero(_wrap(~tri(n, m, k - 1, bool)._t))


@_short.of_function
def where(condition, x=None, y=None):
    if x is None and y is None:
        if ndim(condition) == 0:
            raise ValueError(
                "Calling nonzero on 0d arrays is not allowed. Use np.atleast_1d(scalar).nonzero() instead. If the context "
                "of this error is of the form `arr[nonzero(cond)]`, just use `arr[cond]`."
            )
        return nonzero(condition)
    if x is None or y is None:
        raise ValueError("either both or neither of x and y should be given")
    if is_unsigned(x) or is_unsigned(y):
        from numpy._unsigned import aligned, result_of

        (a, b), dtype = aligned([x, y])
        t = torch.where(_as_tensor(condition).to(torch.bool), a, b)
        return result_of(t, dtype) if t.dtype is torch.int64 else result(t)
    try:
        a, b = _common(x, y)
    except NotNumbers:
        from numpy._items import where as of_items

        return of_items(condition, x, y)
    return result(torch.where(_as_tensor(condition).to(torch.bool), a, b))


def select(condlist, choicelist, default=0):
    if len(condlist) != len(choicelist):
        raise ValueError("list of cases must be same length as list of conditions")
    if not condlist:
        raise ValueError("select with an empty condition list is not possible")
    for i, condition in enumerate(condlist):
        if _as_tensor(condition).dtype is not torch.bool:
            raise TypeError(f"invalid entry {i} in condlist: should be boolean ndarray")
    chosen = asarray(default)
    for condition, choice in reversed(list(zip(condlist, choicelist))):
        chosen = where(condition, choice, chosen)
    return asarray(chosen)


def _in_mode(at, n, mode):
    """Indices within an extent: by the mode those beyond it are refused, counted on, or the last ones."""
    if mode == "raise":
        return at
    if mode == "wrap":
        return at % n
    if mode == "clip":
        return at.clamp(0, n - 1)
    raise ValueError(f"clipmode must be one of 'clip', 'raise', or 'wrap' (got {mode!r})")


def choose(a, choices, out=None, mode="raise"):
    at = _in_mode(_as_tensor(a), len(choices), mode)
    if ((at < 0) | (at >= len(choices))).any():
        raise ValueError("invalid entry in choice array")
    rows = stack(broadcast_arrays(*choices, a)[:-1])
    at = torch.broadcast_to(at, rows._t.shape[1:])
    return _given(torch.gather(rows._t, 0, at.unsqueeze(0)).squeeze(0), out)


def nonzero(a):
    return asarray(a).nonzero()


def argwhere(a):
    return _wrap(torch.nonzero(_as_tensor(a)))


def flatnonzero(a):
    return nonzero(ravel(a))[0]


def count_nonzero(a, axis=None, *, keepdims=False):
    r = reduced("add", _wrap(_as_tensor(a) != 0), axis, None, None, keepdims)
    return r


def take(a, indices, axis=None, out=None, mode="raise"):
    if out is not None:
        raise refused("numpy.take", "out")
    a = asarray(a)
    if mode != "raise":
        indices = _wrap(_in_mode(_as_tensor(indices), a.size if axis is None else a.shape[axis], mode))
    return a.take(indices, axis)


def take_along_axis(arr, indices, axis=-1):
    at = _as_tensor(indices)
    if at.is_floating_point() or at.dtype is torch.bool:
        raise IndexError("`indices` must be an integer array")
    return _wrap(torch.gather(_as_tensor(arr), axis, at.to(torch.int64)))


def put_along_axis(arr, indices, values, axis):
    at = _as_tensor(indices).to(torch.int64)
    arr._t.scatter_(axis, at, _as_tensor(values).to(arr._t.dtype).expand(at.shape))


def compress(condition, a, axis=None, out=None):
    if out is not None:
        raise refused("numpy.compress", "out")
    t = _as_tensor(a)
    if axis is None:
        t, axis = t.reshape(-1), 0
    at = _as_tensor(condition).to(torch.bool).nonzero().reshape(-1)
    return _wrap(t.index_select(axis, at))


def extract(condition, arr):
    return _wrap(_as_tensor(arr).reshape(-1)[_as_tensor(condition).to(torch.bool).reshape(-1).nonzero().reshape(-1)])


def place(arr, mask, vals):
    at = _as_tensor(mask).to(torch.bool)
    if at.numel() != arr._t.numel():
        raise ValueError("place: mask and data must be the same size")
    at = at.reshape(arr._t.shape)
    values, n = _as_tensor(vals).reshape(-1), int(at.sum())
    if n == 0:
        return
    if values.numel() == 0:
        raise ValueError("Cannot insert from an empty array!")
    # The values again and again, as often as is needed.
    arr[_wrap(at)] = _wrap(values.repeat(-(-n // values.numel()))[:n])


def copyto(dst, src, casting="same_kind", where=True):
    if casting != "same_kind":
        raise refused("numpy.copyto", "casting")
    if where is not True:
        src = _wrap(torch.where(_as_tensor(where), _as_tensor(src).to(dst._t.dtype), dst._t))
    dst[...] = src


def ix_(*args):
    n = len(args)
    found = []
    for i, a in enumerate(args):
        t = _as_tensor(a)
        if t.dim() != 1:
            raise ValueError("Cross index must be 1 dimensional")
        if t.dtype is torch.bool:
            t = t.nonzero().reshape(-1)
        found.append(_wrap(t.reshape([-1 if d == i else 1 for d in range(n)])))
    return tuple(found)


def unravel_index(indices, shape, order="C"):
    order = order_of(order, "C")
    if order not in ("C", "F"):
        raise ValueError("only 'C' or 'F' order is permitted")
    t = _as_tensor(indices)
    extents = _extents(shape)
    size = math.prod(extents)
    for i in t[(t < 0) | (t >= size)].reshape(-1).tolist():
        raise ValueError(f"index {i} is out of bounds for array with size {size}")
    found = []
    for n in extents if order == "F" else reversed(extents):
        found.append(result(t % n))
        t = t // n
    return tuple(found if order == "F" else reversed(found))


def ravel_multi_index(multi_index, dims, mode="raise", order="C"):
    if mode != "raise":
        raise refused("numpy.ravel_multi_index", "mode")
    order = order_of(order, "C")
    if order not in ("C", "F"):
        raise ValueError("only 'C' or 'F' order is permitted")
    flat = 0
    places = list(zip(multi_index, dims))
    for i, n in reversed(places) if order == "F" else places:
        flat = _wrap(_binary("add", _wrap(_binary("multiply", flat, n)), i))
    return result(flat._t)


# Reductions


@_short.of_function
def sum(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=True):
    return reduced("add", a, axis, dtype, out, keepdims, initial, where)


def prod(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=True):
    return reduced("multiply", a, axis, dtype, out, keepdims, initial, where)


@_short.of_function
def max(a, axis=None, out=None, keepdims=False, initial=None, where=True):
    return reduced("maximum", a, axis, None, out, keepdims, initial, where)


@_short.of_function
def min(a, axis=None, out=None, keepdims=False, initial=None, where=True):
    return reduced("minimum", a, axis, None, out, keepdims, initial, where)


amax, amin = max, min


@_short.of_function
def any(a, axis=None, out=None, keepdims=False, *, where=True):
    return reduced("logical_or", a, axis, None, out, keepdims, None, where)


@_short.of_function
def all(a, axis=None, out=None, keepdims=False, *, where=True):
    return reduced("logical_and", a, axis, None, out, keepdims, None, where)


def ptp(a, axis=None, out=None, keepdims=False):
    if out is not None:
        raise refused("numpy.ptp", "out")
    return max(a, axis, keepdims=keepdims) - min(a, axis, keepdims=keepdims)


@_short.of_function
def mean(a, axis=None, dtype=None, out=None, keepdims=False, *, where=True):
    return asarray(a).mean(axis, dtype, out, keepdims, where=where)


def var(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, correction=None):
    return asarray(a).var(axis, dtype, out, ddof, keepdims, correction=correction)


def std(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, correction=None):
    return asarray(a).std(axis, dtype, out, ddof, keepdims, correction=correction)


def average(a, axis=None, weights=None, returned=False, *, keepdims=False):
    a = asarray(a)
    if weights is None:
        average = a.mean(axis, keepdims=keepdims)
        found = _as_tensor(average)
        total = result(torch.full_like(found, a.size / found.numel())) if found.numel() else average
    else:
        w = asarray(weights)
        if w.shape != a.shape:
            if w.ndim != 1 or axis is None or w.shape[0] != a.shape[axis]:
                raise TypeError("Axis must be specified when shapes of a and weights differ.")
            at = normalized(axis, a.ndim)
            w = w.reshape([-1 if d == at else 1 for d in range(a.ndim)])
        total = sum(broadcast_to(w, a.shape) if w.shape != a.shape else w, axis, keepdims=keepdims)
        if _any(v == 0 for v in _as_tensor(total).reshape(-1).tolist()):
            raise ZeroDivisionError("Weights sum to zero, can't be normalized")
        average = sum(a * w, axis, keepdims=keepdims) / total
        # The sum of weights is of the dtype of what it divides.
        total = result(_as_tensor(total).to(_as_tensor(average).dtype).expand(_as_tensor(average).shape))
    return (average, total) if returned else average


def median(a, axis=None, out=None, overwrite_input=False, keepdims=False):
    if out is not None:
        raise refused("numpy.median", "out")
    t = _as_tensor(a)
    return quantile(_wrap(t.to(torch.float64)) if t.dtype is torch.bool else a, 0.5, axis, keepdims=keepdims)


def _kept_dims(r, t, axes, keepdims):
    return r.reshape([1 if d in axes else n for d, n in enumerate(t.shape)]) if keepdims else r


def quantile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False):
    if out is not None:
        raise refused("numpy.quantile", "out")
    t, weak = _as_tensor(a), type(q) in (int, float)
    q = _as_tensor(q)
    # The ends of ints are ints where the share is one, too.
    if t.dtype is torch.bool:
        raise _no_bool("subtract")
    if method not in _METHODS:
        raise ValueError(f"{method!r} is not a valid method. Use one of: {_METHODS!r}")
    discrete = method in _DISCRETE
    t = t if discrete or not (t.is_floating_point() or q.is_floating_point()) else _floats(t)
    if not weak and not discrete and t.is_floating_point() and q.is_floating_point():
        # Shares in an array have a dtype of their own.
        t = t.to(torch.promote_types(t.dtype, q.dtype))
    if ((q < 0) | (q > 1)).any():
        raise ValueError("Quantiles must be in the range [0, 1]")
    axes = _axes(axis, t.dim())
    kept = [d for d in range(t.dim()) if d not in axes]
    rows = t.permute(*kept, *axes)
    rows = rows.reshape(*rows.shape[: len(kept)], -1).sort(-1).values
    found = []
    for share in q.reshape(-1).tolist():
        if rows.shape[-1] == 0:
            found.append(_kept_dims(torch.full(rows.shape[:-1], math.nan, dtype=t.dtype), t, axes, keepdims))
            continue
        low, part = _place(method, rows.shape[-1], share)
        if not t.is_floating_point():
            found.append(_kept_dims(rows[..., low], t, axes, keepdims))
            continue
        below, above = rows[..., low], rows[..., _min(low + 1, rows.shape[-1] - 1)]
        # From the nearer end, as NumPy does it.
        between = below + (above - below) * part if part < 0.5 else above - (above - below) * (1 - part)
        between = torch.where(rows[..., -1].isnan(), rows[..., -1], between)
        found.append(_kept_dims(between, t, axes, keepdims))
    return result(torch.stack(found).reshape([*q.shape, *found[0].shape]))


def percentile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False):
    q = q / 100 if type(q) in (int, float) else asarray(q) / 100
    return quantile(a, q, axis, out, overwrite_input, method, keepdims)


@_short.of_function
def argmax(a, axis=None, out=None, *, keepdims=False):
    if out is not None:
        raise refused("numpy.argmax", "out")
    return asarray(a).argmax(axis, keepdims=keepdims)


@_short.of_function
def argmin(a, axis=None, out=None, *, keepdims=False):
    if out is not None:
        raise refused("numpy.argmin", "out")
    return asarray(a).argmin(axis, keepdims=keepdims)


def _without_nan(a, value):
    t = _as_tensor(a)
    return _wrap(torch.where(t.isnan(), torch.tensor(value, dtype=t.dtype), t)) if t.is_floating_point() else _wrap(t)


def nansum(a, axis=None, dtype=None, out=None, keepdims=False):
    return sum(_without_nan(a, 0.0), axis, dtype, out, keepdims)


def nanmax(a, axis=None, out=None, keepdims=False):
    return _best_number(a, max, -math.inf, axis, out, keepdims)


def nanmin(a, axis=None, out=None, keepdims=False):
    return _best_number(a, min, math.inf, axis, out, keepdims)


def _best_number(a, best, worst, axis, out, keepdims):
    found = best(_without_nan(a, worst), axis, out, keepdims)
    t = _as_tensor(a)
    if not t.is_floating_point():
        return found
    lost = _as_tensor(all(_wrap(t.isnan()), axis=axis, keepdims=keepdims))
    if lost.any():
        _errors.warn("All-NaN slice encountered")
        found = result(_as_tensor(found).masked_fill(lost, math.nan))
        if out is not None:
            out[...] = found
            return out
    return found


def _numbers(a, axis, keepdims):
    t = _as_tensor(a)
    known = ~t.isnan() if t.is_floating_point() else torch.ones_like(t, dtype=torch.bool)
    return sum(_wrap(known), axis, keepdims=keepdims)


def nanmean(a, axis=None, dtype=None, out=None, keepdims=False):
    if out is not None:
        raise refused("numpy.nanmean", "out")
    total, count = _as_tensor(nansum(a, axis, dtype, None, keepdims)), _as_tensor(_numbers(a, axis, keepdims))
    if (count == 0).any():
        _errors.warn("Mean of empty slice")
    if dtype is not None and not total.is_floating_point():
        return result((total / count).to(as_dtype(dtype)._torch))
    return result(_floats(total) / count)


def nanvar(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False):
    if dtype is not None:
        raise refused("numpy.nanvar", "dtype")
    if out is not None:
        raise refused("numpy.nanvar", "out")
    t = _floats(_as_tensor(a))
    counts = _as_tensor(_numbers(a, axis, True))
    centred = t - _as_tensor(nansum(_wrap(t), axis, keepdims=True)) / counts
    # Only what was no number is left out: what becomes none is not.
    centred = torch.where(t.isnan(), torch.zeros_like(t), centred)
    total = _as_tensor(sum(_wrap(centred * centred), axis, keepdims=keepdims))
    left = _as_tensor(_numbers(a, axis, keepdims)) - ddof
    if (left <= 0).any():
        _errors.warn("Degrees of freedom <= 0 for slice.")
    return result(total / left)


def nanstd(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False):
    r = nanvar(a, axis, dtype, out, ddof, keepdims)
    return result(_as_tensor(r).sqrt())


def nanargmax(a, axis=None):
    _some_number(a, axis)
    return argmax(_without_nan(a, -math.inf), axis)


def nanargmin(a, axis=None):
    _some_number(a, axis)
    return argmin(_without_nan(a, math.inf), axis)


def _some_number(a, axis):
    t = _as_tensor(a)
    if t.is_floating_point() and all(_wrap(torch.isnan(t)), axis=axis).any():
        raise ValueError("All-NaN slice encountered")


def nan_to_num(x, copy=True, nan=0.0, posinf=None, neginf=None):
    changed = result(torch.nan_to_num(_as_tensor(x), nan, posinf, neginf))
    if not copy and isinstance(x, ndarray):
        x[...] = changed
        return x
    return changed


def cumsum(a, axis=None, dtype=None, out=None):
    return asarray(a).cumsum(axis, dtype, out)


def cumprod(a, axis=None, dtype=None, out=None):
    return asarray(a).cumprod(axis, dtype, out)


def trapezoid(y, x=None, dx=1.0, axis=-1):
    return result(torch.trapezoid(_floats(_as_tensor(y)), None if x is None else _floats(_as_tensor(x)), dim=axis)
                  if x is not None else torch.trapezoid(_floats(_as_tensor(y)), dx=dx, dim=axis))


def round(a, decimals=0, out=None):
    return asarray(a).round(decimals, out)


around = round


def fix(x):
    t = _as_tensor(x)
    return result(torch.trunc(t) if t.is_floating_point() else t.clone())


@_short.of_function
def clip(a, a_min=None, a_max=None, out=None, *, min=None, max=None):
    return asarray(a).clip(min if a_min is None else a_min, max if a_max is None else a_max, out)


def real(a):
    try:
        return a.real
    except AttributeError:
        return asarray(a).real


def imag(a):
    try:
        return a.imag
    except AttributeError:
        return asarray(a).imag


def angle(z, deg=False):
    t = _as_tensor(z)
    t = torch.angle(t if is_inexact(t) else t.to(torch.float64))
    return result(t * (180.0 / math.pi) if deg else t)


def isreal(a):
    t = _as_tensor(a)
    return result(t.imag == 0 if t.dtype.is_complex else torch.ones_like(t, dtype=torch.bool))


def iscomplex(a):
    t = _as_tensor(a)
    return result(t.imag != 0 if t.dtype.is_complex else torch.zeros_like(t, dtype=torch.bool))


def iscomplexobj(a):
    return asarray(a).dtype.kind == "c"


def isrealobj(a):
    return not iscomplexobj(a)


def real_if_close(a, tol=100):
    a = asarray(a)
    if a.dtype.kind != "c":
        return a
    if tol > 1:
        tol = tol * (2.0**-23 if a.dtype.itemsize == 8 else 2.0**-52)
    return a.real if bool((a._t.imag.abs() < tol).all()) else a


def isscalar(x):
    return isinstance(x, (int, float, complex, str, bytes, generic))


def isposinf(x, out=None):
    return _given(_binary("equal", x, math.inf), out)


def isneginf(x, out=None):
    return _given(_binary("equal", x, -math.inf), out)


def sinc(x):
    return result(torch.sinc(_floats(_as_tensor(x))))


def convolve(a, v, mode="full"):
    if mode not in ("valid", "same", "full"):
        raise ValueError(f"mode must be one of 'valid', 'same', or 'full' (got '{mode}')")
    a, v = _common(a, v)
    for name, t in (("a", a), ("v", v)):
        if t.numel() == 0:
            raise ValueError(f"{name} cannot be empty")
    if v.shape[0] > a.shape[0]:
        a, v = v, a
    n, m = a.shape[0], v.shape[0]
    whole = torch.zeros(n + m - 1, dtype=a.dtype)
    for i, weight in enumerate(v.tolist()):
        whole[i : i + n] += a * weight
    if mode == "full":
        return _wrap(whole)
    first, count = ((m - 1) // 2, n) if mode == "same" else (m - 1, n - m + 1)
    return _wrap(whole[first : first + count].clone())


def correlate(a, v, mode="valid"):
    return convolve(a, flip(v), mode)


def bincount(x, weights=None, minlength=0):
    w = None if weights is None else _as_tensor(weights).to(torch.float64)
    return _wrap(torch.bincount(_as_tensor(x).to(torch.int64), w, minlength))


# Sets and order


def sort(a, axis=-1, kind=None, order=None):
    if order is not None:
        if not isinstance(asarray(a).dtype, RecordDType):
            raise ValueError("Cannot specify order when the array has no fields.")
        a = asarray(a).copy()
        a.sort(axis, kind, order)
        return a
    if type(a) is not ndarray and not is_unsigned(a):
        a = asarray(a)
    if is_unsigned(a) or isinstance(a.dtype, (ItemDType, RecordDType)):
        a, axis = (a.copy(), axis) if axis is not None else (a.ravel().copy(), 0)
        a.sort(axis)
        return a
    t = _as_tensor(a)
    if axis is None:
        t, axis = t.reshape(-1), 0
    axis = normalized(axis, t.dim())
    return _wrap(torch.sort(t, dim=axis, stable=True).values)


def argsort(a, axis=-1, kind=None, order=None):
    if order is not None:
        if not isinstance(asarray(a).dtype, RecordDType):
            raise ValueError("Cannot specify order when the array has no fields.")
        return asarray(a).argsort(axis, kind, order)
    return asarray(a).argsort(axis)


def lexsort(keys, axis=-1):
    order = None
    for key in keys:
        try:
            t = _as_tensor(key)
        except NotNumbers:
            # Which of the values in order it is.
            from numpy._counts import unique

            t = unique(key, return_inverse=True)[1]._t
        if t.dim() > 1:
            raise _missing("lexsort of keys of more than one dimension")
        normalized(axis, 1)
        again = torch.sort(t if order is None else t[order], stable=True).indices
        order = again if order is None else order[again]
    return _wrap(order)


def partition(a, kth, axis=-1):
    return sort(a, axis)


def argpartition(a, kth, axis=-1):
    return argsort(a, axis)


def isin(element, test_elements, assume_unique=False, invert=False):
    if is_unsigned(element) or is_unsigned(test_elements):
        from numpy._unsigned import aligned

        (a, b), _ = aligned([element, test_elements])
    else:
        try:
            a, b = _common(element, list(test_elements) if isinstance(test_elements, (set, frozenset)) else test_elements)
        except NotNumbers:
            from numpy._items import isin as of_items

            return of_items(element, test_elements, invert)
    found = torch.isin(a, b.reshape(-1))
    return _wrap(~found if invert else found)


in1d = isin


def union1d(ar1, ar2):
    return unique(concatenate([ravel(ar1), ravel(ar2)]))


def setdiff1d(ar1, ar2, assume_unique=False):
    a = asarray(ar1).ravel() if assume_unique else unique(ar1)
    return a[~isin(a, ar2)]


# Products


def inner(a, b, /):
    a, b = asarray(a), asarray(b)
    if a.ndim == 0 or b.ndim == 0:
        return a * b
    return result(_as_tensor(tensordot(a, b, ([-1], [-1]))))


def outer(a, b, out=None):
    return _given(_binary("multiply", _wrap(_as_tensor(a).reshape(-1, 1)), _wrap(_as_tensor(b).reshape(-1))), out)


def vdot(a, b):
    return dot(ravel(a).conj(), ravel(b))


def kron(a, b):
    return result(torch.kron(*_common(a, b)))


def cross(a, b, axisa=-1, axisb=-1, axisc=-1, axis=None):
    if axis is not None:
        axisa = axisb = axisc = axis
    a, b = _common(a, b)
    a, b = a.movedim(axisa, -1), b.movedim(axisb, -1)
    if a.shape[-1] not in (2, 3) or b.shape[-1] not in (2, 3):
        raise ValueError("incompatible dimensions for cross product\n(dimension must be 2 or 3)")
    if a.shape[-1] == b.shape[-1] == 2:
        _errors.deprecated("Arrays of 2-dimensional vectors are deprecated. Use arrays of 3-dimensional vectors instead. (deprecated in NumPy 2.0)")
        return _wrap(a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0])
    a, b = [torch.nn.functional.pad(t, (0, 3 - t.shape[-1])) for t in (a, b)]
    return result(torch.linalg.cross(*torch.broadcast_tensors(a, b), dim=-1).movedim(-1, axisc))


def tensordot(a, b, axes=2):
    a, b = _common(a, b)
    if isinstance(axes, int):
        return _wrap(torch.tensordot(a, b, axes))
    left, right = axes
    left = [left] if isinstance(left, int) else list(left)
    right = [right] if isinstance(right, int) else list(right)
    return _wrap(torch.tensordot(a, b, ([d % a.dim() for d in left], [d % b.dim() for d in right])))


def einsum(subscripts, *operands, out=None, optimize=False):
    if not isinstance(subscripts, str):
        return _given(torch.einsum(*_by_numbers(subscripts, operands)), out)
    return _given(torch.einsum(subscripts, *_together(operands)), out)


def _by_numbers(first, rest):
    """Operands and the numbers of their axes, each by the other."""
    given = (first, *rest)
    if len(given) % 2:
        *given, left = given
    else:
        left = None
    operands, axes = _together(given[::2]), given[1::2]
    parts = [p for t, names in zip(operands, axes) for p in (t, list(names))]
    return parts if left is None else [*parts, list(left)]


def cov(m, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None):
    t = _as_tensor(m).to(torch.float64)
    t = t.unsqueeze(0) if t.dim() == 1 else t
    if y is not None:
        t = torch.cat([t, _as_tensor(y).to(torch.float64).reshape(1, -1)])
    t = t if rowvar else t.t()
    ddof = (0 if bias else 1) if ddof is None else ddof
    if fweights is not None or aweights is not None:
        return _weighted_cov(t, ddof, fweights, aweights)
    centred = t - t.mean(1, keepdim=True)
    left = t.shape[1] - ddof
    if left <= 0:
        _errors.warn("Degrees of freedom <= 0 for slice")
    return _wrap((centred @ centred.t() / (left if left > 0 else 0.0)).squeeze())


def _weighted_cov(t, ddof, fweights, aweights):
    counts = torch.ones(t.shape[1], dtype=torch.float64) if fweights is None else _as_tensor(fweights).to(torch.float64)
    if fweights is not None and (counts != counts.round()).any():
        raise TypeError("fweights must be integer")
    for weights, name in ((fweights, "fweights"), (aweights, "aweights")):
        if weights is not None and asarray(weights).ndim > 1:
            raise RuntimeError(f"cannot handle multidimensional {name}")
        if weights is not None and asarray(weights).shape[0] != t.shape[1]:
            raise RuntimeError(f"incompatible numbers of samples and {name}")
        if weights is not None and (_as_tensor(weights) < 0).any():
            raise ValueError(f"{name} cannot be negative")
    w = counts if aweights is None else counts * _as_tensor(aweights).to(torch.float64)
    total = w.sum()
    centred = t - ((t * w).sum(1) / total).unsqueeze(1)
    if ddof == 0:
        left = total
    elif aweights is None:
        left = total - ddof
    else:
        left = total - ddof * (w * _as_tensor(aweights).to(torch.float64)).sum() / total
    if left <= 0:
        _errors.warn("Degrees of freedom <= 0 for slice")
        left = left * 0.0
    return _wrap(((centred * w) @ centred.t() / left).squeeze())


def corrcoef(x, y=None, rowvar=True):
    c = _as_tensor(cov(x, y, rowvar))
    if c.dim() == 0:
        return result(c / c)
    scale = c.diagonal().sqrt()
    rows = c / scale.unsqueeze(1)
    _errors.of_result("divide", rows, c, scale.unsqueeze(1))
    both = rows / scale
    _errors.of_result("divide", both, rows, scale)
    return result(both.clamp(-1, 1))


def polyval(p, x):
    y = zeros_like(x)
    for coefficient in asarray(p):
        y = y * x + coefficient
    return y


def vander(x, N=None, increasing=False):
    t = _as_tensor(x)
    if t.dim() != 1:
        raise ValueError("x must be a one-dimensional array or sequence.")
    powers = torch.arange(t.numel() if N is None else N)
    if not t.is_complex():
        t = t.to(torch.float64 if t.is_floating_point() else torch.int64)
    return _wrap(t.unsqueeze(1) ** (powers if increasing else powers.flip(0)))


# Comparison


def isclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    a, b = (_floats(t) for t in _common(a, b))
    close = (a - b).abs() <= atol + rtol * b.abs()
    close = (close & b.isfinite()) | (a == b)
    if equal_nan:
        close = close | (a.isnan() & b.isnan())
    return result(close)


def allclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    return bool(all(isclose(a, b, rtol, atol, equal_nan)))


def array_equal(a1, a2, equal_nan=False):
    a, b = asarray(a1), asarray(a2)
    if a.shape != b.shape:
        return False
    same = _as_tensor(a == b)
    if equal_nan and is_inexact(a._t) and is_inexact(b._t):
        same = same | (a._t.isnan() & b._t.isnan())
    return bool(same.all())


def array_equiv(a1, a2):
    return bool(all(asarray(a1) == asarray(a2)))


def result_type(*arrays_and_dtypes):
    if not arrays_and_dtypes:
        raise ValueError("at least one array or dtype is required")
    found = None
    for x in arrays_and_dtypes:
        if isinstance(x, (ndarray, generic)) or not isinstance(x, (int, float)):
            kind = x.dtype if isinstance(x, (ndarray, generic)) else as_dtype(x)
            found = kind if found is None else _common_dtype(found, kind)
    # Python's own numbers take the dtype of what is beside them.
    for x in arrays_and_dtypes:
        if isinstance(x, (int, float)) and not isinstance(x, generic):
            if found is None:
                found = of_torch(_as_tensor(x).dtype)
            elif type(x) is float and found.kind != "f":
                found = as_dtype(float)
            elif type(x) is int and found.kind == "b":
                found = as_dtype(int)
    return found


def min_scalar_type(a, /):
    if isinstance(a, (ndarray, generic)):
        if isinstance(a, ndarray) and a.ndim:
            return a.dtype
        a = a.item()
    if isinstance(a, bool):
        return as_dtype(bool)
    if not isinstance(a, int):
        raise _missing("min_scalar_type of a float")
    for kind in "u" if a >= 0 else "i":
        for size in (1, 2, 4, 8):
            d = as_dtype(f"{kind}{size}")
            if d._low <= a <= d._high:
                return d
    raise _missing("min_scalar_type of an int of more than 64 bits")


def divmod(x1, x2):
    """Quotients, rounded down, and remainders."""
    return _operation("floor_divide", x1, x2), _operation("remainder", x1, x2)


def iterable(x):
    try:
        iter(x)
    except TypeError:
        return False
    return True


def apply_along_axis(func1d, axis, arr, *args, **kwargs):
    a = asarray(arr)
    at = normalized(axis, a.ndim)
    rows = moveaxis(a, at, -1)
    outer_shape = rows.shape[:-1]
    found = [asarray(func1d(_wrap(row), *args, **kwargs)) for row in rows._t.reshape(-1, rows.shape[-1])]
    t = torch.stack([f._t for f in found]).reshape(*outer_shape, *found[0].shape)
    return result(t) if found[0].ndim == 0 else _wrap(t.movedim(-1, at))


class vectorize:
    """A function of numbers, for arrays."""

    def __init__(self, pyfunc, otypes=None, doc=None, excluded=None, cache=False, signature=None):
        if signature is not None:
            raise refused("numpy.vectorize", "signature")
        self.pyfunc, self.otypes, self.excluded, self.cache = pyfunc, otypes, set(excluded or ()), cache
        self.__doc__ = pyfunc.__doc__ if doc is None else doc

    def __call__(self, *args, **kwargs):
        given = {**dict(enumerate(args)), **kwargs}
        moving = [name for name in given if name not in self.excluded]
        if not moving:
            return self.pyfunc(*args, **kwargs)
        arrays = broadcast_arrays(*[given[name] for name in moving])
        shape = arrays[0].shape
        if not arrays[0].size and self.otypes is None:
            raise ValueError("cannot call `vectorize` on size 0 inputs unless `otypes` is set")
        kinds = self.otypes
        if kinds is None:
            # The first elements tell the dtypes, as scalars; all are called for as Python's own numbers.
            found = self._of_one({**given, **dict(zip(moving, [a.reshape(-1)[0] for a in arrays]))})
            kinds = [asarray(x).dtype for x in (found if isinstance(found, tuple) else (found,))]
            kinds = [str if kind.kind == "U" else kind for kind in kinds]
        rows = zip(*[a.reshape(-1).tolist() for a in arrays])
        if kinds is not self.otypes and self.cache:
            next(rows)
            values = [found, *[self._of_one({**given, **dict(zip(moving, row))}) for row in rows]]
        else:
            values = [self._of_one({**given, **dict(zip(moving, row))}) for row in rows]
        if not values and len(kinds) == 1 or values and not isinstance(values[0], tuple):
            return self._shaped(values, kinds[0], shape)
        columns = zip(*values) if values else [[] for _ in kinds]
        return tuple([self._shaped(list(column), kind, shape) for column, kind in zip(columns, kinds)])

    def _of_one(self, given):
        in_order = [given.pop(i) for i in sorted(name for name in given if isinstance(name, int))]
        return self.pyfunc(*in_order, **given)

    def _shaped(self, values, kind, shape):
        if as_dtype(kind).kind in "iu":
            values = [int(x) for x in values]
        made = array(values, dtype=kind).reshape(shape)
        return made if made.ndim else made[()]


def ndenumerate(arr):
    a = asarray(arr)
    return iter(list(zip(ndindex(*a.shape), a.reshape(-1))))


def ndindex(*shape):
    if len(shape) == 1 and isinstance(shape[0], tuple):
        shape = shape[0]
    found = [()]
    for n in shape:
        found = [(*front, i) for front in found for i in range(n)]
    return iter(found)


def may_share_memory(a, b, max_work=None):
    return _C._storage_id(a._t) == _C._storage_id(b._t)


shares_memory = may_share_memory
