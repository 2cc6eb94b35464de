"""dtypes, their promotion (NEP 50), and the scalars that arrays hold.

A scalar is an int or a float with a dtype: `np.float32(1)` is an instance of float here, which in NumPy only
`np.float64` is.
"""

from _refused import refused
import struct
import _types
import torch

from numpy import _errors

_bool, _int, _float, _complex = bool, int, float, complex
_SCALARS = (int, float, complex)
# Operations of ints that may not fit, or that zero is no divisor of.
_OF_INTS = ("add", "subtract", "multiply", "floor_divide", "remainder")

# What makes an array where a number makes a scalar; `_array` adds its own.
_SEVERAL = (list, tuple, torch.Tensor)


def _of_several(scalar, values):
    from numpy._array import array

    a = array(values, dtype=scalar)
    return a if a.ndim else a[()]


def _by_arrays(a, b):
    """Whether NumPy takes an int and a float, whose result has another dtype than either, for arrays."""
    if not isinstance(a, integer):
        return False
    return type(b) is _float or isinstance(b, floating) and promote_types(a.dtype, b.dtype) is not b.dtype


class Operators:
    """Operators of what computes by `_with(name, other, reflected)`: scalars and arrays."""

    __slots__ = ()

    def __add__(self, other):
        return self._with("add", other)

    def __radd__(self, other):
        return self._with("add", other, True)

    def __sub__(self, other):
        return self._with("subtract", other)

    def __rsub__(self, other):
        return self._with("subtract", other, True)

    # A sequence is repeated by the int that a scalar is.
    def __mul__(self, other):
        return NotImplemented if isinstance(other, (list, tuple, str, bytes)) else self._with("multiply", other)

    def __rmul__(self, other):
        return NotImplemented if isinstance(other, (list, tuple, str, bytes)) else self._with("multiply", other, True)

    def __truediv__(self, other):
        return self._with("divide", other)

    def __rtruediv__(self, other):
        return self._with("divide", other, True)

    def __floordiv__(self, other):
        return self._with("floor_divide", other)

    def __rfloordiv__(self, other):
        return self._with("floor_divide", other, True)

    def __mod__(self, other):
        return self._with("remainder", other)

    def __rmod__(self, other):
        return self._with("remainder", other, True)

    def __divmod__(self, other):
        whole = self._with("floor_divide", other)
        return whole if whole is NotImplemented else (whole, self._with("remainder", other))

    def __rdivmod__(self, other):
        whole = self._with("floor_divide", other, True)
        return whole if whole is NotImplemented else (whole, self._with("remainder", other, True))

    def __pow__(self, other):
        return self._with("power", other)

    def __rpow__(self, other):
        return self._with("power", other, True)

    def __lt__(self, other):
        return self._with("less", other)

    def __le__(self, other):
        return self._with("less_equal", other)

    def __gt__(self, other):
        return self._with("greater", other)

    def __ge__(self, other):
        return self._with("greater_equal", other)

    def __eq__(self, other):
        return self._with("equal", other)

    def __ne__(self, other):
        return self._with("not_equal", other)


class BitOperators:
    """The same of those that have bits."""

    __slots__ = ()

    def __and__(self, other):
        return self._with("bitwise_and", other)

    def __rand__(self, other):
        return self._with("bitwise_and", other, True)

    def __or__(self, other):
        return self._with("bitwise_or", other)

    def __ror__(self, other):
        return self._with("bitwise_or", other, True)

    def __xor__(self, other):
        return self._with("bitwise_xor", other)

    def __rxor__(self, other):
        return self._with("bitwise_xor", other, True)

    def __lshift__(self, other):
        return self._with("left_shift", other)

    def __rlshift__(self, other):
        return self._with("left_shift", other, True)

    def __rshift__(self, other):
        return self._with("right_shift", other)

    def __rrshift__(self, other):
        return self._with("right_shift", other, True)


