"""Data as C has it: numbers, arrays, structures and unions over memory. Libraries in C cannot be loaded, so there are no
functions of theirs, and a pointer knows the object that it points to, not an address.
"""

import struct as _struct
from _types import GenericAlias as _GenericAlias

_CODES = {"b": "b", "B": "B", "h": "h", "H": "H", "i": "i", "I": "I", "l": "q", "L": "Q", "q": "q", "Q": "Q", "f": "f",
          "d": "d", "g": "d", "?": "?", "c": "c", "u": "I", "z": "Q", "Z": "Q", "P": "Q", "O": "Q"}


class ArgumentError(Exception):
    pass


class _CType(type):
    """The class of the classes: they can be multiplied to arrays, and placed on memory."""

    def __mul__(cls, length):
        if not isinstance(length, int):
            raise TypeError(f"can't multiply sequence by non-int of type '{type(length).__name__}'")
        if length < 0:
            raise ValueError("Array length must be >= 0, not " + str(length))
        known = _arrays.get((cls, length))
        if known is None:
            body = {"_type_": cls, "_length_": length, "__module__": cls.__module__}
            known = _arrays[cls, length] = _CType(f"{cls.__name__}_Array_{length}", (Array,), body)
        return known

    __rmul__ = __mul__

    def _at(cls, memory, owner):
        """An object of this type over memory that `owner` has."""
        made = cls.__new__(cls)
        object.__setattr__(made, "_memory", memory)
        object.__setattr__(made, "_owner", owner)
        return made

    def from_buffer(cls, source, offset=0):
        memory = memoryview(source)
        if memory.readonly:
            raise TypeError("underlying buffer is not writable")
        return cls._at(cls._cut(memory.cast("B"), offset), source)

    def from_buffer_copy(cls, source, offset=0):
        memory = memoryview(source).cast("B")
        return cls._at(memoryview(bytearray(cls._cut(memory, offset))), None)

    def _cut(cls, memory, offset):
        if offset < 0:
            raise ValueError("offset cannot be negative")
        if offset + cls._size > len(memory):
            raise ValueError(f"Buffer size too small ({len(memory)} instead of at least {offset + cls._size} bytes)")
        return memory[offset : offset + cls._size]


_arrays = {}


class _CData(metaclass=_CType):
    _size, _alignment = 0, 1

    def __new__(cls, *args, **kwargs):
        made = object.__new__(cls)
        object.__setattr__(made, "_memory", memoryview(bytearray(cls._size)))
        object.__setattr__(made, "_owner", None)
        return made

    def __reduce__(self):
        return _unpickled, (type(self), bytes(self._memory))


def _unpickled(cls, data):
    return cls.from_buffer_copy(data)


class _SimpleCData(_CData):
    _held = None

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        code = cls.__dict__.get("_type_")
        if code is not None:
            if code not in _CODES:
                raise AttributeError(
                    "class must define a '_type_' attribute which must be a single character string containing one of "
                    "'cbBhHiIlLfdgqQPzZuO?'")
            cls._format = "<" + _CODES[code]
            cls._size = cls._alignment = _struct.calcsize(cls._format)

    def __init__(self, value=None):
        if value is not None:
            self.value = value

    @property
    def value(self):
        return self._read(self._memory, self)

    @value.setter
    def value(self, value):
        self._write(self._memory, value, self)

    @classmethod
    def _read(cls, memory, of):
        if cls._type_ in "zZPO":
            return of._held
        (found,) = _struct.unpack(cls._format, memory)
        return chr(found) if cls._type_ == "u" else found

    @classmethod
    def _write(cls, memory, value, of):
        code = cls._type_
        if code in "zZPO":
            kind = {"z": bytes, "Z": str, "P": int}.get(code, object)
            if value is not None and not isinstance(value, kind):
                shown = {"z": "bytes or integer address", "Z": "unicode string or integer address"}
                raise TypeError(f"{shown.get(code, 'cannot be converted to pointer')} expected instead of "
                                f"{type(value).__name__} instance" if code in shown else "cannot be converted to pointer")
            of._held = value
            return
        if code == "?":
            value = bool(value)
        elif code == "c":
            if isinstance(value, int) and 0 <= value < 256:
                value = bytes((value,))
            if not isinstance(value, (bytes, bytearray)) or len(value) != 1:
                raise TypeError("one character bytes, bytearray or integer expected")
            value = bytes(value)
        elif code == "u":
            if not isinstance(value, str):
                raise TypeError(f"unicode string expected instead of {type(value).__name__} instance")
            if len(value) != 1:
                raise TypeError("one character unicode string expected")
            value = ord(value)
        elif code in "fdg":
            if not isinstance(value, (int, float)):
                raise TypeError("must be real number, not " + type(value).__name__)
            if code == "f":
                value = _single(value)
        else:
            if not isinstance(value, int):
                raise TypeError(f"'{type(value).__name__}' object cannot be interpreted as an integer")
            # Without a check for what does not fit, as in C.
            bits = 8 * cls._size
            value &= (1 << bits) - 1
            if cls._format[1].islower() and value >> bits - 1:
                value -= 1 << bits
        memory[:] = _struct.pack(cls._format, value)

    def __repr__(self):
        if type(self).__bases__[0] is not _SimpleCData:
            return object.__repr__(self)
        return f"{type(self).__name__}({self.value!r})"

    def __bool__(self):
        return bool(self.value) if self._type_ != "c" else self.value != b"\0"

    def __ctypes_from_outparam__(self):
        return self.value


