"""ndarray: a tensor that follows NumPy's rules, and the operations on it.

An array holds a tensor and shares its storage; views are views of the tensor, and `Tensor.numpy()` and
`torch.from_numpy` copy nothing. Dtypes are promoted here, so that both operands of a tensor operation have one dtype.
"""

from _refused import refused
import _types
import torch
from torch import Tensor, _C

from numpy._order import Flags, order_of
from numpy._dtypes import BitOperators, ItemDType, NotNumbers, Operators, RecordDType, UnsignedDType, as_dtype, float64, generic, of_torch, promote, weak
from numpy import _dtypes, _errors, _print, _short
from numpy._index import _has_ellipsis, _index, _index_error
from numpy._ops import (
    UFuncTypeError, _NEUTRAL, _OPERATIONS, _REDUCTIONS, _axes, _count, _keep, _mean, _missing, _not_for, _same_kind, _variance,
    _wide, is_inexact, normalized,
)

newaxis = None


def _wrap(t):
    """An array over a tensor, with nothing copied."""
    a = object.__new__(ndarray)
    a._t = t
    return a


def moved(x):
    """The tensor of an array whose elements a function moves, and what makes an array of what it becomes."""
    if type(x) is not ndarray:
        try:
            t = _as_tensor(x)
        except NotImplementedError:
            x = asarray(x)
            return x._t, x._remade
        return t, _wrap
    return x._t, _wrap


def result(t):
    """What an operation returns: arrays of no dimensions become scalars."""
    if t.dim() == 0:
        return of_torch(t.dtype).type(t.item())
    return _wrap(t)


def _first_leaf(x):
    while isinstance(x, (list, tuple, range)) and len(x) > 0:
        x = x[0]
    return x


def _shape_of(x):
    """Of nested sequences: the extents that all rows have."""
    if isinstance(x, (ndarray, Tensor)):
        return tuple(x.shape)
    if not isinstance(x, (list, tuple, range)):
        return ()
    rows = [_shape_of(row) for row in x]
    if not rows:
        return (0,)
    common = rows[0]
    for row in rows:
        common = common[: len(row)]
        while common != row[: len(common)]:
            common = common[:-1]
    for row in rows:
        if row != common:
            detected = (len(x), *common)
            raise ValueError(
                "setting an array element with a sequence. The requested array has an inhomogeneous shape after "
                f"{len(detected)} dimensions. The detected shape was {detected} + inhomogeneous part."
            )
    return (len(x), *common)


def _stack(rows):
    """Of a list that holds arrays, or tensors, or scalars with a dtype, at whatever depth."""
    tensors = [_as_tensor(row) for row in rows]
    kind = tensors[0].dtype
    for t in tensors:
        kind = promote(kind, t.dtype)
    if not all(t.shape == tensors[0].shape for t in tensors):
        _shape_of(rows)
    return torch.stack([t.to(kind) for t in tensors])


def _of_sequence(x):
    leaf = _first_leaf(x)
    if isinstance(leaf, (ndarray, Tensor, generic)):
        return _stack(x)
    if isinstance(leaf, (list, tuple, range)):
        _shape_of(x)
        return torch.empty(_shape_of(x), dtype=torch.float64)
    if isinstance(leaf, (str, bytes)):
        raise NotNumbers(_STRINGS)
    try:
        t = torch.tensor(x if not isinstance(x, range) else list(x))
    except (ValueError, TypeError, RuntimeError):
        _shape_of(x)
        return _stack(x)
    if t.dtype.is_complex:
        return torch.tensor(x, dtype=torch.complex128)
    return torch.tensor(x, dtype=torch.float64) if t.dtype.is_floating_point else t


def _as_tensor(x):
    """The tensor of what may stand where an array does; shared with it where it has one."""
    if type(x) is ndarray:
        return x._t
    if isinstance(x, ndarray):
        if isinstance(x.dtype, UnsignedDType):
            raise _missing(f"this for an array of {x.dtype.name}, which astype() converts,")
        if isinstance(x.dtype, (ItemDType, RecordDType)):
            raise NotNumbers(f"this for an array of {x.dtype} is not implemented in janus-jit yet")
        return x._t
    if isinstance(x, Tensor):
        if x.requires_grad:
            raise RuntimeError("Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.")
        if x.is_cuda:
            # It raises: arrays are in main memory.
            return x.numpy()._t
        return x.detach()
    if isinstance(x, generic):
        return torch.tensor(x._plain(), dtype=x.dtype._torch)
    if isinstance(x, (bool, int)):
        return torch.tensor(x)
    if isinstance(x, float):
        return torch.tensor(x, dtype=torch.float64)
    if isinstance(x, complex):
        return torch.tensor(x, dtype=torch.complex128)
    if isinstance(x, (list, tuple, range)):
        return _of_sequence(x)
    if isinstance(x, (str, bytes)):
        raise NotNumbers(_STRINGS)
    convert = getattr(x, "__array__", None)
    if convert is not None:
        return _as_tensor(convert())
    if hasattr(x, "__len__") and hasattr(x, "__getitem__") and not isinstance(x, dict):
        return _of_sequence(list(x))
    raise NotNumbers(f"this for an array of objects ('{type(x).__name__}') is not implemented in janus-jit yet")


_STRINGS = "this for an array of strings is not implemented in janus-jit yet"


def asarray(x, dtype=None, order=None, *, copy=None):
    if order is not None and order_of(order, "K") in ("C", "F"):
        found = asarray(x, dtype, copy=copy)
        return found if found.flags[order_of(order, "K")] else found.copy(order)
    if copy is not None:
        raise refused("numpy.asarray", "copy")
    if isinstance(x, ndarray) and dtype is None:
        return x
    if isinstance(x, generic) and isinstance(x.dtype, UnsignedDType):
        return array(x, dtype)
    if dtype is None:
        return _of_items(x)
    return x.astype(dtype, copy=False) if isinstance(x, ndarray) else _fitting(x, dtype)


