"""Functions that make arrays."""

from _refused import refused
import math
import operator
import torch

from numpy import _short
from numpy._order import laid, order_of
from numpy._array import _as_tensor, _binary, _of_dtype, _wrap, array, asarray, is_unsigned, moved, ndarray, result
from numpy._ops import _floats, _missing
from numpy._dtypes import ItemDType, RecordDType, UnsignedDType, as_dtype, generic, promote
from numpy._unsigned import made


def _whole(n):
    """A number of elements: an int, and no float that happens to be one."""
    if not hasattr(n, "__index__"):
        raise TypeError(f"'{_type_name(n)}' object cannot be interpreted as an integer")
    return n.__index__()


def _type_name(n):
    kind = type(n)
    return f"numpy.{kind.__name__}" if isinstance(n, generic) else kind.__name__


def _extents(shape):
    if isinstance(shape, ndarray):
        shape = shape.tolist()
    if isinstance(shape, (tuple, list)):
        extents = [_whole(n) for n in shape]
    elif isinstance(shape, (bool, float)):
        raise TypeError(f"expected a sequence of integers or a single integer, got '{shape!r}'")
    else:
        extents = [_whole(shape)]
    if any(n < 0 for n in extents):
        raise ValueError("negative dimensions are not allowed")
    return extents


def _placed(a, order):
    """A new array in this order."""
    if order_of(order, "C") not in ("C", "F"):
        raise ValueError("only 'C' or 'F' order is permitted")
    return laid(a, order)


@_short.of_function
def zeros(shape, dtype=float, order="C", *, like=None):
    if order != "C":
        return _placed(zeros(shape, dtype, like=like), order)
    if like is not None:
        raise refused("numpy.zeros", "like")
    if isinstance(as_dtype(dtype), (ItemDType, RecordDType)):
        return _blank(shape, dtype, 0)
    return _of_dtype(torch.zeros(_extents(shape), dtype=torch.uint8), dtype)


@_short.of_function
def ones(shape, dtype=None, order="C", *, like=None):
    if order != "C":
        return _placed(ones(shape, dtype, like=like), order)
    if like is not None:
        raise refused("numpy.ones", "like")
    return _of_dtype(torch.ones(_extents(shape), dtype=torch.uint8), dtype)


def empty(shape, dtype=float, order="C", *, like=None):
    if like is not None:
        raise refused("numpy.empty", "like")
    if isinstance(as_dtype(dtype), ItemDType):
        return _blank(shape, dtype, None)
    return zeros(shape, dtype, order)


def _blank(shape, dtype, value):
    if isinstance(as_dtype(dtype), RecordDType):
        from numpy import _records

        return _records.blank(_extents(shape), as_dtype(dtype))
    from numpy._items import blank

    return blank(_extents(shape), as_dtype(dtype), value)


def full(shape, fill_value, dtype=None, order="C", *, like=None):
    if order != "C":
        return _placed(full(shape, fill_value, dtype, like=like), order)
    if like is not None:
        raise refused("numpy.full", "like")
    return _filled(_extents(shape), fill_value, dtype)


def _filled(extents, value, dtype):
    # Floats and complex numbers are converted, and ints have to fit.
    own = dtype is None or isinstance(value, (ndarray, float, complex))
    value = asarray(value) if own else array(value, dtype=dtype)
    if dtype is not None and value.dtype != as_dtype(dtype):
        value = value.astype(dtype)
    if isinstance(value.dtype, ItemDType):
        return value._remade(value._t.expand(extents))
    t = value._t.expand(extents).clone()
    return made(t, value.dtype) if is_unsigned(value) else _wrap(t)


def _shape_like(a, shape):
    return asarray(a)._t.shape if shape is None else _extents(shape)


def _kind_like(a, dtype):
    return _as_tensor(a).dtype if dtype is None else as_dtype(dtype)._torch


def zeros_like(a, dtype=None, order="K", subok=True, shape=None):
    if not subok:
        raise refused("numpy.zeros_like", "subok")
    if isinstance(asarray(a).dtype if dtype is None else as_dtype(dtype), ItemDType):
        return zeros(_shape_like(a, shape), asarray(a).dtype if dtype is None else dtype)
    return laid(_wrap(torch.zeros(_shape_like(a, shape), dtype=_kind_like(a, dtype))), order)


def ones_like(a, dtype=None, order="K", subok=True, shape=None):
    if not subok:
        raise refused("numpy.ones_like", "subok")
    if isinstance(asarray(a).dtype if dtype is None else as_dtype(dtype), ItemDType):
        return full(_shape_like(a, shape), 1, asarray(a).dtype if dtype is None else dtype)
    return laid(_wrap(torch.ones(_shape_like(a, shape), dtype=_kind_like(a, dtype))), order)


empty_like = zeros_like


def full_like(a, fill_value, dtype=None, order="K", subok=True, shape=None):
    if not subok:
        raise refused("numpy.full_like", "subok")
    kind = asarray(a).dtype if dtype is None else dtype
    return laid(_filled(asarray(a).shape if shape is None else _extents(shape), fill_value, kind), order)


