"""Arrays and scalars of the unsigned ints that tensors do not have: uint16, uint32 and uint64.

Their tensors are of int64: one that is not negative for the shorter two, the same bits for uint64. What no rule here
computes is refused.
"""

from _refused import refused
import torch
from torch import _C

from numpy import _errors, _fits
from numpy._apart import Apart
from numpy._array import Operand, _as_tensor, _wrap, array, binary, dot, matmul, ndarray, result
from numpy._dtypes import INT64, UINT64, UnsignedDType, as_dtype, common, generic
from numpy._ops import UFuncTypeError, _missing

_LOWEST = -(2**63)
# Between which floats are converted to a dtype of so many bytes: on the way they are ints of 32 or 64 bits.
_CONVERTED = {2: (-(2.0**31), 2.0**31), 4: (-(2.0**63), 2.0**63), 8: (-(2.0**63), 2.0**64)}


def made(t, dtype):
    """An array of a dtype out of a tensor of ints."""
    a = object.__new__(unsigned)
    if t.dtype.is_floating_point and _errors.state.checks:
        low, above = _CONVERTED[dtype.itemsize]
        if not ((t < above) & (t > low - 1.0)).all():
            _errors.happened("cast", ["invalid"])
    if t.dtype.is_floating_point and dtype.itemsize == 8:
        # What is too large for int64 has the highest bit.
        high = t >= 2.0**63
        t = torch.where(high, torch.where(t < 2.0**64, t - 2.0**64, 0.0), t)
    a._t = t.to(torch.int64) & dtype._high if dtype.itemsize < 8 else t.to(torch.int64)
    a._raw = dtype
    return a


def result_of(t, dtype):
    """An array, or a scalar where there are no dimensions."""
    a = made(t, dtype)
    return a if t.dim() else dtype.type(a.item())


def ordered(a):
    """An array of ints of the same order: the highest bit of uint64 is its sign."""
    return _wrap(a._t ^ _LOWEST) if a.dtype is UINT64 else _wrap(a._t)


def of_ordered(t, dtype):
    """Such ints as the array that they stand for."""
    return made(t ^ _LOWEST if dtype is UINT64 else t, dtype)


def aligned(arrays):
    """The tensors of arrays in the dtype that all of them have together, and that dtype."""
    dtype = None
    for a in arrays:
        own = _dtype_of(a)
        if own is not None:
            dtype = own if dtype is None else common(dtype, own)
    if isinstance(dtype, UnsignedDType):
        return [_work(a, dtype) for a in arrays], dtype
    return [_operand(a, dtype)._t for a in arrays], dtype


def product(function, a, b):
    """A product of arrays, of which one is unsigned: the lowest bits of a sum are those of its parts."""
    tensors, dtype = aligned([a, b])
    found = function(*[_wrap(t) for t in tensors])
    if not isinstance(dtype, UnsignedDType):
        return found
    return made(found._t, dtype) if isinstance(found, ndarray) else dtype.type(int(found) & dtype._high)


def _floats(t, dtype):
    """The float64 values of an array's tensor."""
    f = t.to(torch.float64)
    if dtype is not UINT64:
        return f
    # Half of it, with the lowest bit kept for rounding, is not negative.
    half = ((t >> 1) & ~torch.tensor(_LOWEST)) | (t & 1)
    return torch.where(t < 0, half.to(torch.float64) * 2.0, f)


def _dtype_of(x):
    """Of an operand that has one; None of Python's own numbers, which take the other side's."""
    if type(x) in (int, float, bool):
        return None
    return x.dtype if isinstance(x, (ndarray, generic)) else _wrap(_as_tensor(x)).dtype


def _work(x, dtype):
    """The int64 tensor of an operand in a wide unsigned dtype."""
    if isinstance(x, int) or (isinstance(x, generic) and x.dtype.kind in "biu"):
        n = int(x)
        return torch.tensor(n - 2**64 if n >= 2**63 else n)
    t = x._t if isinstance(x, ndarray) else _as_tensor(x)
    return made(t, dtype)._t