def _of_items(x):
    """An array of the dtype that its items make."""
    from numpy import _fits

    try:
        return _wrap(_as_tensor(x))
    except NotNumbers:
        from numpy._items import made_of

        return made_of(x)
    except ValueError:
        if not _fits.has_large(x):
            raise
    kind = _fits.kind_of_large(x)
    if kind == "u":
        return _fitting(x, _dtypes.UINT64)
    if kind == "f":
        return _wrap(_as_tensor(_fits.as_floats(x)))
    from numpy._items import made_of

    return made_of(x, _dtypes.OBJECT)


@_short.of_function
def array(x, dtype=None, *, copy=True, order="K", subok=False, ndmin=0, like=None):
    if order != "K" and order_of(order, "K") != "K":
        found = array(x, dtype, copy=copy, subok=subok, ndmin=ndmin, like=like)
        order = found._in_order(order)
        return found if found.flags[order] else found.copy(order)
    if subok:
        raise refused("numpy.array", "subok")
    if like is not None:
        raise refused("numpy.array", "like")
    if dtype is not None and type(x) in (list, tuple) and x and type(x[0]) in (float, float64):
        dtype = as_dtype(dtype)
        if dtype.kind == "f" and all(type(item) in (float, float64, int) for item in x):
            # Numbers side by side: nothing to find out about them.
            t = torch.tensor(x, dtype=dtype._torch)
            if dtype.itemsize == 8 or _C._all_finite(t):
                return _wrap(t.reshape([1] * (ndmin - 1) + [-1]) if ndmin > 1 else t)
    if type(x) is not ndarray and isinstance(x, ndarray) and isinstance(x.dtype, (UnsignedDType, ItemDType, RecordDType)):
        found = (x.copy() if copy else x) if dtype is None else x.astype(dtype, copy=True)
        return found.reshape([1] * (ndmin - found.ndim) + list(found.shape)) if found.ndim < ndmin else found
    if not isinstance(x, (ndarray, Tensor)) and not (isinstance(x, generic) and isinstance(x.dtype, UnsignedDType)):
        a = _of_items(x) if dtype is None else _fitting(x, dtype)
        return a.reshape([1] * (ndmin - a.ndim) + list(a.shape)) if a.ndim < ndmin else a
    if isinstance(x, generic) and isinstance(x.dtype, UnsignedDType):
        return _fitting(int(x), x.dtype) if dtype is None else array(x.astype(dtype))
    t = _as_tensor(x)
    if copy:
        t = t.clone()
    while t.dim() < ndmin:
        t = t.unsqueeze(0)
    return _wrap(t) if dtype is None else _of_dtype(t, dtype)


def _fitting(x, dtype):
    """An array of a dtype that Python's ints have to fit into."""
    dtype = as_dtype(dtype)
    if isinstance(dtype, ItemDType):
        from numpy._items import made_of

        return made_of(x, dtype)
    if isinstance(dtype, RecordDType):
        from numpy._records import of

        return of(x, dtype)
    if isinstance(dtype, UnsignedDType) and type(x) in (int, list, tuple, range):
        leaf = _first_leaf(x)
        if isinstance(leaf, int):
            from numpy._unsigned import made_of

            return made_of(x, dtype)
    from numpy import _fits

    try:
        t = _as_tensor(x)
    except NotNumbers:
        from numpy._items import parsed

        return parsed(x, dtype)
    except ValueError:
        if not _fits.has_large(x):
            raise
        _fits.check(x, dtype)
        t = _as_tensor(_fits.as_floats(x))
    if not _fits.holds_all(t, dtype):
        _fits.check(x, dtype)
    if dtype.kind in "iu" and dtype.itemsize < 8 and t.dtype is torch.int64 and t.numel():
        for bound in (t.min().item(), t.max().item()):
            if not dtype._low <= bound <= dtype._high:
                raise OverflowError(f"Python integer {bound} out of bounds for {dtype.name}")
    return _of_dtype(t, dtype)


def _of_dtype(t, dtype):
    """An array of a dtype that may be one that tensors do not have."""
    dtype = as_dtype(dtype)
    if isinstance(dtype, ItemDType):
        from numpy._items import of_numbers

        return of_numbers(t, dtype)
    if isinstance(dtype, UnsignedDType):
        from numpy._unsigned import made

        return made(_errors.cast(t, torch.float64) if t.dtype.is_complex else t, dtype)
    return _wrap(_errors.cast(t, dtype._torch))


def _in_kind(values, kind):
    """The tensor of values in a dtype of tensors, into which Python's own numbers have to fit."""
    if isinstance(values, (list, tuple, range, float, complex)):
        return _fitting(values, of_torch(kind))._t
    return _errors.cast(_as_tensor(values), kind)


# Operations on two arrays


def _common(a, b):
    """Both operands as tensors of one dtype: Python's own numbers take the other side's."""
    if type(a) in _WEAK:
        if type(b) in _WEAK:
            a, b = _as_tensor(a), _as_tensor(b)
        else:
            b = _as_tensor(b)
            kind = weak(b.dtype, a)
            return _narrowed(a, kind), b.to(kind)
    elif type(b) in _WEAK:
        a = _as_tensor(a)
        kind = weak(a.dtype, b)
        return a.to(kind), _narrowed(b, kind)
    else:
        a, b = _as_tensor(a), _as_tensor(b)
    kind = promote(a.dtype, b.dtype)
    return a.to(kind), b.to(kind)


def _narrowed(number, kind):
    """A number of Python's as a tensor of the other side's dtype."""
    t = torch.tensor(number, dtype=kind)
    if type(number) is float and kind.is_floating_point and t.isinf() and abs(number) != float("inf") and _errors.state.checks:
        _errors.happened("cast", ["over"])
    return t


_WEAK = (int, float, bool, complex)


# Operations whose result does not have the operands' dtype: an int of any size can be on the other side.
_OF_FLOATS = ("arctan2", "hypot", "logaddexp", "logaddexp2", "copysign", "heaviside", "nextafter")
_ANY_INT = ("divide", "less", "less_equal", "greater", "greater_equal", "equal", "not_equal")