class generic(Operators):
    """What all scalars are."""

    # The built-in class that holds the number is none of NumPy's bases: its operators leave scalars to these.
    _stands_apart = True

    def __class_getitem__(cls, item):
        return cls

    ndim = 0
    shape = ()
    size = 1

    @property
    def dtype(self):
        return type(self)._dtype

    @property
    def itemsize(self):
        return type(self)._dtype.itemsize

    nbytes = itemsize

    @property
    def T(self):
        return self

    def item(self):
        return self._plain()

    def tolist(self):
        return self._plain()

    def copy(self):
        return self

    def __getattr__(self, name):
        # sum(), reshape(), ...: those of an array of no dimensions.
        from numpy._array import asarray, ndarray

        if name.startswith("__") or not hasattr(ndarray, name):
            raise AttributeError(f"'numpy.{type(self).__name__}' object has no attribute '{name}'")
        return getattr(asarray(self), name)

    def astype(self, dtype, **options):
        from numpy._array import asarray

        return asarray(self).astype(dtype, **options)[()]

    def __getitem__(self, key):
        from numpy._array import asarray

        if key == () or key is Ellipsis or key is None:
            return asarray(self)[key]
        raise IndexError("invalid index to scalar variable.")

    def __array__(self, dtype=None, copy=None):
        if copy is not None:
            raise refused("numpy.generic.__array__", "copy")
        from numpy._array import array

        return array(self, dtype=dtype)

    def _with(self, name, other, reflected=False):
        from numpy._array import Operand, binary

        if not isinstance(other, Operand):
            return NotImplemented
        a, b = (other, self) if reflected else (self, other)
        if not isinstance(other, _SCALARS):
            return binary(name, a, b)
        ints = isinstance(a, _int) and isinstance(b, _int)
        if ints and name in _OF_INTS:
            # What happened is told of the numbers below, and not of the arrays.
            checks, _errors.state.checks = _errors.state.checks, False
            try:
                n = binary(name, a, b)
            finally:
                _errors.state.checks = checks
            if not isinstance(n, bool):
                _errors.of_ints(name, n, a, b)
            return n
        return binary(name, a, b, name if _by_arrays(a, b) or _by_arrays(b, a) else f"scalar {name}")

    def __neg__(self):
        return type(self)(-self._plain())

    def __pos__(self):
        return self

    def __abs__(self):
        return type(self)(abs(self._plain()))

    def __repr__(self):
        return f"np.{type(self).__name__}({str(self)})"

    def __reduce__(self):
        from numpy._array import asarray
        from numpy._core.multiarray import scalar

        return (scalar, (self.dtype, asarray(self).tobytes()))


class number(generic):
    pass


class integer(BitOperators, number):
    def _plain(self):
        return _int(_int.__index__(self))

    def __new__(cls, value=0):
        if isinstance(value, _SEVERAL):
            return _of_several(cls, value)
        value = _int(value)
        dtype = cls._dtype
        if not dtype._low <= value <= dtype._high:
            raise OverflowError(f"Python integer {value} out of bounds for {dtype.name}")
        return _int.__new__(cls, value)

    def _wrapped(self, n):
        """The number of this dtype that an int comes to."""
        low, high = self._dtype._low, self._dtype._high
        return type(self)((n - low) % (high - low + 1) + low)

    def __neg__(self):
        return self._fitted("negative", -self._plain())

    def __abs__(self):
        return self._fitted("absolute", abs(self._plain()))

    def _fitted(self, name, n):
        made = self._wrapped(n)
        if int(made) != n and _errors.state.checks:
            _errors.happened(f"scalar {name}", ["over"])
        return made

    def __hash__(self):
        return hash(self._plain())

    def __str__(self):
        return str(self._plain())

    def __format__(self, spec):
        return format(self._plain(), spec)

    def __invert__(self):
        n = ~self._plain()
        return type(self)(n & self._dtype._high if self._dtype.kind == "u" else n)

    def __round__(self, ndigits=None):
        return self._plain() if ndigits is None else type(self)(round(self._plain(), ndigits))

    def is_integer(self):
        return True


