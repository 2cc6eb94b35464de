"""Functions that fewer scripts ask for; `numpy` loads them when one of them is used."""

import itertools
import math
import torch

from numpy import _print
from numpy._array import _as_tensor, _given, _wrap, array, asarray, result
from numpy._dtypes import of_torch
from numpy._functions import (
    _without_nan, apply_along_axis, cumprod, cumsum, histogram, iterable, median, nonzero, prod, quantile, unique,
)
from numpy._ops import _floats, _missing, is_inexact, normalized
from numpy._shapes import broadcast_arrays, broadcast_shapes, broadcast_to, split

# Windows


def _window(M, values):
    if M < 1:
        return array([])
    if M == 1:
        return _wrap(torch.ones(1, dtype=torch.float64))
    return _wrap(values(torch.arange(1 - M, M, 2, dtype=torch.float64)))


def bartlett(M):
    return _window(M, lambda n: torch.where(n <= 0, 1 + n / (M - 1), 1 - n / (M - 1)))


def blackman(M):
    return _window(
        M, lambda n: 0.42 + 0.5 * torch.cos(math.pi * n / (M - 1)) + 0.08 * torch.cos(2.0 * math.pi * n / (M - 1))
    )


def hamming(M):
    return _window(M, lambda n: 0.54 + 0.46 * torch.cos(math.pi * n / (M - 1)))


def hanning(M):
    return _window(M, lambda n: 0.5 + 0.5 * torch.cos(math.pi * n / (M - 1)))


def kaiser(M, beta):
    if M == 1:
        return _wrap(torch.ones(1, dtype=torch.float64))
    alpha = (M - 1) / 2.0
    n = torch.arange(M, dtype=torch.float64)
    top = torch.special.i0(beta * torch.sqrt(1 - ((n - alpha) / alpha) ** 2.0))
    return _wrap(top / torch.special.i0(torch.tensor(float(beta), dtype=torch.float64)))


def i0(x):
    return result(torch.special.i0(_floats(_as_tensor(x)).abs()))


# Numbers as text


def base_repr(number, base=2, padding=0):
    digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    if base > len(digits):
        raise ValueError("Bases greater than 36 not handled in base_repr.")
    if base < 2:
        raise ValueError("Bases less than 2 not handled in base_repr.")
    rest, found = abs(int(number)), []
    while rest:
        found.append(digits[rest % base])
        rest //= base
    if padding:
        found.append("0" * padding)
    if number < 0:
        found.append("-")
    return "".join(reversed(found or "0"))


def binary_repr(num, width=None):
    num = int(num)
    if num >= 0:
        text = format(num, "b")
        if width is not None and len(text) > width:
            raise ValueError(f"Insufficient bit width={width} provided for binwidth={len(text)}")
        return text.zfill(width or 0)
    if width is None:
        return "-" + format(-num, "b")
    needed = len(format(-num - 1, "b")) + 1 if num != -1 else 1
    if needed > width:
        raise ValueError(f"Insufficient bit width={width} provided for binwidth={needed}")
    return format((1 << width) + num, "b")


# Indices


def diag_indices(n, ndim=2):
    return (_wrap(torch.arange(n)),) * ndim


def diag_indices_from(arr):
    shape = asarray(arr).shape
    if len(shape) < 2:
        raise ValueError("input array must be at least 2-d")
    if len(set(shape)) > 1:
        raise ValueError("All dimensions of input must be of equal length")
    return diag_indices(shape[0], len(shape))


def _of_square(arr):
    a = asarray(arr)
    if a.ndim != 2:
        raise ValueError("input array must be 2-d")
    return a.shape


def tril_indices_from(arr, k=0):
    from numpy._functions import tril_indices

    n, m = _of_square(arr)
    return tril_indices(n, k, m)


def triu_indices_from(arr, k=0):
    from numpy._functions import triu_indices

    n, m = _of_square(arr)
    return triu_indices(n, k, m)


def mask_indices(n, mask_func, k=0):
    return nonzero(asarray(mask_func(_wrap(torch.ones(n, n, dtype=torch.int64)), k)) != 0)