def _binary(name, x, y, shown=None):
    """The tensor of an operation between what two operands stand for; `shown`: what errors call it."""
    try:
        a, b = _common(x, y)
    except OverflowError:
        if name not in _ANY_INT:
            raise
        a, b = _common(_as_tensor(x), _as_tensor(y))
    if name in _OF_FLOATS and all(isinstance(o, (ndarray, generic)) and o.dtype.itemsize == 1 for o in (x, y)):
        a, b = a.to(torch.float16), b.to(torch.float16)
    try:
        # A power by a number that has a function of its own is that function's value.
        t = torch.pow(a, y) if name == "power" and shown in _POWERS.values() else _OPERATIONS[name](a, b)
        _errors.of_result(name, t, a, b, shown=shown)
        return t
    except RuntimeError as error:
        if "must match the size" not in str(error):
            raise
        shapes = " ".join(str(tuple(t.shape)) for t in (a, b))
        raise ValueError(f"operands could not be broadcast together with shapes {shapes} ") from None


def is_unsigned(x):
    """Whether a value has a dtype that tensors do not have."""
    return isinstance(x, (ndarray, generic)) and isinstance(x.dtype, UnsignedDType)


def _holds_items(x):
    """Whether an array, or nested lists, hold what is no number."""
    return isinstance(x.dtype, ItemDType) if isinstance(x, ndarray) else isinstance(_first_leaf(x), (str, bytes))


def binary(name, x, y, shown=None):
    """An operation by its name: an array, or a scalar where both operands have no dimension; a tensor where one of
    them is one."""
    if is_unsigned(x) or is_unsigned(y):
        from numpy._unsigned import computed

        return computed(name, x, y)
    try:
        t = _binary(name, x, y, shown)
    except NotNumbers:
        from numpy._items import as_items, computed

        return computed(name, as_items(x), y) if not isinstance(y, ndarray) else computed(name, x, y)
    if isinstance(x, Tensor) or isinstance(y, Tensor):
        return t
    return result(t)


def _given(t, out):
    if out is None:
        return result(t)
    out._write(t)
    return out


def _fits_out(name, t, out):
    """Refuses an `out` that the result of a reduction would be stretched into."""
    if out is not None and out._t.dim() != t.dim():
        raise ValueError(
            f"output parameter for reduction operation {name} has the wrong number of dimensions: Found "
            f"{out._t.dim()} but expected {t.dim()}"
        )


def reduced(name, a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=True):
    """A reduction by its name."""
    if isinstance(a, ndarray) and is_unsigned(a):
        method = getattr(a, {"add": "sum", "multiply": "prod", "maximum": "max", "minimum": "min", "logical_or": "any",
                             "logical_and": "all"}[name])
        options = {"axis": axis, "keepdims": keepdims}
        for option, value, default in (("dtype", dtype, None), ("out", out, None), ("initial", initial, None),
                                       ("where", where, True)):
            if value is not default:
                options[option] = value
        return method(**options)
    try:
        t = _as_tensor(a)
    except NotNumbers:
        from numpy._items import reduced as of_items

        return of_items(name, asarray(a), axis, keepdims)
    if where is not True:
        if name not in _NEUTRAL and initial is None:
            raise ValueError(
                f"reduction operation '{name}' does not have an identity, so to use a where mask one has to specify 'initial'"
            )
        t = torch.where(_as_tensor(where), t, torch.tensor(_NEUTRAL.get(name, initial), dtype=t.dtype))
    axes = _axes(axis, t.dim())
    if name in ("maximum", "minimum"):
        if not all(t.shape[d] for d in axes) and initial is None:
            raise ValueError(f"zero-size array to reduction operation {name} which has no identity")
        if t.numel() == 0:
            kept = [n for d, n in enumerate(t.shape) if d not in axes]
            r = torch.full(kept, 0 if initial is None else initial, dtype=t.dtype)
            return _given(_keep(r, axes, t.shape, keepdims), out)
    kind = _REDUCTIONS[name]
    r = kind(t, axes, dtype)
    if name in ("add", "multiply"):
        _errors.of_reduction("reduce", r, t, axes)
    r = _keep(r, axes, t.shape, keepdims)
    _fits_out(name, r, out)
    if initial is not None:
        if name in ("maximum", "minimum"):
            initial = torch.tensor(initial, dtype=r.dtype)
        r = _binary(name, _wrap(r), _wrap(initial) if isinstance(initial, torch.Tensor) else initial)
    if t.dtype is torch.uint8 and name in ("add", "multiply") and dtype is None and out is None:
        return _of_uint8(r)
    return _given(r, out)


def _of_uint8(t):
    """A sum or product of uint8 is one of uint64."""
    from numpy._unsigned import result_of

    return result_of(t, _dtypes.UINT64)


def _near(t, other):
    """The other side of an operation if it can be taken as it is, which is common: a number, or an array of the same
    floats and extents."""
    if t.dtype.is_floating_point:
        if type(other) is float or type(other) is int:
            return other
        if type(other) is ndarray and other._t.dtype is t.dtype and other._t.shape == t.shape:
            return other._t
    return None


# What NumPy takes for the power by a number.
_POWERS = {2: "square", 0.5: "sqrt", -1: "reciprocal"}