class signedinteger(integer):
    pass


class unsignedinteger(integer):
    pass


class inexact(number):
    pass


class floating(inexact):
    def _plain(self):
        return _float.__float__(self)

    def __hash__(self):
        return hash(self._plain())

    def __str__(self):
        from numpy._print import scalar_text

        return scalar_text(self)

    def __format__(self, spec):
        return format(self._plain(), spec)

    def __round__(self, ndigits=None):
        if ndigits is None:
            return round(self._plain())
        return self._with_array("round", ndigits)

    def _with_array(self, method, *args):
        from numpy._array import asarray

        return getattr(asarray(self), method)(*args)


class complexfloating(inexact):
    # A complex number's parts are floats of half its size.
    def _plain(self):
        return _complex.__pos__(self)

    def __new__(cls, real=0, imag=0):
        if isinstance(real, _SEVERAL):
            return _of_several(cls, real)
        return _complex.__new__(cls, cls._rounded(_complex(real, imag)))

    @property
    def real(self):
        return self._part(self._plain().real)

    @property
    def imag(self):
        return self._part(self._plain().imag)

    def conj(self):
        return type(self)(self._plain().conjugate())

    conjugate = conj

    def __abs__(self):
        return self._part(abs(self._plain()))

    def __hash__(self):
        return hash(self._plain())

    def __complex__(self):
        return self._plain()

    def __str__(self):
        from numpy._print import complex_text

        return complex_text(self)

    def __repr__(self):
        text = str(self)
        return f"np.{type(self).__name__}{text if text.startswith('(') else f'({text})'}"

    def __format__(self, spec):
        return format(self._plain(), spec)


class bool(BitOperators, generic, int):
    def _plain(self):
        return _int.__ne__(self, 0)

    def __new__(cls, value=False):
        if isinstance(value, _SEVERAL):
            return _of_several(cls, value)
        return _int.__new__(cls, 1 if value else 0)

    def __hash__(self):
        return hash(self._plain())

    def __repr__(self):
        return f"np.{self._plain()}_"

    def __str__(self):
        return str(self._plain())

    def __format__(self, spec):
        return format(self._plain(), spec)

    def __bool__(self):
        return self._plain()

    def __neg__(self):
        raise TypeError(
            "The numpy boolean negative, the `-` operator, is not supported, use the `~` operator or the "
            "logical_not function instead."
        )

    def __invert__(self):
        return bool(not self._plain())


class int8(signedinteger, int):
    pass


class int16(signedinteger, int):
    pass


class int32(signedinteger, int):
    pass


class int64(signedinteger, int):
    pass


class uint8(unsignedinteger, int):
    pass


class _Uncounted:
    def _with(self, name, other, reflected=False):
        from numpy._array import Operand
        from numpy._unsigned import computed

        if not isinstance(other, Operand):
            return NotImplemented
        a, b = (other, self) if reflected else (self, other)
        n = computed(name, a, b)
        if name in _OF_INTS and isinstance(other, _int) and isinstance(n, _int):
            _errors.of_ints(name, n, a, b)
        return n

    def astype(self, dtype):
        dtype = as_dtype(dtype)
        n = self._plain()
        if dtype.kind in "iu":
            n &= 2 ** (8 * dtype.itemsize) - 1
            n = n - dtype._high + dtype._low - 1 if n > dtype._high else n
        return dtype.type(n)


class uint16(_Uncounted, unsignedinteger, int):
    pass


class uint32(_Uncounted, unsignedinteger, int):
    pass


class uint64(_Uncounted, unsignedinteger, int):
    pass


def _narrow(form):
    """What makes a float of a form of `struct`."""

    def new(cls, value=0.0):
        if isinstance(value, _SEVERAL):
            return _of_several(cls, value)
        value = _float(value)
        try:
            (value,) = struct.unpack(form, struct.pack(form, value))
        except OverflowError:
            value = _float("inf") if value > 0 else _float("-inf")
        return _float.__new__(cls, value)

    return new