def _single(value):
    try:
        _struct.pack("<f", value)
        return value
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


def _is_plain(kind):
    """Whether objects of a type are read as Python's numbers where they are parts of others."""
    return issubclass(kind, _SimpleCData) and kind.__bases__[0] is _SimpleCData


def _get(kind, memory, owner):
    if _is_plain(kind) and kind._type_ not in "zZPO":
        return kind._read(memory, None)
    return kind._at(memory, owner)


def _set(kind, memory, value, owner):
    if isinstance(value, kind):
        memory[:] = value._memory
    elif issubclass(kind, _SimpleCData):
        if kind._type_ in "zZPO":
            raise NotImplementedError("pointers inside of ctypes arrays and structures are not implemented in janus-jit yet")
        kind._write(memory, value, None)
    elif issubclass(kind, Array) and kind._type_ is c_char and isinstance(value, bytes):
        kind._at(memory, owner).value = value
    elif isinstance(value, tuple):
        kind.__init__(kind._at(memory, owner), *value)
    else:
        raise TypeError(f"expected {kind.__name__} instance, got {type(value).__name__}")


class Array(_CData):
    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        if "_length_" in cls.__dict__ or "_type_" in cls.__dict__:
            cls._size, cls._alignment = cls._type_._size * cls._length_, cls._type_._alignment

    def __init__(self, *args):
        if len(args) > self._length_:
            raise IndexError("invalid index")
        for at, value in enumerate(args):
            self[at] = value

    def __len__(self):
        return self._length_

    def _part(self, at):
        at = at.__index__()
        at = at + self._length_ if at < 0 else at
        if not 0 <= at < self._length_:
            raise IndexError("invalid index")
        size = self._type_._size
        return self._memory[at * size : (at + 1) * size]

    def __getitem__(self, key):
        if isinstance(key, slice):
            found = [self[at] for at in range(*key.indices(self._length_))]
            if self._type_ is c_char:
                return b"".join(found)
            return "".join(found) if self._type_ is c_wchar else found
        if not hasattr(key, "__index__"):
            raise TypeError("indices must be integers")
        return _get(self._type_, self._part(key), self)

    def __setitem__(self, key, value):
        if isinstance(key, slice):
            places = range(*key.indices(self._length_))
            if len(places) != len(value):
                raise ValueError("Can only assign sequence of same size")
            for at, item in zip(places, value):
                self[at] = item
            return
        _set(self._type_, self._part(key), value, self)

    def __iter__(self):
        return (self[at] for at in range(self._length_))

    def _only(self, kind):
        if self._type_ is not kind and not (kind is c_char and self._type_ is c_wchar):
            raise AttributeError(f"'{type(self).__name__}' object has no attribute")

    @property
    def raw(self):
        self._only(c_char)
        return bytes(self._memory)

    @raw.setter
    def raw(self, data):
        if len(data) > len(self._memory):
            raise ValueError("byte string too long")
        self._memory[: len(data)] = bytes(data)

    @property
    def value(self):
        self._only(c_char)
        if self._type_ is c_wchar:
            return self[:].split("\0")[0]
        return bytes(self._memory).split(b"\0")[0]

    @value.setter
    def value(self, value):
        self._only(c_char)
        if not isinstance(value, str if self._type_ is c_wchar else bytes):
            raise TypeError(("unicode string" if self._type_ is c_wchar else "bytes") +
                            f" expected instead of {type(value).__name__} instance")
        if len(value) > self._length_:
            raise ValueError("string too long" if self._type_ is c_wchar else "byte string too long")
        items = list(value) if self._type_ is c_wchar else [bytes((b,)) for b in value]
        for at, item in enumerate(items):
            self[at] = item
        if len(items) < self._length_:
            self[len(items)] = "\0" if self._type_ is c_wchar else b"\0"