class ndarray(BitOperators, Operators):
    """An array; see the module."""

    __module__ = "numpy"
    __slots__ = ("_t",)
    __array_priority__ = 0.0

    def __init__(self, shape, dtype=float, buffer=None, offset=0, strides=None, order=None):
        if buffer is not None:
            from numpy._io import over_buffer

            self._t = over_buffer(shape, as_dtype(dtype), buffer, offset, strides, order)
            return
        if offset != 0:
            raise refused("numpy.ndarray", "offset")
        if strides is not None:
            raise refused("numpy.ndarray", "strides")
        self._t = torch.zeros(shape, dtype=as_dtype(dtype)._torch)
        if order_of(order, "C") == "F":
            self._t = self.copy("F")._t

    def __class_getitem__(cls, item):
        return cls

    # What it is

    @property
    def shape(self):
        return tuple(self._t.shape)

    @shape.setter
    def shape(self, shape):
        self._t = self.reshape(shape)._t

    @property
    def ndim(self):
        return self._t.dim()

    @property
    def size(self):
        return self._t.numel()

    @property
    def dtype(self):
        return of_torch(self._t.dtype)

    @property
    def device(self):
        return "cpu"

    @property
    def itemsize(self):
        return self._t.element_size()

    @property
    def nbytes(self):
        return self._t.numel() * self._t.element_size()

    @property
    def strides(self):
        size = self._t.element_size()
        return tuple(size * s for s in self._t.stride())

    @property
    def flags(self):
        return Flags(self)

    @property
    def T(self):
        return _wrap(self._t.permute(*reversed(range(self._t.dim()))))

    mT = T

    @property
    def flat(self):
        return _Flat(self)

    @property
    def real(self):
        return _wrap(self._t.real) if self._t.dtype.is_complex else self

    @real.setter
    def real(self, value):
        self.real[...] = value

    @property
    def imag(self):
        return _wrap(self._t.imag) if self._t.dtype.is_complex else _wrap(torch.zeros_like(self._t))

    @imag.setter
    def imag(self, value):
        if not self._t.dtype.is_complex:
            raise TypeError("array does not have imaginary part to set")
        self.imag[...] = value

    def __len__(self):
        if self._t.dim() == 0:
            raise TypeError("len() of unsized object")
        return self._t.shape[0]

    def __iter__(self):
        if self._t.dim() == 0:
            raise TypeError("iteration over a 0-d array")
        if self._t.dim() == 1:
            kind = of_torch(self._t.dtype).type
            return iter([kind(v) for v in self._t.tolist()])
        return iter([_wrap(row) for row in self._t.unbind(0)])

    def __contains__(self, x):
        return bool(_binary("equal", self, x).any())

    def __bool__(self):
        if self._t.numel() != 1:
            if self._t.numel() == 0:
                raise ValueError(
                    "The truth value of an empty array is ambiguous. Use `array.size > 0` to check that an array is "
                    "not empty."
                )
            raise ValueError(
                "The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()"
            )
        return bool(self._t.item())

    def _only(self):
        if self._t.dim() != 0:
            raise TypeError("only 0-dimensional arrays can be converted to Python scalars")
        return self._t.item()

    def __int__(self):
        return int(self._only())

    def __float__(self):
        return float(self._only())

    def __index__(self):
        if self._t.dim() != 0 or self.dtype.kind not in "iu":
            raise TypeError("only integer scalar arrays can be converted to a scalar index")
        return self._t.item()

    def __array__(self, dtype=None, copy=None):
        if copy is not None:
            raise refused("numpy.ndarray.__array__", "copy")
        return self if dtype is None else self.astype(dtype)

    def __array_wrap__(self, a, context=None, return_scalar=False):
        return a

    def __repr__(self):
        return _print.array_repr(self)

    def __str__(self):
        return _print.array_str(self)

    def __format__(self, spec):
        if self._t.dim() == 0:
            return format(self._t.item(), spec)
        if spec:
            raise TypeError("unsupported format string passed to numpy.ndarray.__format__")
        return str(self)

    __hash__ = None

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()

    def __reduce__(self):
        from numpy._core.multiarray import _reconstruct

        state = (1, self.shape, self.dtype, False, self.tobytes())
        return (_reconstruct, (ndarray, (0,), b"b"), state)

    def __setstate__(self, state):
        from numpy._io import frombuffer

        _, shape, dtype, fortran, data = state
        if isinstance(dtype, ItemDType):
            from numpy._items import filled, items, of_bytes

            made = filled(list(data), shape, dtype) if dtype.kind == "O" else of_bytes(data, dtype).reshape(shape)
            self.__class__ = items
            self._t, self._store, self._raw = made._t, made._store, dtype
            return
        if isinstance(dtype, UnsignedDType):
            raise _missing(f"a pickle of an array of {dtype.name}")
        a = frombuffer(data, dtype)
        self._t = a.reshape(shape, order="F" if fortran else "C")._t

    # Items

    def __getitem__(self, key):
        t = self._t
        if type(key) is int and t.dim() == 1:
            try:
                return of_torch(t.dtype).type(t[key].item())
            except IndexError as error:
                raise _index_error(error, t, key) from None
        key, t = _index(t, key, _as_tensor)
        try:
            t = t[key]
        except IndexError as error:
            raise _index_error(error, t, key) from None
        if t.dim() == 0 and not _has_ellipsis(key):
            return result(t)
        return _wrap(t)

    def __setitem__(self, key, value):
        key, t = _index(self._t, key, _as_tensor)
        try:
            if type(value) in _WEAK or (type(value) is float64 and not is_inexact(t) and t.dtype is not torch.uint8):
                self._set_number(t, key, value)
                return
            if isinstance(value, (list, tuple, range)):
                value = _fitting(value, self.dtype)
            value = _errors.cast(_as_tensor(value), t.dtype)
            into = tuple(t[key].shape)
            # Leading extents of one are dropped, as for arrays of fewer dimensions.
            while value.dim() > len(into) and value.shape[0] == 1:
                value = value.squeeze(0)
            t[key] = value
        except IndexError as error:
            raise _index_error(error, t, key) from None
        except RuntimeError:
            if not isinstance(value, Tensor):
                raise
            into = tuple(t[key].shape)
            try:
                # Parts of what is written are copied first.
                t[key] = value.expand(into).clone()
            except RuntimeError:
                raise ValueError(
                    f"could not broadcast input array from shape {tuple(value.shape)} into shape {into}"
                ) from None

    def _set_number(self, t, key, value):
        if not t.dtype.is_floating_point and not t.dtype.is_complex and (type(value) is not int or t.dtype is torch.uint8):
            from numpy import _fits

            t[key] = _fits.item(value, of_torch(t.dtype))
            return
        try:
            t[key] = value
        except (RuntimeError, OverflowError, ValueError):
            # What is wrong with the place is so again.
            from numpy import _fits

            t[key] = _fits.item(value, of_torch(t.dtype))

    def _write(self, t):
        """Takes over what an operation has computed, in its own dtype."""
        own = self._t.dtype
        if not _same_kind(t.dtype, own):
            raise UFuncTypeError(
                f"Cannot cast ufunc output from {of_torch(t.dtype)!r} to {of_torch(own)!r} with casting rule "
                "'same_kind'"
            )
        if t.shape != self._t.shape:
            t = t.expand(self._t.shape)
        self._t.copy_(t)

    def item(self, *at):
        if not at:
            if self._t.numel() != 1:
                raise ValueError("can only convert an array of size 1 to a Python scalar")
            return self._t.item()
        if len(at) == 1 and not isinstance(at[0], tuple):
            return self._t.reshape(-1)[at[0]].item()
        return self._t[at[0] if isinstance(at[0], tuple) else at].item()

    def tolist(self):
        return self._t.tolist()

    def tobytes(self, order="C"):
        if order != "C" and self._in_order(order) == "F":
            return self.T.tobytes()
        return _C._tensor_bytes(self._t)

    def tofile(self, fid, sep="", format="%s"):
        if format != "%s":
            raise refused("numpy.ndarray.tofile", "format")
        if sep:
            raise _missing("tofile(sep=)")
        if hasattr(fid, "write"):
            fid.write(self.tobytes())
            return
        with open(fid, "wb") as f:
            f.write(self.tobytes())

    # Arithmetic

    def _with(self, name, other, reflected=False, shown=None):
        if not isinstance(other, Operand):
            if isinstance(other, Tensor) and reflected:
                return binary(name, other, self)
            return NotImplemented
        if is_unsigned(other):
            return binary(name, other, self) if reflected else binary(name, self, other)
        if type(other) is not ndarray and isinstance(other, (ndarray, list, tuple)) and _holds_items(other):
            from numpy._items import as_items

            return as_items(self.astype(_dtypes.OBJECT))._with(name, other, reflected)
        return result(_binary(name, other, self, shown) if reflected else _binary(name, self, other, shown))

    def __pow__(self, other):
        known = type(other) in (int, float) and self._t.dtype.is_floating_point
        return self._with("power", other, shown=_POWERS.get(other) if known else None)

    def _in_place(self, name, other):
        if not isinstance(other, Operand):
            return NotImplemented
        if is_unsigned(other):
            found = asarray(binary(name, self, other))
            # The tensor of an unsigned result says nothing of its dtype.
            t = found._t if found.dtype.kind != "u" or self.dtype.kind in "iu" else found._t.to(torch.float64)
            t = t.to(self._t.dtype) if found.dtype.kind == "u" and self.dtype.kind in "iu" else t
        else:
            t = _binary(name, self, other)
        own = self._t.dtype
        if not _same_kind(t.dtype, own):
            raise UFuncTypeError(
                f"Cannot cast ufunc '{name}' output from {of_torch(t.dtype)!r} to {of_torch(own)!r} with casting "
                "rule 'same_kind'"
            )
        if t.shape != self._t.shape:
            raise ValueError(
                f"non-broadcastable output operand with shape {self.shape} doesn't match the broadcast shape "
                f"{tuple(t.shape)}"
            )
        self._t.copy_(t)
        return self

    def __add__(self, other):
        near = _near(self._t, other)
        if near is not None:
            t = self._t + near
            _errors.of_result("add", t, self._t, near)
            return result(t)
        return self._with("add", other)

    def __radd__(self, other):
        near = _near(self._t, other)
        if near is not None:
            t = near + self._t
            _errors.of_result("add", t, near, self._t)
            return result(t)
        return self._with("add", other, True)

    def __iadd__(self, other):
        return self._in_place("add", other)

    def __sub__(self, other):
        near = _near(self._t, other)
        if near is not None:
            t = self._t - near
            _errors.of_result("subtract", t, self._t, near)
            return result(t)
        return self._with("subtract", other)

    def __rsub__(self, other):
        near = _near(self._t, other)
        if near is not None:
            t = near - self._t
            _errors.of_result("subtract", t, near, self._t)
            return result(t)
        return self._with("subtract", other, True)

    def __isub__(self, other):
        return self._in_place("subtract", other)

    def __mul__(self, other):
        near = _near(self._t, other)
        if near is not None:
            t = self._t * near
            _errors.of_result("multiply", t, self._t, near)
            return result(t)
        return self._with("multiply", other)

    def __rmul__(self, other):
        near = _near(self._t, other)
        if near is not None:
            t = near * self._t
            _errors.of_result("multiply", t, near, self._t)
            return result(t)
        return self._with("multiply", other, True)

    def __imul__(self, other):
        return self._in_place("multiply", other)

    def __truediv__(self, other):
        near = _near(self._t, other)
        if near is not None:
            t = self._t / near
            _errors.of_result("divide", t, self._t, near)
            return result(t)
        return self._with("divide", other)

    def __rtruediv__(self, other):
        near = _near(self._t, other)
        if near is not None:
            t = near / self._t
            _errors.of_result("divide", t, near, self._t)
            return result(t)
        return self._with("divide", other, True)

    def __itruediv__(self, other):
        return self._in_place("divide", other)

    def __ifloordiv__(self, other):
        return self._in_place("floor_divide", other)

    def __imod__(self, other):
        return self._in_place("remainder", other)

    def __ipow__(self, other):
        return self._in_place("power", other)

    def __iand__(self, other):
        return self._in_place("bitwise_and", other)

    def __ior__(self, other):
        return self._in_place("bitwise_or", other)

    def __ixor__(self, other):
        return self._in_place("bitwise_xor", other)

    def __matmul__(self, other):
        if not isinstance(other, Operand):
            return NotImplemented
        return matmul(self, other)

    def __rmatmul__(self, other):
        if isinstance(other, Tensor):
            return _as_tensor(matmul(other, self))
        if not isinstance(other, Operand):
            return NotImplemented
        return matmul(other, self)

    def __eq__(self, other):
        if isinstance(other, str) or other is None:
            return _wrap(torch.zeros(self._t.shape, dtype=torch.bool))
        # PyTorch leaves this one to the array, and `!=` to chance.
        if isinstance(other, Tensor):
            return binary("equal", self, other)
        return self._with("equal", other)

    def __ne__(self, other):
        if isinstance(other, str) or other is None:
            return _wrap(torch.ones(self._t.shape, dtype=torch.bool))
        return self._with("not_equal", other)

    def __neg__(self):
        if self._t.dtype is torch.bool:
            raise TypeError(
                "The numpy boolean negative, the `-` operator, is not supported, use the `~` operator or the "
                "logical_not function instead."
            )
        return result(-self._t)

    def __pos__(self):
        return result(self._t.clone())

    def __abs__(self):
        return result(self._t.abs() if self._t.dtype is not torch.bool else self._t.clone())

    def __complex__(self):
        return complex(self.item())

    def __invert__(self):
        if self._t.dtype.is_floating_point or self._t.dtype.is_complex:
            raise _not_for("invert", self, None)
        return result(~self._t)

    # Other shapes and dtypes

    def astype(self, dtype, order="K", casting="unsafe", subok=True, copy=True):
        if order != "K" and order_of(order, "K") != "K":
            found = self.astype(dtype, "K", casting, subok, copy)
            order = self._in_order(order)
            return found if found.flags[order] else found.copy(order)
        if casting != "unsafe":
            raise refused("numpy.ndarray.astype", "casting")
        if not subok:
            raise refused("numpy.ndarray.astype", "subok")
        dtype = as_dtype(dtype)
        if dtype is self.dtype:
            return self.copy() if copy else self
        return _of_dtype(self._t, dtype)

    def copy(self, order="C"):
        order = self._in_order(order)
        if order == "K":
            return _wrap(self._t.clone())
        if order == "F":
            turned = tuple(reversed(range(self._t.dim())))
            return _wrap(self._t.permute(turned).clone(memory_format=torch.contiguous_format).permute(turned))
        return _wrap(self._t.clone(memory_format=torch.contiguous_format))

    def _in_order(self, order):
        """C, F or K; A is F for what lies so in memory."""
        order = order_of(order, "C")
        if order != "A":
            return order
        turned = tuple(reversed(range(self._t.dim())))
        return "F" if not self._t.is_contiguous() and self._t.permute(turned).is_contiguous() else "C"

    def view(self, dtype=None, type=None):
        if type is not None:
            raise refused("numpy.ndarray.view", "type")
        if dtype is None or dtype is ndarray:
            return _wrap(self._t.view(self._t.shape))
        dtype = as_dtype(dtype)
        if dtype is _dtypes.UINT64 and self._t.element_size() == 8:
            from numpy._unsigned import made

            return made(self._t.view(torch.int64), dtype)
        return _wrap(self._t.view(dtype._torch))

    def reshape(self, *shape, order="C", copy=None):
        if copy is not None:
            raise refused("numpy.ndarray.reshape", "copy")
        if not shape:
            raise TypeError("reshape() takes exactly 1 argument (0 given)")
        if len(shape) == 1 and isinstance(shape[0], (tuple, list)):
            shape = shape[0]
        order = order if order == "C" else self._in_order(order)
        if order == "K":
            raise ValueError("order 'K' is not permitted for reshaping")
        if order == "F":
            back = self._t.permute(*reversed(range(self._t.dim()))).reshape(*reversed(_filled(self.size, shape)))
            return _wrap(back.permute(*reversed(range(back.dim()))))
        try:
            return _wrap(self._t.reshape([int(n) for n in shape]))
        except RuntimeError:
            if [int(n) for n in shape].count(-1) > 1:
                raise ValueError("can only specify one unknown dimension") from None
            raise ValueError(f"cannot reshape array of size {self.size} into shape {_tuple_text(shape)}") from None

    def _like(self, t):
        """An array of this kind over a tensor."""
        return _wrap(t)

    def _remade(self, t):
        """An array of elements of this one, which a function has put into a tensor."""
        return self._like(t)

    def ravel(self, order="C"):
        if order_of(order, "C") == "K":
            # As it lies in memory: the widest strides first.
            t = self._t
            return _wrap(t.permute(sorted(range(t.dim()), key=lambda d: -abs(t.stride(d)))).reshape(-1))
        return self.reshape(-1, order=order)

    def flatten(self, order="C"):
        return self.ravel(order).copy()

    def transpose(self, *axes):
        if not axes or axes[0] is None:
            return self.T
        if len(axes) == 1 and isinstance(axes[0], (tuple, list)):
            axes = axes[0]
        if len(axes) != self._t.dim():
            raise ValueError("axes don't match array")
        return _wrap(self._t.permute(*[normalized(d, self._t.dim()) for d in axes]))

    def swapaxes(self, axis1, axis2):
        return _wrap(self._t.transpose(axis1, axis2))

    def squeeze(self, axis=None):
        if axis is None:
            return _wrap(self._t.squeeze())
        for d in reversed(_axes(axis, self._t.dim())):
            if self._t.shape[d] != 1:
                raise ValueError("cannot select an axis to squeeze out which has size not equal to one")
        t = self._t
        for d in reversed(_axes(axis, t.dim())):
            t = t.squeeze(d)
        return _wrap(t)

    def resize(self, *shape, refcheck=True):
        raise _missing("ndarray.resize")

    def fill(self, value):
        if isinstance(value, (ndarray, list, tuple)) and _shape_of(value) != ():
            raise ValueError("setting an array element with a sequence.")
        self[...] = value

    def repeat(self, repeats, axis=None):
        t = self._t.reshape(-1) if axis is None else self._t
        counts = repeats if isinstance(repeats, int) else _as_tensor(repeats).to(torch.int64)
        return _wrap(torch.repeat_interleave(t, counts, dim=0 if axis is None else normalized(axis, t.dim())))

    def take(self, indices, axis=None, out=None, mode="raise"):
        if out is not None:
            raise refused("numpy.ndarray.take", "out")
        if mode != "raise":
            raise refused("numpy.ndarray.take", "mode")
        at = _as_tensor(indices).to(torch.int64)
        t = self._t.reshape(-1) if axis is None else self._t
        d = 0 if axis is None else normalized(axis, t.dim())
        return result(t[(slice(None),) * d + (at,)])

    def put(self, indices, values, mode="raise"):
        if mode != "raise":
            raise refused("numpy.ndarray.put", "mode")
        self._t.view(-1)[_as_tensor(indices)] = _in_kind(values, self._t.dtype)

    def diagonal(self, offset=0, axis1=0, axis2=1):
        return _wrap(torch.diagonal(self._t, offset, axis1, axis2))

    def trace(self, offset=0, axis1=0, axis2=1, dtype=None, out=None):
        return self.diagonal(offset, axis1, axis2).sum(axis=-1, dtype=dtype, out=out)

    # Reductions

    def sum(self, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=True):
        return reduced("add", self, axis, dtype, out, keepdims, initial, where)

    def prod(self, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=True):
        return reduced("multiply", self, axis, dtype, out, keepdims, initial, where)

    def max(self, axis=None, out=None, keepdims=False, initial=None, where=True):
        return reduced("maximum", self, axis, None, out, keepdims, initial, where)

    def min(self, axis=None, out=None, keepdims=False, initial=None, where=True):
        return reduced("minimum", self, axis, None, out, keepdims, initial, where)

    def any(self, axis=None, out=None, keepdims=False, *, where=True):
        return reduced("logical_or", self, axis, None, out, keepdims, None, where)

    def all(self, axis=None, out=None, keepdims=False, *, where=True):
        return reduced("logical_and", self, axis, None, out, keepdims, None, where)

    def mean(self, axis=None, dtype=None, out=None, keepdims=False, *, where=True):
        if where is not True:
            raise _missing("mean(where=)")
        t = self._t if dtype is None else self._t.to(as_dtype(dtype)._torch)
        axes = _axes(axis, t.dim())
        found = _mean(t, axes, keepdims)
        if _errors.state.checks:
            _errors_of_mean(t, axes, found)
        _fits_out("add", found, out)
        return _given(found if dtype is None else found.to(t.dtype), out)

    def var(self, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, correction=None):
        return _given(self._spread(axis, dtype, out, ddof, keepdims, correction), out)

    def _spread(self, axis, dtype, out, ddof, keepdims, correction):
        if correction is not None:
            if ddof != 0:
                raise ValueError("ddof and correction can't be provided simultaneously.")
            ddof = correction
        into = None if dtype is None else as_dtype(dtype)._torch
        t = self._t if into is None else self._t.to(into)
        axes = _axes(axis, t.dim())
        found = _variance(t, axes, ddof, keepdims)
        if _errors.state.checks:
            _errors_of_variance(t, axes, ddof, found)
        _fits_out("add", found, out)
        return found if into is None or into.is_floating_point else found.to(into)

    def std(self, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, correction=None):
        found = self._spread(axis, dtype, out, ddof, keepdims, correction)
        return _given(found.sqrt().to(found.dtype), out)

    def _arg(self, function, axis, keepdims):
        if self._t.numel() == 0:
            raise ValueError(f"attempt to get {function.__name__} of an empty sequence")
        t = self._t if self._t.dtype is not torch.bool else self._t.to(torch.int8)
        if axis is None:
            r = function(t.reshape(-1), 0)
            return result(r if not keepdims else r.reshape([1] * t.dim()))
        return result(function(t, normalized(axis, t.dim()), keepdim=keepdims))

    def argmax(self, axis=None, out=None, *, keepdims=False):
        if out is not None:
            raise refused("numpy.ndarray.argmax", "out")
        return self._arg(torch.argmax, axis, keepdims)

    def argmin(self, axis=None, out=None, *, keepdims=False):
        if out is not None:
            raise refused("numpy.ndarray.argmin", "out")
        return self._arg(torch.argmin, axis, keepdims)

    def cumsum(self, axis=None, dtype=None, out=None):
        t = _wide(self._t, dtype)
        t = _summed(t.reshape(-1), 0) if axis is None else _summed(t, normalized(axis, t.dim()))
        _errors.of_all("accumulate", t, self._t)
        if dtype is None and out is None and self._t.dtype is torch.uint8:
            return _of_uint8(t)
        return _given(t, out)

    def cumprod(self, axis=None, dtype=None, out=None):
        t = _wide(self._t, dtype)
        t = (t.reshape(-1).cumprod(0) if axis is None else t.cumprod(normalized(axis, t.dim()))).to(t.dtype)
        _errors.of_all("accumulate", t, self._t)
        if dtype is None and out is None and self._t.dtype is torch.uint8:
            return _of_uint8(t)
        return _given(t, out)

    def round(self, decimals=0, out=None):
        t = self._t if self._t.dtype is not torch.bool else self._t.to(torch.float16)
        if t.dtype.is_complex:
            parts = _wrap(torch.view_as_real(t)).round(decimals)
            return _given(torch.view_as_complex(parts._t), out)
        if t.dtype.is_floating_point:
            if decimals == 0:
                t = t.round()
            elif self._t.dtype is torch.bool:
                step = "multiply" if decimals > 0 else "divide"
                raise UFuncTypeError(
                    f"Cannot cast ufunc '{step}' output from dtype('float64') to dtype('bool') with casting rule 'same_kind'"
                )
            else:
                # The scale is rounded to the dtype, too.
                scale = torch.tensor(10.0**abs(decimals), dtype=t.dtype)
                t = (t * scale).round() / scale if decimals > 0 else (t / scale).round() * scale
        elif decimals < 0:
            scale = 10**-decimals
            t = ((t.to(torch.float64) / scale).round() * scale).to(t.dtype)
        return _given(t, out)

    def clip(self, min=None, max=None, out=None):
        t = self
        if min is not None:
            t = _wrap(_binary("maximum", t, min))
        if max is not None:
            t = _wrap(_binary("minimum", t, max))
        return _given(_as_tensor(t), out)

    def dot(self, other, out=None):
        return dot(self, other, out)

    def conj(self):
        return _wrap(self._t.conj_physical()) if self._t.dtype.is_complex else self

    conjugate = conj

    def nonzero(self):
        if self._t.dim() == 0:
            raise ValueError(
                "Calling nonzero on 0d arrays is not allowed. Use np.atleast_1d(scalar).nonzero() instead."
            )
        return tuple(_wrap(t) for t in torch.nonzero(self._t, as_tuple=True))

    def sort(self, axis=-1, kind=None, order=None):
        if order is not None:
            raise refused("numpy.ndarray.sort", "order")
        self._t.copy_(torch.sort(self._t, dim=axis, stable=True).values)

    def argsort(self, axis=-1, kind=None, order=None):
        if order is not None:
            raise refused("numpy.ndarray.argsort", "order")
        t = self._t.reshape(-1) if axis is None or self._t.dim() == 0 else self._t
        return _wrap(torch.sort(t, dim=-1 if axis is None else axis, stable=True).indices)

    def partition(self, kth, axis=-1, kind="introselect", order=None):
        # What is sorted is partitioned at every place.
        self.sort(axis, None, order)

    def argpartition(self, kth, axis=-1, kind="introselect", order=None):
        return self.argsort(axis, None, order)

    def compress(self, condition, axis=None, out=None):
        from numpy._functions import compress

        return compress(condition, self, axis, out)

    def dumps(self):
        import pickle

        return pickle.dumps(self, protocol=4)

    def dump(self, file):
        import pickle

        if hasattr(file, "write"):
            pickle.dump(self, file, protocol=4)
            return
        with open(file, "wb") as f:
            pickle.dump(self, f, protocol=4)

    def searchsorted(self, v, side="left", sorter=None):
        if side not in ("left", "right"):
            raise ValueError(f"search side must be 'left' or 'right' (got {side!r})")
        own = self._t if sorter is None else self._t[_as_tensor(sorter)]
        kind = promote(own.dtype, _as_tensor(v).dtype)
        return result(torch.searchsorted(own.to(kind), _as_tensor(v).to(kind), right=side == "right"))