class float16(floating, float):
    __new__ = _narrow("e")


class float32(floating, float):
    __new__ = _narrow("f")


class complex64(complexfloating, complex):
    @staticmethod
    def _rounded(value):
        return _complex(float32(value.real), float32(value.imag))

    @staticmethod
    def _part(value):
        return float32(value)


class complex128(complexfloating, complex):
    @staticmethod
    def _rounded(value):
        return value

    @staticmethod
    def _part(value):
        return float64(value)


def _quick(kinds, operation, name, reflected=False):
    """An operator of a scalar that needs no array where the other side is a plain number, which is the common case."""

    def method(self, other):
        if type(other) in kinds:
            found = operation(self, other)
            if found is not None:
                return found
        if name == "multiply" and isinstance(other, (list, tuple, str, bytes)):
            return NotImplemented
        return self._with(name, other, reflected)

    return method


def _add_quick(scalar, kinds, made):
    """Operators for a scalar's class: `made` makes a scalar of a number, or None of one that it cannot hold."""
    base = scalar.__mro__[-2]

    def of(operation):
        return lambda a, b: made(operation(a, b))

    def by_other(operation):
        # What is not defined for zero is the array's to say.
        return lambda a, b: made(operation(a, b)) if b else None

    def compared(operation):
        return lambda a, b: _TRUE if operation(a, b) else _FALSE

    table = {
        "__add__": ("add", of(base.__add__)), "__radd__": ("add", of(base.__radd__)),
        "__sub__": ("subtract", of(base.__sub__)), "__rsub__": ("subtract", of(base.__rsub__)),
        "__mul__": ("multiply", of(base.__mul__)), "__rmul__": ("multiply", of(base.__rmul__)),
        "__floordiv__": ("floor_divide", by_other(base.__floordiv__)),
        "__mod__": ("remainder", by_other(base.__mod__)),
        "__lt__": ("less", compared(base.__lt__)), "__le__": ("less_equal", compared(base.__le__)),
        "__gt__": ("greater", compared(base.__gt__)), "__ge__": ("greater_equal", compared(base.__ge__)),
        "__eq__": ("equal", compared(base.__eq__)), "__ne__": ("not_equal", compared(base.__ne__)),
    }
    for method, (name, operation) in table.items():
        setattr(scalar, method, _quick(kinds, operation, name, method.startswith("__r")))