def _operand(x, dtype):
    """An operand in a dtype that tensors have."""
    if isinstance(x, generic) and isinstance(x.dtype, UnsignedDType):
        x = _wrap(torch.tensor(int(x) if int(x) < 2**63 else float(x)))
    return x.astype(dtype) if isinstance(x, (ndarray, generic)) else _wrap(_as_tensor(x)).astype(dtype)


def _below(a, b, dtype):
    """Whether one is less, bit patterns of uint64 included."""
    return (a ^ _LOWEST) < (b ^ _LOWEST) if dtype is UINT64 else a < b


def _divided(a, b, dtype):
    """Quotient and remainder; both are 0 where the divisor is."""
    zero = b == 0
    b = torch.where(zero, torch.ones_like(b), b)
    if dtype is not UINT64:
        q = torch.floor_divide(a, b)
        r = a - q * b
    else:
        # Half of the dividend by what is below 2**63, and one more where what is left is still enough.
        low = torch.where(b < 0, torch.ones_like(b), b)
        q = torch.floor_divide((a >> 1) & ~torch.tensor(_LOWEST), low) << 1
        q = torch.where((a - q * low ^ _LOWEST) >= (low ^ _LOWEST), q + 1, q)
        q = torch.where(b < 0, (~_below(a, b, dtype)).to(torch.int64), q)
        r = a - q * b
    return q.masked_fill(zero, 0), r.masked_fill(zero, 0)


def _shifted(a, n, dtype, left):
    bits = 8 * dtype.itemsize
    far = (n < 0) | (n >= bits)
    n = torch.where(far, torch.zeros_like(n), n)
    if left:
        r = a << n
    else:
        # The sign bit of int64 is a bit like any other.
        once = (a >> 1) & ~torch.tensor(_LOWEST)
        r = torch.where(n > 0, once >> (n - 1).clamp(min=0), a.expand(torch.broadcast_shapes(a.shape, n.shape)))
    return r.masked_fill(far, 0)


_COMPUTED = {
    "add": lambda a, b, d: a + b,
    "subtract": lambda a, b, d: a - b,
    "multiply": lambda a, b, d: a * b,
    "bitwise_and": lambda a, b, d: a & b,
    "bitwise_or": lambda a, b, d: a | b,
    "bitwise_xor": lambda a, b, d: a ^ b,
    "floor_divide": lambda a, b, d: _divided(a, b, d)[0],
    "remainder": lambda a, b, d: _divided(a, b, d)[1],
    "fmod": lambda a, b, d: _divided(a, b, d)[1],
    "power": lambda a, b, d: _power(a, b, d),
    "maximum": lambda a, b, d: torch.where(_below(a, b, d), b, a),
    "minimum": lambda a, b, d: torch.where(_below(a, b, d), a, b),
    "left_shift": lambda a, b, d: _shifted(a, b, d, True),
    "right_shift": lambda a, b, d: _shifted(a, b, d, False),
}

_COMPARED = {
    "less": lambda a, b, d: _below(a, b, d),
    "less_equal": lambda a, b, d: ~_below(b, a, d),
    "greater": lambda a, b, d: _below(b, a, d),
    "greater_equal": lambda a, b, d: ~_below(a, b, d),
    "equal": lambda a, b, d: a == b,
    "not_equal": lambda a, b, d: a != b,
}


def _power(a, b, dtype):
    if (b < 0).any():
        raise _missing("powers of 2**63 and more")
    return torch.pow(a, b)


def known_side(dtype, number, first):
    """How items compare with an int that they cannot be, which stands first or second."""
    above = (number > dtype._high) != first
    return {
        "less": above, "less_equal": above, "greater": not above, "greater_equal": not above, "equal": False,
        "not_equal": True,
    }