def eye(N, M=None, k=0, dtype=float, order="C", *, like=None):
    if order != "C":
        return _placed(eye(N, M, k, dtype, like=like), order)
    if like is not None:
        raise refused("numpy.eye", "like")
    M = N if M is None else M
    if N < 0 or M < 0:
        raise ValueError("negative dimensions are not allowed")
    rows, columns = torch.arange(N).unsqueeze(1), torch.arange(M)
    return _wrap((columns - rows == k).to(as_dtype(dtype)._torch))


def identity(n, dtype=None, *, like=None):
    if like is not None:
        raise refused("numpy.identity", "like")
    return eye(n, dtype=dtype)


def tri(N, M=None, k=0, dtype=float, *, like=None):
    if like is not None:
        raise refused("numpy.tri", "like")
    M = N if M is None else M
    rows, columns = torch.arange(N).unsqueeze(1), torch.arange(M)
    return _wrap((columns - rows <= k).to(as_dtype(dtype)._torch))


def tril(m, k=0):
    return _wrap(torch.tril(_as_tensor(m), k))


def triu(m, k=0):
    return _wrap(torch.triu(_as_tensor(m), k))


def arange(start, stop=None, step=None, dtype=None, *, like=None):
    if like is not None:
        raise refused("numpy.arange", "like")
    if stop is None:
        start, stop = 0, start
    step = 1 if step is None else step
    if dtype is not None and isinstance(as_dtype(dtype), UnsignedDType):
        # Counted from 0, and the first item added where all bits count.
        first, last, step = (operator.index(v) if isinstance(v, int) else v for v in (start, stop, step))
        counted = arange(0, last - first, step)
        low = int(first) - 2**64 if int(first) >= 2**63 else int(first)
        return made(counted._t.to(torch.int64) + low, as_dtype(dtype))
    given = [_as_tensor(v) for v in (start, stop, step)]
    kind = torch.int64
    if dtype is not None:
        kind = as_dtype(dtype)._torch
    elif any(t.dtype.is_complex for t in given):
        raise _missing("arange() of complex numbers")
    elif any(t.dtype.is_floating_point for t in given):
        kind = torch.float64
        if all(isinstance(v, (generic, int)) for v in (start, stop, step)):
            kind = promote(promote(given[0].dtype, given[1].dtype), given[2].dtype)
    start, stop, step = (t.item() for t in given)
    count = max(math.ceil((stop - start) / step), 0)
    if not kind.is_floating_point:
        # NumPy rounds the first two items only.
        start, step = int(start), int(start + step) - int(start)
        return _wrap(torch.arange(count, dtype=torch.int64).mul(step).add(start).to(kind))
    # As NumPy fills it: the distance of the first two items, so often.
    distance = (start + step) - start
    return _wrap((torch.arange(count, dtype=torch.float64) * distance + start).to(kind))


def linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0, *, device=None):
    if device is not None and device != "cpu":
        raise refused("numpy.linspace", "device")
    num = int(num)
    if num < 0:
        raise ValueError(f"Number of samples, {num}, must be non-negative.")
    parts = num - 1 if endpoint else num
    first, last = _floats(_as_tensor(start)), _floats(_as_tensor(stop))
    kind = promote(first.dtype, last.dtype)
    first, last = first.to(torch.float64), last.to(torch.float64)
    distance = last - first
    at = torch.arange(num, dtype=torch.float64).reshape(-1, *[1] * distance.dim())
    step = distance / parts if parts > 0 else distance * math.nan
    y = at * step if parts > 0 and not (step == 0).any() else at / max(parts, 1) * distance
    y = y + first
    if endpoint and num > 1:
        y[-1] = last
    if dtype is not None and as_dtype(dtype).kind in "iu":
        y = y.floor()
    y = y.to(kind if dtype is None else as_dtype(dtype)._torch)
    if axis != 0:
        y = y.movedim(0, axis)
    return (_wrap(y), result(step)) if retstep else _wrap(y)


def logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0):
    y = _wrap(_binary("power", base, linspace(start, stop, num, endpoint, axis=axis)))
    return y if dtype is None else y.astype(dtype)


def geomspace(start, stop, num=50, endpoint=True, dtype=None, axis=0):
    if axis != 0:
        raise refused("numpy.geomspace", "axis")
    y = logspace(math.log10(start), math.log10(stop), num, endpoint)
    if num > 0:
        y[0] = start
        if endpoint and num > 1:
            y[-1] = stop
    return y if dtype is None else y.astype(dtype)