class _Index:
    """What stands between brackets, as it is."""

    def __init__(self, maketuple):
        self.maketuple = maketuple

    def __getitem__(self, item):
        return (item,) if self.maketuple and not isinstance(item, tuple) else item


s_, index_exp = _Index(False), _Index(True)


# Shapes


def diagflat(v, k=0):
    return _wrap(torch.diagflat(_as_tensor(v), k))


def dsplit(ary, indices_or_sections):
    if asarray(ary).ndim < 3:
        raise ValueError("dsplit only works on arrays of 3 or more dimensions")
    return split(ary, indices_or_sections, 2)


def unstack(x, /, *, axis=0):
    return tuple([result(t) for t in _as_tensor(x).unbind(axis)])


def matrix_transpose(x, /):
    t = _as_tensor(x)
    if t.dim() < 2:
        raise ValueError(f"Input array must be at least 2-dimensional, but it is {t.dim()}")
    return _wrap(t.transpose(-2, -1))


def resize(a, new_shape):
    new_shape = (new_shape,) if isinstance(new_shape, int) else tuple(new_shape)
    count = math.prod(new_shape)
    if any([n < 0 for n in new_shape]):
        raise ValueError("all elements of `new_shape` must be non-negative")
    t = _as_tensor(a).reshape(-1)
    if not t.numel():
        return _wrap(torch.zeros(new_shape, dtype=t.dtype))
    return _wrap(t.repeat(-(-count // t.numel()) if count else 1)[:count].reshape(new_shape))


def trim_zeros(filt, trim="fb", axis=None):
    t = _as_tensor(filt)
    if t.dim() != 1 or axis is not None:
        raise _missing("trim_zeros of several dimensions")
    places = t.nonzero().reshape(-1)
    if not places.numel():
        first, stop = 0, 0
    else:
        first = int(places[0]) if "f" in trim.lower() else 0
        stop = int(places[-1]) + 1 if "b" in trim.lower() else t.numel()
    found = filt[first:stop]
    return found


def apply_over_axes(func, a, axes):
    found = asarray(a)
    n = found.ndim
    for axis in [axes] if isinstance(axes, int) else axes:
        axis = axis % n
        reduced = asarray(func(found, axis))
        found = reduced if reduced.ndim == n else _wrap(reduced._t.unsqueeze(axis))
    return found


def broadcast(*args):
    """The common shape of arrays, and tuples of their elements."""
    return _Broadcast(args)


class _Broadcast:
    def __init__(self, args):
        self._arrays = broadcast_arrays(*args)
        self.shape = tuple(broadcast_shapes(*[asarray(a).shape for a in args]))
        self.ndim = self.nd = len(self.shape)
        self.size = math.prod(self.shape)
        self.numiter = len(args)

    def __iter__(self):
        return iter(list(zip(*[a.reshape(-1) for a in self._arrays])))


# Writing


def put(a, ind, v, mode="raise"):
    a.put(ind, v, mode)


def putmask(a, mask, values):
    at = _as_tensor(mask).to(torch.bool)
    given = _as_tensor(values).reshape(-1)
    places = at.reshape(-1).nonzero().reshape(-1)
    flat = a._t.reshape(-1).clone()
    flat[places] = given[places % given.numel()].to(flat.dtype)
    a._t.copy_(flat.reshape(a._t.shape))


def piecewise(x, condlist, funclist, *args, **kw):
    a = asarray(x)
    t = a._t
    if not isinstance(condlist, (list, tuple)) or condlist and isinstance(condlist[0], (bool, int)) and t.dim():
        condlist = [condlist]
    conditions = [_as_tensor(c).to(torch.bool).expand(t.shape) for c in condlist]
    if len(funclist) == len(conditions) + 1:
        rest = torch.ones(t.shape, dtype=torch.bool)
        for c in conditions:
            rest = rest & ~c
        conditions.append(rest)
    elif len(funclist) != len(conditions):
        raise ValueError(
            f"with {len(conditions)} condition(s), either {len(conditions)} or {len(conditions) + 1} functions are expected"
        )
    found = torch.zeros_like(t)
    for condition, function in zip(conditions, funclist):
        if callable(function):
            chosen = t[condition]
            if chosen.numel():
                found[condition] = _as_tensor(function(_wrap(chosen), *args, **kw)).to(t.dtype)
        else:
            found[condition] = _as_tensor(function).to(t.dtype)
    return result(found)


# Sums and orders


def cumulative_sum(x, /, *, axis=None, dtype=None, out=None, include_initial=False):
    return _cumulative(cumsum, x, axis, dtype, out, include_initial, 0)


def cumulative_prod(x, /, *, axis=None, dtype=None, out=None, include_initial=False):
    return _cumulative(cumprod, x, axis, dtype, out, include_initial, 1)


def _cumulative(of, x, axis, dtype, out, include_initial, first):
    a = asarray(x)
    if axis is None:
        if a.ndim != 1:
            raise ValueError("For arrays which have more than one dimension ``axis`` argument is required.")
        axis = 0
    found = of(a, axis, dtype)
    if include_initial:
        t = found._t
        shape = list(t.shape)
        shape[axis] = 1
        found = _wrap(torch.cat([torch.full(shape, first, dtype=t.dtype), t], axis))
    return _given(found._t, out)


def nancumsum(a, axis=None, dtype=None, out=None):
    return cumsum(_without_nan(a, 0.0), axis, dtype, out)


def nancumprod(a, axis=None, dtype=None, out=None):
    return cumprod(_without_nan(a, 1.0), axis, dtype, out)


def nanprod(a, axis=None, dtype=None, out=None, keepdims=False):
    return prod(_without_nan(a, 1.0), axis, dtype, out, keepdims)


def _of_numbers(function, a, axis, keepdims, name):
    """What a function makes of the numbers of each row, without the NaNs."""
    t = _as_tensor(a)
    if isinstance(axis, (list, tuple)):
        raise _missing(f"{name} over several axes")

    def one(row):
        kept = row._t[~row._t.isnan()] if row._t.is_floating_point() else row._t
        return function(_wrap(kept)) if kept.numel() else of_torch(_floats(t).dtype).type(math.nan)

    if axis is None:
        found = one(_wrap(t.reshape(-1)))
        if not keepdims:
            return found
        f = _as_tensor(found)
        return _wrap(f.reshape(list(f.shape) + [1] * t.dim()))
    found = apply_along_axis(one, axis, _wrap(t))
    f = _as_tensor(found)
    d = normalized(axis, t.dim())
    if f.dim() == t.dim():
        # Several shares: they come first.
        return _wrap(f.movedim(d, 0).unsqueeze(d + 1) if keepdims else f.movedim(d, 0))
    return _wrap(f.unsqueeze(d)) if keepdims else found


def nanmedian(a, axis=None, out=None, overwrite_input=False, keepdims=False):
    return _given(_as_tensor(_of_numbers(median, a, axis, keepdims, "nanmedian")), out)


def nanquantile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False):
    return _given(_as_tensor(_of_numbers(lambda r: quantile(r, q, method=method), a, axis, keepdims, "nanquantile")), out)


def nanpercentile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False):
    return nanquantile(a, asarray(q) / 100.0, axis, out, overwrite_input, method, keepdims)


def setxor1d(ar1, ar2, assume_unique=False):
    a, b = _members(ar1, assume_unique), _members(ar2, assume_unique)
    values, counts = torch.cat([a, b.to(a.dtype)]).unique(return_counts=True)
    return _wrap(values[counts == 1])


def _members(a, assume_unique):
    t = _as_tensor(a).reshape(-1)
    return t if assume_unique else t.unique()


def sort_complex(a):
    t = _as_tensor(a)
    t = t if t.is_complex() else t.to(torch.complex128)
    rows = t.reshape(-1, t.shape[-1])
    ordered = [sorted(row, key=lambda z: (z.real, z.imag)) for row in rows.tolist()]
    return _wrap(torch.tensor(ordered, dtype=t.dtype).reshape(t.shape))


def unique_values(x):
    return unique(x)


def unwrap(p, discont=None, axis=-1, *, period=2 * math.pi):
    t = _as_tensor(p)
    whole = isinstance(period, int) and not is_inexact(t)
    t = t if whole else _floats(t)
    d = normalized(axis, t.dim())
    step = t.diff(dim=d)
    discont = period / 2 if discont is None else discont
    low = -(period // 2) if whole else -period / 2
    turned = torch.remainder(step - low, period) + low
    if not whole or period % 2 == 0:
        turned = torch.where((turned == low) & (step > 0), -torch.full_like(turned, low), turned)
    correction = torch.where(step.abs() < discont, torch.zeros_like(step), turned - step)
    return _wrap(torch.cat([t.narrow(d, 0, 1), t.narrow(d, 1, t.shape[d] - 1) + correction.cumsum(d)], d))


def vecdot(x1, x2, /, *, axis=-1):
    a, b = _as_tensor(x1), _as_tensor(x2)
    return result(((a.conj() if a.is_complex() else a) * b).sum(axis))


# Histograms


def histogram_bin_edges(a, bins=10, range=None, weights=None):
    return histogram(a, bins, range, None, weights)[1]


def histogram2d(x, y, bins=10, range=None, density=None, weights=None):
    """Counts of pairs, by the edges of both."""
    if not (iterable(bins) and len(bins) in (1, 2)):
        bins = [bins, bins]
    elif len(bins) == 1:
        bins = [bins[0], bins[0]]
    counts, (first, second) = histogramdd([x, y], bins, range, density, weights)
    return counts, first, second


def _counted(n):
    return torch.arange(n).tolist()


def histogramdd(sample, bins=10, range=None, density=None, weights=None):
    if isinstance(sample, (list, tuple)):
        columns = [_floats(_as_tensor(s)).reshape(-1) for s in sample]
    else:
        t = _floats(_as_tensor(sample))
        t = t if t.dim() == 2 else t.reshape(-1, 1)
        columns = [t[:, i] for i in _counted(t.shape[1])]
    n = len(columns)
    bins = [bins] * n if not iterable(bins) else list(bins)
    if len(bins) != n:
        raise ValueError("The dimension of bins must be equal to the dimension of the sample x.")
    ranges = [None] * n if range is None else list(range)
    edges, at = [], None
    inside = torch.ones(len(columns[0]), dtype=torch.bool)
    for column, count, limits in zip(columns, bins, ranges):
        edge = _as_tensor(histogram(_wrap(column), int(count) if not iterable(count) else count, limits)[1]).to(torch.float64)
        place = torch.searchsorted(edge, column.to(torch.float64), right=True) - 1
        place = torch.where(column == edge[-1], edge.numel() - 2, place)
        inside = inside & (place >= 0) & (place < edge.numel() - 1)
        at = place if at is None else at * (edge.numel() - 1) + place
        edges.append(edge)
    shape = [e.numel() - 1 for e in edges]
    counts = torch.zeros(math.prod(shape), dtype=torch.float64)
    amount = torch.ones(int(inside.sum()), dtype=torch.float64) if weights is None else _as_tensor(weights).to(torch.float64)[inside]
    counts = counts.scatter_add(0, at[inside], amount).reshape(shape)
    if density:
        whole = counts.sum()
        for d, e in enumerate(edges):
            widths = e.diff().reshape([-1 if i == d else 1 for i in _counted(n)])
            counts = counts / widths
        counts = counts / whole
    return _wrap(counts), tuple([_wrap(e) for e in edges])


# Bits


def packbits(a, /, axis=None, bitorder="big"):
    if is_inexact(_as_tensor(a)):
        raise TypeError("Expected an input array of integer or boolean data type")
    t = (_as_tensor(a) != 0).to(torch.int64)
    if axis is None:
        t, axis = t.reshape(-1), 0
    t = t.movedim(axis, -1)
    t = torch.nn.functional.pad(t, (0, -t.shape[-1] % 8))
    t = t.reshape(*t.shape[:-1], -1, 8)
    weights = torch.tensor(_weights(bitorder))
    return _wrap((t * weights).sum(-1).to(torch.uint8).movedim(-1, axis))


def _weights(bitorder):
    if bitorder not in ("big", "little"):
        raise ValueError("'order' must be either 'little' or 'big'")
    weights = [128, 64, 32, 16, 8, 4, 2, 1]
    return weights if bitorder == "big" else weights[::-1]


def unpackbits(a, /, axis=None, count=None, bitorder="big"):
    t = _as_tensor(a)
    if t.dtype is not torch.uint8:
        raise TypeError("Expected an input array of unsigned byte data type")
    if axis is None:
        t, axis = t.reshape(-1), 0
    t = t.movedim(axis, -1)
    bits = (t.unsqueeze(-1).to(torch.int64) & torch.tensor(_weights(bitorder))) != 0
    bits = bits.to(torch.uint8).reshape(*t.shape[:-1], -1)
    if count is not None:
        n = bits.shape[-1]
        bits = bits[..., :count] if count <= n else torch.nn.functional.pad(bits, (0, count - n))
    return _wrap(bits.movedim(-1, axis))


# Parts of floats


def modf(x, /):
    t = _floats(_as_tensor(x))
    whole = t.trunc()
    part = torch.where(t.isinf(), torch.zeros_like(t), t - whole)
    return result(torch.copysign(part, t)), result(whole)


def frexp(x, /):
    mantissa, exponent = torch.frexp(_floats(_as_tensor(x)))
    return result(mantissa), result(exponent)


def ldexp(x1, x2, /):
    return result(torch.ldexp(_floats(_as_tensor(x1)), _as_tensor(x2)))


# Questions


def isfortran(a):
    return asarray(a).flags["F_CONTIGUOUS"] and not asarray(a).flags["C_CONTIGUOUS"]


def common_type(*arrays):
    kinds = [_floats(_as_tensor(a)).dtype for a in arrays]
    found = kinds[0]
    for kind in kinds[1:]:
        found = torch.promote_types(found, kind)
    return of_torch(found).type


def isdtype(dtype, kind):
    from numpy._dtypes import as_dtype

    d = as_dtype(dtype)
    kinds = kind if isinstance(kind, tuple) else (kind,)
    known = {
        "bool": "b", "signed integer": "i", "unsigned integer": "u", "integral": "iu", "real floating": "f",
        "complex floating": "c", "numeric": "iufc",
    }
    for k in kinds:
        if isinstance(k, str):
            if k not in known:
                raise ValueError(f"kind argument is a string, but {k!r} is not a known kind name.")
            if d.kind in known[k]:
                return True
        elif d == as_dtype(k):
            return True
    return False


def astype(x, dtype, /, *, copy=True, device=None):
    if device not in ("cpu", None):
        raise ValueError(f'Device not understood. Only "cpu" is allowed, but received: {device}')
    return x.astype(dtype, copy=copy)


def bitwise_count(x):
    t = _as_tensor(x)
    if t.is_floating_point() or t.is_complex():
        raise TypeError("ufunc 'bitwise_count' not supported for the input types")
    t = t.to(torch.int64).abs()
    count = torch.zeros_like(t)
    while bool((t > 0).any()):
        count = count + (t & 1)
        t = t >> 1
    return result(count.to(torch.uint8))


_OPERAND_FLAGS = {"readonly", "readwrite", "writeonly"}


class nditer:
    """Goes through the elements of arrays that are broadcast together."""

    def __init__(self, op, flags=(), op_flags=None, op_dtypes=None, order="K", casting="safe", op_axes=None, itershape=None):
        if op_dtypes is not None or op_axes is not None or itershape is not None or order not in ("K", "C"):
            raise _missing("nditer with dtypes, axes, extents or another order")
        known = ("multi_index", "c_index", "refs_ok", "zerosize_ok", "buffered")
        if any([flag not in known for flag in flags or ()]):
            raise _missing(f"nditer with the flags {list(flags)}")
        if casting not in ("no", "equiv", "safe", "same_kind", "unsafe"):
            raise ValueError(f"casting must be one of 'no', 'equiv', 'safe', 'same_kind', or 'unsafe' (got {casting!r})")
        if {flag for flags in op_flags or () for flag in ([flags] if isinstance(flags, str) else flags)} - _OPERAND_FLAGS:
            raise _missing(f"nditer with operands that are {op_flags}")
        several = isinstance(op, (list, tuple))
        given = [asarray(a) for a in (op if several else [op])]
        self.shape = tuple(broadcast_shapes(*[a.shape for a in given]))
        self.operands = tuple([broadcast_to(a, self.shape) if a.shape != self.shape else a for a in given])
        self._flags, self._single = tuple(flags or ()), not several
        self.ndim, self.itersize, self.nop = len(self.shape), math.prod(self.shape), len(given)
        self._places, self.iterindex = list(itertools.product(*[range(n) for n in self.shape])), 0

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        return False

    def close(self):
        """What is written is written at once."""

    @property
    def finished(self):
        return self.iterindex >= len(self._places)

    @property
    def multi_index(self):
        if "multi_index" not in self._flags:
            raise ValueError("Iterator is not tracking a multi-index")
        return self._places[self.iterindex]

    @property
    def index(self):
        if "c_index" not in self._flags:
            raise ValueError("Iterator does not have an index")
        return self.iterindex

    def iternext(self):
        self.iterindex += 1
        return not self.finished

    def reset(self):
        self.iterindex = 0

    @property
    def value(self):
        at = (*self._places[self.iterindex], Ellipsis)
        found = tuple([a[at] for a in self.operands])
        return found[0] if self._single else found

    def __getitem__(self, i):
        return self.operands[i][(*self._places[self.iterindex], Ellipsis)]

    def __setitem__(self, i, x):
        self.operands[i][self._places[self.iterindex]] = x

    def __len__(self):
        return self.itersize

    def __iter__(self):
        while not self.finished:
            yield self.value
            self.iterindex += 1


def _trimmed(whole, part, trim, min_digits):
    part = part.ljust(min_digits or 0, "0")
    if trim == "k":
        return f"{whole}.{part}"
    part = part.rstrip("0") if not min_digits else part
    return f"{whole}.{part}" if part or trim == "." else f"{whole}.0" if trim == "0" else whole


def format_float_positional(
    x, precision=None, unique=True, fractional=True, trim="k", sign=False, pad_left=None, pad_right=None, min_digits=None
):
    if not fractional:
        raise _missing("format_float_positional(fractional=False)")
    single = _print._narrow(x.dtype) if hasattr(x, "dtype") else ""
    if unique:
        whole, part = _print.positional(float(x), single, precision)
    else:
        whole, _, part = f"{float(x):.{6 if precision is None else precision}f}".partition(".")
    text = _trimmed(whole, part, trim, min_digits)
    text = "+" + text if sign and text[0] != "-" else text
    left, dot, right = text.partition(".")
    if pad_left is not None:
        left = left.rjust(pad_left)
    return left + dot + (right if pad_right is None else right.ljust(pad_right))


def format_float_scientific(
    x, precision=None, unique=True, trim="k", sign=False, pad_left=None, exp_digits=None, min_digits=None
):
    single = _print._narrow(x.dtype) if hasattr(x, "dtype") else ""
    if unique:
        first, rest, exponent = _print.scientific(float(x), single, precision)
    else:
        mantissa, _, power = f"{float(x):.{6 if precision is None else precision}e}".partition("e")
        first, _, rest = mantissa.partition(".")
        exponent = int(power)
    text = _trimmed(first, rest, trim, min_digits) + _print._exponent(exponent, exp_digits or 2)
    text = "+" + text if sign and text[0] != "-" else text
    left, dot, right = text.partition(".")
    return (left if pad_left is None else left.rjust(pad_left)) + dot + right