class _Field:
    def __init__(self, name, kind, offset):
        self._name, self._kind, self.offset, self.size = name, kind, offset, kind._size

    def __get__(self, owner, cls=None):
        if owner is None:
            return self
        return _get(self._kind, owner._memory[self.offset : self.offset + self.size], owner)

    def __set__(self, owner, value):
        _set(self._kind, owner._memory[self.offset : self.offset + self.size], value, owner)

    def __repr__(self):
        return f"<Field type={self._kind.__name__}, ofs={self.offset}, size={self.size}>"


class _CRecordType(_CType):
    def __setattr__(cls, name, value):
        super().__setattr__(name, value)
        if name == "_fields_":
            cls._lay_out(value)


class _Record(_CData, metaclass=_CRecordType):
    _names = ()

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        if "_fields_" in cls.__dict__:
            cls._lay_out(cls._fields_)

    @classmethod
    def _lay_out(cls, fields):
        base = cls.__mro__[1]
        end, alignment = base._size, base._alignment
        pack = getattr(cls, "_pack_", None)
        names = []
        for field in fields:
            if len(field) != 2:
                raise NotImplementedError("bit fields of ctypes are not implemented in janus-jit yet")
            name, kind = field
            step = kind._alignment if pack is None else min(pack, kind._alignment)
            offset = 0 if cls._overlaps else -(-end // step) * step
            type.__setattr__(cls, name, _Field(name, kind, offset))
            end = max(end, offset + kind._size)
            alignment = max(alignment, step)
            names.append(name)
        type.__setattr__(cls, "_names", base._names + tuple(names))
        type.__setattr__(cls, "_size", -(-end // alignment) * alignment)
        type.__setattr__(cls, "_alignment", alignment)

    def __init__(self, *args, **kwargs):
        if len(args) > len(self._names):
            raise TypeError("too many initializers")
        for name, value in zip(self._names, args):
            if name in kwargs:
                raise TypeError(f"duplicate values for field {name!r}")
            setattr(self, name, value)
        for name, value in kwargs.items():
            setattr(self, name, value)


class Structure(_Record):
    _overlaps = False


class Union(_Record):
    _overlaps = True


def _define(name, code):
    return _CType(name, (_SimpleCData,), {"_type_": code, "__module__": "ctypes"})


c_bool = _define("c_bool", "?")
c_byte = c_int8 = _define("c_byte", "b")
c_ubyte = c_uint8 = _define("c_ubyte", "B")
c_short = c_int16 = _define("c_short", "h")
c_ushort = c_uint16 = _define("c_ushort", "H")
c_int = c_int32 = _define("c_int", "i")
c_uint = c_uint32 = _define("c_uint", "I")
c_long = c_longlong = c_int64 = c_ssize_t = _define("c_long", "l")
c_ulong = c_ulonglong = c_uint64 = c_size_t = _define("c_ulong", "L")
c_float = _define("c_float", "f")
c_double = c_longdouble = _define("c_double", "d")
c_char = _define("c_char", "c")
c_wchar = _define("c_wchar", "u")
c_char_p = _define("c_char_p", "z")
c_wchar_p = _define("c_wchar_p", "Z")
c_void_p = c_voidp = _define("c_void_p", "P")
py_object = _define("py_object", "O")


def _of(value):
    kind = value if isinstance(value, type) else type(value)
    if not issubclass(kind, _CData):
        raise TypeError("this type has no size")
    return kind


def sizeof(obj_or_type, /):
    return _of(obj_or_type)._size


def alignment(obj_or_type, /):
    return _of(obj_or_type)._alignment


class _Address(int):
    """What stands for the place of an object."""

    def __new__(cls, of):
        made = int.__new__(cls, id(of))
        made.of = of
        return made


def addressof(obj, /):
    if not isinstance(obj, _CData):
        raise TypeError("invalid type")
    return _Address(obj)


def _memory_of(place):
    place = place.of if isinstance(place, _Address) else getattr(place, "contents", place)
    if isinstance(place, _CData):
        return place._memory
    raise NotImplementedError("memory at an address is not implemented in janus-jit: there are no libraries in C")


def memset(dst, c, count):
    _memory_of(dst)[:count] = bytes((c & 0xFF,)) * count
    return dst


def memmove(dst, src, count):
    data = src if isinstance(src, (bytes, bytearray)) else _memory_of(src)
    _memory_of(dst)[:count] = bytes(data[:count])
    return dst


def string_at(ptr, size=-1):
    data = ptr if isinstance(ptr, bytes) else bytes(_memory_of(ptr))
    return data.split(b"\0")[0] if size < 0 else data[:size]


class _Pointer(_CData):
    _size = _alignment = 8

    def __init__(self, contents=None):
        self._held = None
        if contents is not None:
            self.contents = contents

    @property
    def contents(self):
        if self._held is None:
            raise ValueError("NULL pointer access")
        return self._held

    @contents.setter
    def contents(self, value):
        if not isinstance(value, self._type_):
            raise TypeError(f"expected {self._type_.__name__} instead of {type(value).__name__}")
        self._held = value

    def _only(self, at):
        if at != 0:
            raise NotImplementedError("arithmetic of ctypes pointers is not implemented in janus-jit")
        return self.contents

    def __getitem__(self, at):
        held = self._only(at)
        return _get(self._type_, held._memory, held)

    def __setitem__(self, at, value):
        held = self._only(at)
        _set(self._type_, held._memory, value, held)

    def __bool__(self):
        return self._held is not None


_pointers = {}


def POINTER(kind, /):
    if kind not in _pointers:
        _pointers[kind] = _CType("LP_" + kind.__name__, (_Pointer,), {"_type_": kind, "__module__": "ctypes"})
    return _pointers[kind]


def pointer(obj, /):
    return POINTER(type(obj))(obj)


byref = pointer


def create_string_buffer(init, size=None):
    if isinstance(init, bytes):
        made = (c_char * (len(init) + 1 if size is None else size))()
        made.value = init
        return made
    if isinstance(init, int):
        return (c_char * init)()
    raise TypeError(init)


def create_unicode_buffer(init, size=None):
    if isinstance(init, str):
        made = (c_wchar * (len(init) + 1 if size is None else size))()
        made.value = init
        return made
    if isinstance(init, int):
        return (c_wchar * init)()
    raise TypeError(init)


def ARRAY(typ, len):
    return typ * len


class CDLL:
    def __init__(self, name, *args, **kwargs):
        raise OSError(f"{name}: libraries in C cannot be loaded by janus-jit")


PyDLL = CDLL


class LibraryLoader:
    __class_getitem__ = classmethod(_GenericAlias)

    def __init__(self, dlltype):
        self._dlltype = dlltype

    def __getattr__(self, name):
        if name[0] == "_":
            raise AttributeError(name)
        return self.LoadLibrary(name)

    def __getitem__(self, name):
        return getattr(self, name)

    def LoadLibrary(self, name):
        return self._dlltype(name)


cdll, pydll = LibraryLoader(CDLL), LibraryLoader(PyDLL)


def __getattr__(name):
    if name in ("cast", "CFUNCTYPE", "PYFUNCTYPE", "pythonapi", "util", "wintypes", "BigEndianStructure", "resize",
                "LittleEndianStructure", "wstring_at", "get_errno", "set_errno"):
        raise AttributeError(f"ctypes.{name} is not implemented in janus-jit yet")
    raise AttributeError(f"module 'ctypes' has no attribute '{name}'")