def computed(name, a, b):
    """An operation where at least one side is of a wide unsigned dtype."""
    d, e = _dtype_of(a), _dtype_of(b)
    if d is None or e is None:
        own, number = (d, b) if e is None else (e, a)
        if type(number) is float:
            dtype = as_dtype(float)
        elif type(number) is int and not own._low <= number <= own._high:
            if name not in _COMPARED and name != "divide":
                raise OverflowError(f"Python integer {number} out of bounds for {own.name}")
            if name in _COMPARED:
                # All items are on one side of it.
                t = known_side(own, number, a is number)[name]
                return result(torch.full((a if b is number else b).shape, t))
            dtype = INT64 if name in _COMPARED else as_dtype(float)
        else:
            dtype = own
    else:
        dtype = common(d, e)
    if not isinstance(dtype, UnsignedDType):
        return binary(name, _operand(a, dtype), _operand(b, dtype))
    if name == "divide":
        both = (_wrap(_floats(_work(x, dtype), dtype)) for x in (a, b))
        return binary(name, *both)
    known = _COMPARED.get(name) or _COMPUTED.get(name)
    if known is None:
        raise _missing(f"{name} of {dtype.name}, which astype() converts,")
    try:
        t = known(_work(a, dtype), _work(b, dtype), dtype)
    except RuntimeError as error:
        if "must match the size" not in str(error):
            raise
        shapes = " ".join(str(x.shape) for x in (a, b))
        raise ValueError(f"operands could not be broadcast together with shapes {shapes} ") from None
    return result(t) if name in _COMPARED else result_of(t, dtype)