class float64(floating, float):
    _stands_apart = False

    def __new__(cls, value=0.0):
        if isinstance(value, _SEVERAL):
            return _of_several(cls, value)
        return _float.__new__(cls, value)

    # With plain numbers, which is the common case, it needs no array. These are written out, since each call that they
    # do not make shows.

    def __add__(self, other):
        if type(other) in _NUMBERS:
            n = _float.__add__(self, other)
            if n - n == 0:
                return _float_new(float64, n)
            return _float_new(float64, _errors.scalar("add", n, self, other))
        return self._with("add", other)

    def __radd__(self, other):
        if type(other) in _NUMBERS:
            n = _float.__radd__(self, other)
            if n - n == 0:
                return _float_new(float64, n)
            return _float_new(float64, _errors.scalar("add", n, other, self))
        return self._with("add", other, True)

    def __sub__(self, other):
        if type(other) in _NUMBERS:
            n = _float.__sub__(self, other)
            if n - n == 0:
                return _float_new(float64, n)
            return _float_new(float64, _errors.scalar("subtract", n, self, other))
        return self._with("subtract", other)

    def __rsub__(self, other):
        if type(other) in _NUMBERS:
            n = _float.__rsub__(self, other)
            if n - n == 0:
                return _float_new(float64, n)
            return _float_new(float64, _errors.scalar("subtract", n, other, self))
        return self._with("subtract", other, True)

    def __mul__(self, other):
        if type(other) in _NUMBERS:
            n = _float.__mul__(self, other)
            if _TINY <= n <= _MAX or -_MAX <= n <= -_TINY:
                return _float_new(float64, n)
            return _float_new(float64, _errors.scalar("multiply", n, self, other))
        return self._with("multiply", other)

    def __rmul__(self, other):
        if type(other) in _NUMBERS:
            n = _float.__rmul__(self, other)
            if _TINY <= n <= _MAX or -_MAX <= n <= -_TINY:
                return _float_new(float64, n)
            return _float_new(float64, _errors.scalar("multiply", n, other, self))
        return self._with("multiply", other, True)

    def __truediv__(self, other):
        if type(other) in _NUMBERS and other != 0:
            n = _float.__truediv__(self, other)
            if _TINY <= n <= _MAX or -_MAX <= n <= -_TINY:
                return _float_new(float64, n)
            return _float_new(float64, _errors.scalar("divide", n, self, other))
        return self._with("divide", other)

    def __rtruediv__(self, other):
        if type(other) in _NUMBERS and self != 0:
            n = _float.__rtruediv__(self, other)
            if _TINY <= n <= _MAX or -_MAX <= n <= -_TINY:
                return _float_new(float64, n)
            return _float_new(float64, _errors.scalar("divide", n, other, self))
        return self._with("divide", other, True)

    def __floordiv__(self, other):
        if type(other) in _NUMBERS and other != 0:
            n = _float.__floordiv__(self, other)
            if n - n == 0:
                return _float_new(float64, n)
            return _float_new(float64, _errors.scalar("floor_divide", n, self, other))
        return self._with("floor_divide", other)

    def __mod__(self, other):
        if type(other) in _NUMBERS and other != 0:
            n = _float.__mod__(self, other)
            if n - n == 0:
                return _float_new(float64, n)
            return _float_new(float64, _errors.scalar("remainder", n, self, other))
        return self._with("remainder", other)

    def __lt__(self, other):
        if type(other) in _NUMBERS:
            return _TRUE if _float.__lt__(self, other) else _FALSE
        return self._with("less", other)

    def __le__(self, other):
        if type(other) in _NUMBERS:
            return _TRUE if _float.__le__(self, other) else _FALSE
        return self._with("less_equal", other)

    def __gt__(self, other):
        if type(other) in _NUMBERS:
            return _TRUE if _float.__gt__(self, other) else _FALSE
        return self._with("greater", other)

    def __ge__(self, other):
        if type(other) in _NUMBERS:
            return _TRUE if _float.__ge__(self, other) else _FALSE
        return self._with("greater_equal", other)

    def __eq__(self, other):
        if type(other) in _NUMBERS:
            return _TRUE if _float.__eq__(self, other) else _FALSE
        return self._with("equal", other)

    def __ne__(self, other):
        if type(other) in _NUMBERS:
            return _TRUE if _float.__ne__(self, other) else _FALSE
        return self._with("not_equal", other)

    def __neg__(self):
        return _float_new(float64, _float.__neg__(self))

    def __abs__(self):
        return _float_new(float64, _float.__abs__(self))

    __hash__ = floating.__hash__


_float_new = _float.__new__
_TINY, _MAX = 2.2250738585072014e-308, 1.7976931348623157e308
_NUMBERS = (float64, _float, _int)
_TRUE, _FALSE = bool(True), bool(False)
_add_quick(int64, (int64, _int), lambda n: _int.__new__(int64, n) if -(2**63) <= n < 2**63 else None)


class object_(generic):
    """What stands for any object; it makes none of its own."""

    def __new__(cls, value=None):
        return value


class flexible(generic):
    """Scalars of any length."""

    @property
    def dtype(self):
        if isinstance(self, str):
            return item_dtype("U", len(self))
        if isinstance(self, bytes):
            return item_dtype("S", len(self))
        raise NotImplementedError(f"dtypes of numpy.{type(self).__name__} are not implemented in janus-jit yet")

    @property
    def itemsize(self):
        return self.dtype.itemsize

    nbytes = itemsize


