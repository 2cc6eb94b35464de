"""Numbers as C has them. Libraries in C cannot be loaded, so there are no functions, pointers and structures."""

import struct

_BITS = {"b": 8, "h": 16, "i": 32, "q": 64}


class _SimpleCData:
    def __init__(self, value=None):
        self.value = self._empty if value is None else value

    def __setattr__(self, name, value):
        object.__setattr__(self, name, self._kept(value) if name == "value" else value)

    @classmethod
    def _kept(cls, value):
        code = cls._type_
        if code == "?":
            return bool(value)
        if code in "fd":
            if not isinstance(value, (int, float)):
                raise TypeError("must be real number, not " + type(value).__name__)
            return struct.unpack("<" + code, struct.pack("<" + code, value))[0]
        if code in ("c", "z", "P"):
            return value
        if not isinstance(value, int):
            raise TypeError(f"an integer is required (got type {type(value).__name__})")
        # Without a check for what does not fit, as in C.
        bits = _BITS[code.lower()]
        value &= (1 << bits) - 1
        return value - (1 << bits) if code.islower() and value >> bits - 1 else value

    def __repr__(self):
        return f"{type(self).__name__}({self.value!r})"

    def __bool__(self):
        return bool(self.value)

    def __class_getitem__(cls, item):
        return cls


def _define(name, code, empty=0):
    return type(name, (_SimpleCData,), {"_type_": code, "_empty": empty, "__module__": "ctypes"})


c_bool = _define("c_bool", "?", False)
c_byte = c_int8 = _define("c_byte", "b")
c_ubyte = c_uint8 = _define("c_ubyte", "B")
c_short = c_int16 = _define("c_short", "h")
c_ushort = c_uint16 = _define("c_ushort", "H")
c_int = c_int32 = _define("c_int", "i")
c_uint = c_uint32 = _define("c_uint", "I")
c_long = c_longlong = c_int64 = c_ssize_t = _define("c_long", "q")
c_ulong = c_ulonglong = c_uint64 = c_size_t = _define("c_ulong", "Q")
c_float = _define("c_float", "f", 0.0)
c_double = c_longdouble = _define("c_double", "d", 0.0)
c_char = _define("c_char", "c", b"\0")
c_char_p = _define("c_char_p", "z", None)
c_void_p = _define("c_void_p", "P", None)


def sizeof(kind):
    code = (kind if isinstance(kind, type) else type(kind))._type_
    return 8 if code in ("z", "P") else 1 if code == "c" else struct.calcsize("<" + code)


class CDLL:
    def __init__(self, name, *args, **kwargs):
        raise OSError(f"{name}: libraries in C cannot be loaded by janus-jit")


PyDLL = CDLL


class _Loader:
    def LoadLibrary(self, name):
        return CDLL(name)


cdll = pydll = _Loader()


def __getattr__(name):
    if name in ("Structure", "Union", "POINTER", "pointer", "byref", "cast", "Array", "CFUNCTYPE", "create_string_buffer",
                "string_at", "memmove", "addressof", "pythonapi", "py_object", "util"):
        raise AttributeError(f"ctypes.{name} is not implemented in janus-jit yet")
    raise AttributeError(f"module 'ctypes' has no attribute '{name}'")