def _errors_of_mean(t, axes, found):
    if _count(t, axes) == 0:
        _errors.warn("Mean of empty slice")
        if found.numel():
            _errors.happened("divide" if found.dim() else "scalar divide", ["invalid"])
    else:
        _errors.of_reduction("reduce", found, t, axes)


def _errors_of_variance(t, axes, ddof, found):
    count = _count(t, axes)
    divide = "divide" if found.dim() else "scalar divide"
    if count - ddof <= 0:
        _errors.warn("Degrees of freedom <= 0 for slice")
        if found.numel() and count == 0:
            _errors.happened("divide", ["invalid"])
        if (found != found).any():
            _errors.happened(divide, ["invalid"])
        if torch.isinf(found).any():
            _errors.happened(divide, ["divide"])
    elif not _C._all_finite(found):
        if torch.isinf(t).any():
            _errors.happened("subtract", ["invalid"])
        elif torch.isinf(found).any():
            _errors.happened("multiply", ["over"])


_dtypes._SEVERAL += (ndarray,)
_types.qualified(ndarray)
_C._numpy(
    ndarray, generic, _wrap, float64, _dtypes.float32, _dtypes.int64, _dtypes._TRUE, _dtypes._FALSE, _errors.state
)
_short.of_class(ndarray)
for _name in _C._short_ways("ndarray_getters"):
    _property = vars(ndarray)[_name]
    setattr(ndarray, _name, _property.getter(_C._short_way(f"ndarray_getters.{_name}", _property.fget)))