class void(flexible):
    def __new__(cls, *values, **options):
        raise NotImplementedError("numpy.void is not implemented in janus-jit yet")


class character(flexible):
    pass


class str_(str, character):
    def _plain(self):
        return str.__str__(self)

    def __repr__(self):
        return f"np.str_({str.__repr__(self)})"

    def __reduce__(self):
        return (str_, (str.__str__(self),))


class bytes_(bytes, character):
    def _plain(self):
        return bytes(self)

    def __repr__(self):
        return f"np.bytes_({bytes.__repr__(self)})"

    def __reduce__(self):
        return (bytes_, (bytes(self),))


class dtype:
    """What the items of an array are: one object for each kind."""

    def __new__(cls, spec=None, align=False, copy=False):
        if align:
            raise refused("numpy.dtype", "align")
        return as_dtype(spec)

    def __class_getitem__(cls, item):
        return cls

    def __repr__(self):
        return f"dtype('{self.name}')"

    def __str__(self):
        return self.name

    def __hash__(self):
        return hash(self.name)

    def __eq__(self, other):
        if isinstance(other, dtype):
            return self is other
        try:
            return other is not None and self is as_dtype(other)
        except (TypeError, NotImplementedError):
            return False

    def __ne__(self, other):
        return not self == other

    def __reduce__(self):
        order = "|" if self.itemsize == 1 else "<"
        return (dtype, (f"{self.kind}{self.itemsize}", False, True), (3, order, None, None, None, -1, -1, 0))

    def __setstate__(self, state):
        if state[1] == ">":
            raise NotImplementedError("dtypes in another byte order are not implemented in janus-jit yet")

    @property
    def str(self):
        order = "|" if self.itemsize == 1 else "<"
        return f"{order}{self.kind}{self.itemsize}"

    def newbyteorder(self, order="S"):
        if order in ("<", "=", "L", "N"):
            return self
        raise NotImplementedError("dtypes in another byte order are not implemented in janus-jit yet")


class UnsignedDType(dtype):
    """One that no tensor has."""

    @property
    def _torch(self):
        raise NotImplementedError(f"an array of {self.name} is not implemented in janus-jit yet")


def _define(scalar, torch_dtype, kind, char, aliases):
    d = object.__new__(dtype if torch_dtype.itemsize == 1 or kind != "u" else UnsignedDType)
    d.name = scalar.__name__
    d.type, d.kind, d.char = scalar, kind, char
    d.itemsize = torch_dtype.itemsize
    d.names = d.fields = None
    d.byteorder = "|" if d.itemsize == 1 else "="
    bits = 8 * d.itemsize
    if kind == "u":
        d._low, d._high = 0, 2**bits - 1
    elif kind == "i":
        d._low, d._high = -(2 ** (bits - 1)), 2 ** (bits - 1) - 1
    scalar._dtype = d
    scalar.__module__ = "numpy"
    if not isinstance(d, UnsignedDType):
        scalar._torch = d._torch = torch_dtype
        _BY_TORCH[torch_dtype] = d
    for key in (scalar, d.name, char, f"{kind}{d.itemsize}", *aliases):
        _BY_SPEC[key] = d
    return d


_BY_TORCH = {}
_BY_SPEC = {}
BOOL = _define(bool, torch.bool, "b", "?", (_bool, "bool_", "b1", "|b1"))
UINT8 = _define(uint8, torch.uint8, "u", "B", ("ubyte", "|u1"))
_define(uint16, torch.uint16, "u", "H", ("ushort", "<u2"))
_define(uint32, torch.uint32, "u", "I", ("uintc", "<u4"))
UINT64 = _define(uint64, torch.uint64, "u", "L", ("uint", "uintp", "<u8"))
INT8 = _define(int8, torch.int8, "i", "b", ("byte", "|i1"))
INT16 = _define(int16, torch.int16, "i", "h", ("short", "<i2"))
INT32 = _define(int32, torch.int32, "i", "i", ("intc", "<i4"))
INT64 = _define(int64, torch.int64, "i", "l", (_int, "int", "int_", "long", "q", "p", "<i8", integer, signedinteger))
FLOAT16 = _define(float16, torch.float16, "f", "e", ("half", "<f2"))
FLOAT32 = _define(float32, torch.float32, "f", "f", ("single", "<f4"))
FLOAT64 = _define(
    float64, torch.float64, "f", "d", (_float, "float", "float_", "double", "<f8", None, floating, inexact, number)
)
COMPLEX64 = _define(complex64, torch.complex64, "c", "F", ("csingle", "<c8"))
COMPLEX128 = _define(
    complex128, torch.complex128, "c", "D", (_complex, "complex", "complex_", "cdouble", "<c16", complexfloating)
)