def meshgrid(*xi, copy=True, sparse=False, indexing="xy"):
    if indexing not in ("xy", "ij"):
        raise ValueError("Valid values for `indexing` are 'xy' and 'ij'.")
    given = [moved(x) for x in xi]
    tensors = [t.reshape(-1) for t, _ in given]
    if any([made is not _wrap for _, made in given]):
        tensors = [torch.arange(t.numel()) for t in tensors]
        lines = [made(t.reshape(-1)) for t, made in given]
        return tuple(line[at] for line, at in zip(lines, meshgrid(*tensors, copy=copy, sparse=sparse, indexing=indexing)))
    if sparse:
        n = len(tensors)
        places = [1 - i if indexing == "xy" and i < 2 and n > 1 else i for i in range(n)]
        lines = [t.reshape([-1 if d == place else 1 for d in range(n)]) for t, place in zip(tensors, places)]
        return tuple(_wrap(t.clone() if copy else t) for t in lines)
    if not copy:
        raise refused("numpy.meshgrid", "copy")
    if len(tensors) < 2:
        return tuple(_wrap(t.clone()) for t in tensors)
    places = torch.meshgrid(*[torch.arange(t.numel()) for t in tensors], indexing=indexing)
    return tuple(_wrap(t[at]) for t, at in zip(tensors, places))


def fromfunction(function, shape, *, dtype=float, **kwargs):
    return function(*indices(shape, dtype=dtype), **kwargs)


def indices(dimensions, dtype=int, sparse=False):
    if sparse:
        raise refused("numpy.indices", "sparse")
    grids = torch.meshgrid(*[torch.arange(n) for n in dimensions], indexing="ij")
    return _wrap(torch.stack(grids).to(as_dtype(dtype)._torch))


class _Grid:
    """`mgrid` and `ogrid`."""

    def __init__(self, sparse):
        self._sparse = sparse

    def _line(self, s):
        start = 0 if s.start is None else s.start
        step = 1 if s.step is None else s.step
        if isinstance(step, complex):
            return linspace(start, s.stop, int(abs(step)))
        return arange(start, s.stop, step)

    def __getitem__(self, key):
        if isinstance(key, slice):
            return self._line(key)
        lines = [self._line(s)._t for s in key]
        kind = lines[0].dtype
        for t in lines:
            kind = promote(kind, t.dtype)
        if self._sparse:
            n = len(lines)
            return tuple(_wrap(t.to(kind).reshape([-1 if d == i else 1 for d in range(n)])) for i, t in enumerate(lines))
        return _wrap(torch.stack(torch.meshgrid(*[t.to(kind) for t in lines], indexing="ij")))


mgrid = _Grid(False)
ogrid = _Grid(True)


def ascontiguousarray(a, dtype=None, *, like=None):
    if like is not None:
        raise refused("numpy.ascontiguousarray", "like")
    t = asarray(a, dtype)._t.contiguous()
    return _wrap(t if t.dim() else t.reshape(1))


asanyarray = asarray


def asfortranarray(a, dtype=None, *, like=None):
    if like is not None:
        raise refused("numpy.asfortranarray", "like")
    return asarray(a, dtype).copy("F")


_REQUIREMENTS = {
    **dict.fromkeys(("C", "C_CONTIGUOUS", "CONTIGUOUS"), "C"),
    **dict.fromkeys(("F", "F_CONTIGUOUS", "FORTRAN"), "F"),
    **dict.fromkeys(("A", "ALIGNED"), "A"),
    **dict.fromkeys(("W", "WRITEABLE"), "W"),
    **dict.fromkeys(("O", "OWNDATA"), "O"),
    **dict.fromkeys(("E", "ENSUREARRAY"), "E"),
}


def require(a, dtype=None, requirements=None, *, like=None):
    if like is not None:
        raise refused("numpy.require", "like")
    # All arrays here are aligned and of the one class.
    wanted = {_REQUIREMENTS[r.upper()] for r in requirements or ()}
    if {"C", "F"} <= wanted:
        raise ValueError("Cannot specify both \"C\" and \"F\" order")
    a = asarray(a, dtype, "F" if "F" in wanted else "C" if "C" in wanted else None)
    if ("O" in wanted and not a.flags["OWNDATA"]) or ("W" in wanted and not a.flags["WRITEABLE"]):
        return a.copy("F" if "F" in wanted else "C" if "C" in wanted else "A")
    return a


def fromiter(iterable, dtype, count=-1, *, like=None):
    if like is not None:
        raise refused("numpy.fromiter", "like")
    items = []
    for item in iterable:
        if len(items) == count:
            break
        if isinstance(item, (list, tuple)):
            item = float(item) if as_dtype(dtype)._torch.is_floating_point else int(item)
        elif isinstance(item, ndarray) and item.ndim > 0:
            raise ValueError("setting an array element with a sequence.")
        items.append(item)
    if len(items) < count:
        raise ValueError(f"iterator too short: Expected {count} but iterator had only {len(items)} items.")
    return array(items, dtype=dtype)


def copy(a, order="K", subok=False):
    if subok:
        raise refused("numpy.copy", "subok")
    return array(a, order=order)


def asarray_chkfinite(a, dtype=None, order=None):
    a = asarray(a, dtype, order)
    if a._t.dtype.is_floating_point and not torch.isfinite(a._t).all():
        raise ValueError("array must not contain infs or NaNs")
    return a