class unsigned(Apart):
    """See the module."""

    __slots__ = ()

    def _like(self, t):
        return made(t, self._raw)

    @property
    def T(self):
        return self._like(super().T._t)

    def __iter__(self):
        for i in range(len(self)):
            yield self[i]

    def __getitem__(self, key):
        found = super().__getitem__(key)
        return self._like(found._t) if isinstance(found, ndarray) else self._scalar(found)

    def _scalar(self, n):
        return self._raw.type(int(n) & self._raw._high)

    def __setitem__(self, key, value):
        if type(value) in (int, float, complex):
            value = _fits.number(value, self._raw)
        elif isinstance(value, (list, tuple)):
            value = array(value, dtype=self._raw)
        super().__setitem__(key, _wrap(_work(value, self._raw)))

    def fill(self, value):
        self[...] = value

    def _with(self, name, other, reflected=False, shown=None):
        # Nothing that it is shown as: its errors are those of ints.
        if not isinstance(other, (Operand, unsigned)):
            return NotImplemented
        return computed(name, other, self) if reflected else computed(name, self, other)

    def _in_place(self, name, other):
        if not isinstance(other, (Operand, unsigned)):
            return NotImplemented
        r = computed(name, self, other)
        if r.dtype.kind not in "bu":
            raise UFuncTypeError(
                f"Cannot cast ufunc '{name}' output from {r.dtype!r} to {self._raw!r} with casting rule 'same_kind'"
            )
        self._t.copy_(_work(r, self._raw))
        return self

    def __neg__(self):
        return self._like(-self._t)

    def __invert__(self):
        return self._like(~self._t)

    def __abs__(self):
        return self.copy()

    def __contains__(self, x):
        return bool((self == x).any())

    def __reduce__(self):
        raise _missing(f"a pickle of an array of {self._raw.name}")

    def item(self, *at):
        return super().item(*at) & self._raw._high

    def _only(self):
        return super()._only() & self._raw._high

    def __index__(self):
        if self._t.dim() != 0:
            raise TypeError("only integer scalar arrays can be converted to a scalar index")
        return self.item()

    def tolist(self):
        if self._raw is not UINT64:
            return self._t.tolist()

        def unsigned_of(x):
            return [unsigned_of(row) for row in x] if isinstance(x, list) else x & self._raw._high

        return unsigned_of(self._t.tolist())

    def max(self, axis=None, **options):
        return self._of_order(ordered(self).max(axis, **options))

    def min(self, axis=None, **options):
        return self._of_order(ordered(self).min(axis, **options))

    def _of_order(self, found):
        if isinstance(found, ndarray):
            return of_ordered(found._t, self._raw)
        return self._scalar(int(found) ^ _LOWEST if self._raw is UINT64 else found)

    def mean(self, axis=None, dtype=None, out=None, keepdims=False, **options):
        return self._numbers(dtype).mean(axis, dtype, out, keepdims, **options)

    def var(self, axis=None, dtype=None, *rest, **options):
        return self._numbers(dtype).var(axis, dtype, *rest, **options)

    def std(self, axis=None, dtype=None, *rest, **options):
        return self._numbers(dtype).std(axis, dtype, *rest, **options)

    def _numbers(self, dtype):
        return self.astype(float if dtype is None else dtype)

    def _total(self, method, axis, dtype, out, options):
        """Of a sum or product: these are of uint64."""
        if out is not None:
            raise refused(f"numpy.unsigned.{method}", "out")
        if dtype is not None:
            if isinstance(as_dtype(dtype), UnsignedDType):
                found = getattr(_wrap(self._t), method)(axis, **options)
                return result_of(_as_tensor(found), as_dtype(dtype))
            return getattr(self.astype(dtype), method)(axis, dtype, **options).astype(dtype)
        found = getattr(_wrap(self._t), method)(axis, **options)
        return UINT64.type(int(found) & UINT64._high) if not isinstance(found, ndarray) else made(found._t, UINT64)

    def sum(self, axis=None, dtype=None, out=None, **options):
        return self._total("sum", axis, dtype, out, options)

    def prod(self, axis=None, dtype=None, out=None, **options):
        return self._total("prod", axis, dtype, out, options)

    def cumsum(self, axis=None, dtype=None, out=None):
        return self._total("cumsum", axis, dtype, out, {})

    def cumprod(self, axis=None, dtype=None, out=None):
        return self._total("cumprod", axis, dtype, out, {})

    def clip(self, min=None, max=None, out=None):
        if out is not None:
            raise refused("numpy.unsigned.clip", "out")
        found = self if min is None else computed("maximum", self, min)
        return found if max is None else computed("minimum", found, max)

    def round(self, decimals=0, out=None):
        if decimals < 0 or out is not None:
            raise refused("numpy.unsigned.round", "decimals" if decimals < 0 else "out")
        return self.copy()

    def sort(self, axis=-1, kind=None, order=None):
        t = ordered(self)
        t.sort(axis, kind, order)
        self._t.copy_(of_ordered(t._t, self._raw)._t)

    def searchsorted(self, v, side="left", sorter=None):
        # What is looked for is an array of its own dtype, a number of Python too.
        (t, v), dtype = aligned([self, array(v)])
        if not isinstance(dtype, UnsignedDType):
            return _wrap(t).searchsorted(_wrap(v), side, sorter)
        return ordered(made(t, dtype)).searchsorted(ordered(made(v, dtype)), side, sorter)

    def astype(self, dtype, order="K", casting="unsafe", subok=True, copy=True):
        if order == "F":
            raise refused("numpy.unsigned.astype", "order")
        if casting != "unsafe":
            raise refused("numpy.unsigned.astype", "casting")
        if not subok:
            raise refused("numpy.unsigned.astype", "subok")
        if not copy:
            raise refused("numpy.unsigned.astype", "copy")
        dtype = as_dtype(dtype)
        if dtype.kind == "f":
            return _wrap(_floats(self._t, self._raw)).astype(dtype)
        return self.copy() if dtype is self._raw else _wrap(self._t.clone()).astype(dtype)

    def copy(self, order="C"):
        if self._in_order(order) == "F" and self.ndim > 1:
            raise refused("numpy.unsigned.copy", "order")
        return self._like(self._t.clone())

    def dot(self, other, out=None):
        return dot(self, other, out)

    def __matmul__(self, other):
        return product(matmul, self, other)

    def __rmatmul__(self, other):
        return product(matmul, other, self)

    def view(self, dtype=None, type=None):
        into = self._raw if dtype is None else as_dtype(dtype)
        if type is not None or into.itemsize != 8 or self._raw.itemsize != 8:
            raise _missing(f"view of an array of {self._raw.name}, which astype() converts,")
        # The same memory, of which the bits are what they are.
        return self._like(self._t.view(self._t.shape)) if into is UINT64 else _wrap(self._t.view(into._torch))

    def tobytes(self, order="C"):
        if order == "F":
            raise refused("numpy.unsigned.tobytes", "order")
        return bytes_of(self._t, self._raw)