# What NumPy has and tensors here have not.
_UNKNOWN = (
    "longdouble", "float128", "clongdouble", "complex256", "datetime64", "timedelta64", "g", "G", "c32",
)


def as_dtype(spec):
    """The dtype that a dtype, a scalar's class, a Python type or a string stands for."""
    if isinstance(spec, dtype):
        return spec
    try:
        found = _BY_SPEC.get(spec)
    except TypeError:
        if isinstance(spec, (list, dict)):
            return fields_of_spec(spec)
        raise TypeError(f"Cannot interpret '{spec!r}' as a data type") from None
    if found is not None:
        return found
    if isinstance(spec, str) and "," in spec:
        return fields_of_spec(spec)
    if isinstance(spec, str):
        letters = spec.lstrip("<=|")
        if letters[:1] in ("U", "S", "a") and letters[1:].isdigit():
            return item_dtype("S" if letters[0] == "a" else letters[0], int(letters[1:]))
        if spec in _UNKNOWN or spec[:1] in "<>|=" or spec[:1] in "US":
            raise NotImplementedError(f"dtype('{spec}') is not implemented in janus-jit yet")
        raise TypeError(f"data type '{spec}' not understood")
    if isinstance(spec, torch.dtype):
        raise TypeError(f"Cannot interpret '{spec}' as a data type")
    own = getattr(spec, "dtype", None)
    if isinstance(own, dtype):
        return own
    if isinstance(spec, type):
        raise NotImplementedError(f"arrays of {spec.__name__} are not implemented in janus-jit yet")
    raise TypeError(f"Cannot interpret '{spec!r}' as a data type")


def of_torch(torch_dtype):
    """NumPy's dtype of a tensor's."""
    return _BY_TORCH[torch_dtype]


def promote(a, b):
    """The dtype that holds what two tensors' dtypes hold; all three are PyTorch's."""
    if a is b:
        return a
    both = torch.promote_types(a, b)
    if both is torch.float32:
        # An int of more than 16 bits does not fit into a float of 32.
        for one in (a, b):
            if one in (torch.int32, torch.int64):
                return torch.float64
    if both is torch.complex64:
        for one in (a, b):
            if one in (torch.int32, torch.int64):
                return torch.complex128
    if both is torch.float16:
        # Nor one of more than 8 bits into a float of 16.
        for one in (a, b):
            if one in (torch.int32, torch.int64):
                return torch.float64
            if one is torch.int16:
                return torch.float32
    return both


def weak(d, number):
    """The dtype of an operation between a tensor of `d` and a Python number."""
    if type(number) is _bool or d.is_complex:
        return d
    if type(number) is _complex:
        if d.is_floating_point:
            return torch.complex128 if d is torch.float64 else torch.complex64
        return torch.complex128
    if d.is_floating_point:
        return d
    if type(number) is _float:
        return torch.float64
    if d is torch.bool:
        return torch.int64
    own = _BY_TORCH[d]
    if not own._low <= number <= own._high:
        raise OverflowError(f"Python integer {number} out of bounds for {own.name}")
    return d