for _scalar in (float64, _dtypes.float32, _dtypes.int64, _dtypes.bool):
    _short.of_class(_scalar)

# What an array computes with; a tensor on the other side computes itself.
Operand = (ndarray, int, float, complex, generic, list, tuple)


class _Flat:
    """The items of an array in order."""

    def __init__(self, a):
        self._a = a

    def __iter__(self):
        return iter(self._a.reshape(-1))

    def __len__(self):
        return self._a.size

    def __getitem__(self, key):
        return self._a.reshape(-1)[key]

    def __setitem__(self, key, value):
        if not self._a._t.is_contiguous():
            raise _missing("writing into flat of an array that is not contiguous")
        self._a.reshape(-1)[key] = value


def _tuple_text(shape):
    return f"({','.join(str(int(n)) for n in shape)}{',' if len(shape) == 1 else ''})"


def _filled(size, shape):
    """A shape whose -1 has become what is left of the size."""
    known = 1
    for n in shape:
        known *= n if n != -1 else 1
    return [n if n != -1 else size // known for n in shape]


# Products


def _for_product(a, b):
    a, b = _common(a, b)
    return a, b, a.dtype


def _product_of(function, a, b, kind):
    if kind is torch.bool:
        return function(a.to(torch.int64), b.to(torch.int64)).to(torch.bool)
    return function(a, b)


def matmul(a, b, out=None):
    if is_unsigned(a) or is_unsigned(b):
        if out is not None:
            raise refused("numpy.matmul", "out")
        from numpy._unsigned import product

        return product(matmul, a, b)
    a, b, kind = _for_product(a, b)
    if a.dim() == 0 or b.dim() == 0:
        raise ValueError(
            "matmul: Input operand 0 does not have enough dimensions (has 0, gufunc core with signature "
            "(n?,k),(k,m?)->(n?,m?) requires 1)"
        )
    inner = b.shape[-2] if b.dim() > 1 else b.shape[0]
    if a.shape[-1] != inner:
        raise ValueError(
            "matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature "
            f"(n?,k),(k,m?)->(n?,m?) (size {inner} is different from {a.shape[-1]})"
        )
    t = _product_of(torch.matmul, a, b, kind)
    _errors.of_all("matmul", t, a, b)
    return _given(t, out)


def _summed(t, axis):
    if t.dtype is not torch.float16 or not t.shape[axis]:
        return t.cumsum(axis).to(t.dtype)
    # Each of the sums is rounded to 16 bits.
    rows = list(t.unbind(axis))
    for i in range(1, len(rows)):
        rows[i] = rows[i - 1] + rows[i]
    return torch.stack(rows, axis)


@_short.of_function
def dot(a, b, out=None):
    if is_unsigned(a) or is_unsigned(b):
        if out is not None:
            raise refused("numpy.dot", "out")
        from numpy._unsigned import product

        return product(dot, a, b)
    # A number is an array of its own dtype here.
    a, b, kind = _for_product(_as_tensor(a), _as_tensor(b))
    if a.dim() == 0 or b.dim() == 0:
        t = _OPERATIONS["multiply"](a, b)
        _errors.of_result("multiply", t, a, b)
        return _given(t, out)
    inner = b.dim() - 2 if b.dim() > 1 else 0
    if a.shape[-1] != b.shape[inner]:
        raise ValueError(
            f"shapes {_tuple_text(a.shape)} and {_tuple_text(b.shape)} not aligned: {a.shape[-1]} (dim "
            f"{a.dim() - 1}) != {b.shape[inner]} (dim {inner})"
        )
    if b.dim() <= 2:
        t = _product_of(torch.matmul, a, b, kind)
    else:
        t = _product_of(lambda x, y: torch.tensordot(x, y, ([x.dim() - 1], [inner])), a, b, kind)
    _errors.of_all("dot", t, a, b)
    return _given(t, out)