def _of_values(name):
    """A method that only asks for the order of the values."""

    def method(self, *args, **options):
        return getattr(ordered(self), name)(*args, **options)

    method.__name__ = name
    return method


def _of_truth(name):
    """A method that asks which items are 0."""

    def method(self, *args, **options):
        return getattr(_wrap(self._t), name)(*args, **options)

    method.__name__ = name
    return method


def _of_places(name):
    """A method whose result is made of items of the array."""

    def method(self, *args, **options):
        found = getattr(_wrap(self._t), name)(*args, **options)
        return self._like(found._t) if isinstance(found, ndarray) else self._scalar(found)

    method.__name__ = name
    return method


def _refusing(name):
    def method(self, *args, **options):
        raise _missing(f"{name} of an array of {self._raw.name}, which astype() converts,")

    method.__name__ = name
    return method


for _name in ("argmax", "argmin", "argsort"):
    setattr(unsigned, _name, _of_values(_name))
for _name in ("any", "all", "nonzero"):
    setattr(unsigned, _name, _of_truth(_name))
for _name in ("transpose", "swapaxes", "squeeze", "repeat", "take", "diagonal", "ravel", "flatten", "reshape"):
    setattr(unsigned, _name, _of_places(_name))
for _name in ("trace", "put", "resize", "flat", "imag"):
    setattr(unsigned, _name, _refusing(_name))
del _name


def made_of(x, dtype):
    """An array of Python's ints, nested or not."""

    def checked(n):
        if isinstance(n, (list, tuple, range)):
            return [checked(row) for row in n]
        if isinstance(n, ndarray):
            return n.tolist()
        if isinstance(n, int) and not isinstance(n, generic) and not 0 <= n <= dtype._high:
            if not _LOWEST <= n < -_LOWEST:
                raise OverflowError("Python int too large to convert to C long")
            raise OverflowError(f"Python integer {n} out of bounds for {dtype.name}")
        n = int(n) & dtype._high
        return n - 2**64 if n >= 2**63 else n

    if type(x) is not int:
        try:
            t = _as_tensor(x)
        except (ValueError, NotImplementedError):
            # One by one: some are larger than int64's, or there is an error to be told.
            pass
        else:
            if t.dtype is torch.int64 and t.numel() and t.min().item() >= 0 and t.max().item() <= dtype._high:
                return made(t, dtype)
    values = checked(x)
    return made(torch.zeros(0, dtype=torch.int64) if values == [] else _as_tensor(values), dtype)


def bytes_of(t, dtype):
    size = dtype.itemsize
    whole = _C._tensor_bytes(t.to(torch.int64))
    if size == 8:
        return whole
    parts = _C._tensor_of_bytes(whole, torch.uint8).reshape(-1, 8)[:, :size]
    return _C._tensor_bytes(parts.contiguous())


def of_bytes(data, dtype):
    """The array that bytes are."""
    size = dtype.itemsize
    signed = {2: torch.int16, 4: torch.int32, 8: torch.int64}[size]
    return made(_C._tensor_of_bytes(data, signed), dtype)