def common(a, b):
    """The dtype that holds what two dtypes hold."""
    if a is b:
        return a
    if not (isinstance(a, UnsignedDType) or isinstance(b, UnsignedDType)):
        return _BY_TORCH[promote(a._torch, b._torch)]
    if not isinstance(a, UnsignedDType) or isinstance(b, UnsignedDType) and b.itemsize > a.itemsize:
        a, b = b, a
    if b.kind in "bu":
        return a
    if b.kind == "f":
        return common(b, FLOAT32) if a.itemsize == 2 else FLOAT64
    if b.kind == "c":
        return b if a.itemsize == 2 else COMPLEX128
    if a.itemsize == 8:
        return FLOAT64
    return b if b.itemsize > a.itemsize else INT32 if a.itemsize == 2 else INT64


def promote_types(a, b):
    return common(as_dtype(a), as_dtype(b))


def can_cast(a, b, casting="safe"):
    a, b = as_dtype(a), as_dtype(b)
    if casting == "unsafe" or a is b:
        return True
    if casting in ("no", "equiv"):
        return False
    if promote_types(a, b) is b:
        return True
    order = "buifc"
    return casting == "same_kind" and order.index(a.kind) <= order.index(b.kind) and (a.kind, b.kind) != ("i", "u")


# The scalars of dtypes that no array has here, by what stands for those.
_WITHOUT_ARRAYS = {
    str: str_, "str": str_, "U": str_, bytes: bytes_, "bytes": bytes_, "S": bytes_, memoryview: void, "void": void,
    "V": void, object: object_, "object": object_, "O": object_,
}


def _scalar(spec):
    """The class of the scalars of what may stand for a dtype. A class that is none of numbers stands for objects."""
    if isinstance(spec, type) and issubclass(spec, generic):
        return spec
    if isinstance(spec, (type, str)):
        found = _WITHOUT_ARRAYS.get(spec)
        if found is not None:
            return found
        if isinstance(spec, type) and spec not in _BY_SPEC and not isinstance(getattr(spec, "dtype", None), dtype):
            return object_
    return as_dtype(spec).type


def issubdtype(a, b):
    return issubclass(_scalar(a), _scalar(b))


class finfo:
    """Limits of a floating dtype."""

    def __init__(self, spec):
        d = as_dtype(spec if not isinstance(spec, inexact) else spec.dtype)
        if d.kind == "c":
            d = FLOAT32 if d.itemsize == 8 else FLOAT64
        if d.kind != "f":
            raise ValueError(f"data type {d.type!r} not inexact")
        info = torch.finfo(d._torch)
        self.dtype, self.bits = d, info.bits
        for name in ("eps", "max", "min", "tiny", "resolution"):
            setattr(self, name, d.type(getattr(info, name)))
        self.smallest_normal = self.tiny
        self.precision, self.nmant = {2: (3, 10), 4: (6, 23), 8: (15, 52)}[d.itemsize]
        self.epsneg = d.type(info.eps / 2)
        self.smallest_subnormal = d.type(info.tiny * info.eps)

    def __repr__(self):
        return f"finfo(resolution={self.resolution}, min={self.min}, max={self.max}, dtype={self.dtype})"


class iinfo:
    """Limits of an integer dtype."""

    def __init__(self, spec):
        d = as_dtype(spec if not isinstance(spec, integer) else spec.dtype)
        if d.kind not in "iu":
            raise ValueError(f"Invalid integer data type '{d.kind}'.")
        self.dtype, self.kind, self.bits = d, d.kind, 8 * d.itemsize
        self.min, self.max = d._low, d._high

    def __repr__(self):
        return f"iinfo(min={self.min}, max={self.max}, dtype={self.dtype})"


_types.qualified(
    generic, number, integer, signedinteger, unsignedinteger, inexact, floating, bool, int8, int16, int32, int64, uint8,
    uint16, uint32, uint64, float16, float32, float64, complexfloating, complex64, complex128, dtype,
    object_, flexible, void, character, str_, bytes_,
)

from numpy._flexible import OBJECT, ItemDType, NotNumbers, RecordDType, fields_of_spec, item_dtype
