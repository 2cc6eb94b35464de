"""Pickling in protocol 2 to 4; protocols 0 to 5 are read, without out-of-band buffers."""

from _refused import refused
import copyreg
import struct
import sys

__all__ = ["PickleError", "PicklingError", "UnpicklingError", "Pickler", "Unpickler", "dump", "dumps", "load",
           "loads", "HIGHEST_PROTOCOL", "DEFAULT_PROTOCOL"]

HIGHEST_PROTOCOL = 5
DEFAULT_PROTOCOL = 4


class PickleError(Exception):
    pass


class PicklingError(PickleError):
    pass


class UnpicklingError(PickleError):
    pass


# Where CPython keeps what has another home here.
_HOMES = {"_io": "io", "posixpath": "os.path"}


def _find(module, name):
    # Names of Python 2.
    module = {"__builtin__": "builtins", "copy_reg": "copyreg", "cPickle": "pickle"}.get(module, module)
    if module == "copyreg" and name == "_reconstructor":
        return _reconstructor
    if module not in sys.modules:
        from _imp import import_module
        import_module(module)
    value = sys.modules[module]
    for part in name.split("."):
        value = getattr(value, part)
    return value


def _reconstructor(cls, base, state):
    return object.__new__(cls) if base is object else base.__new__(cls, state)


class Pickler:
    def __init__(self, file, protocol=None, *, fix_imports=True, buffer_callback=None):
        if buffer_callback is not None:
            raise refused("pickle.Pickler", "buffer_callback")
        if protocol is None:
            protocol = DEFAULT_PROTOCOL
        if protocol < 0:
            protocol = HIGHEST_PROTOCOL
        if protocol > HIGHEST_PROTOCOL:
            raise ValueError(f"pickle protocol must be <= {HIGHEST_PROTOCOL}")
        self.proto = min(max(protocol, 2), 4)
        self._file_write = file.write
        self.memo = {}

    def clear_memo(self):
        self.memo.clear()

    def persistent_id(self, obj):
        return None

    def dump(self, obj):
        self._parts = [b"\x80", bytes([self.proto])]
        self.write = self._parts.append
        self.save(obj)
        self.write(b".")
        self._file_write(b"".join(self._parts))

    def _memoize(self, obj):
        number = len(self.memo)
        # The object is kept, so that its id stays its own.
        self.memo[id(obj)] = number, obj
        if self.proto >= 4:
            self.write(b"\x94")
        else:
            self.write(b"q" + bytes([number]) if number < 256 else b"r" + struct.pack("<I", number))

    def _get(self, number):
        self.write(b"h" + bytes([number]) if number < 256 else b"j" + struct.pack("<I", number))

    def save(self, obj):
        pid = self.persistent_id(obj)
        if pid is not None:
            self.save(pid)
            self.write(b"Q")
            return
        cls = type(obj)
        if obj is None:
            self.write(b"N")
        elif cls is bool:
            self.write(b"\x88" if obj else b"\x89")
        elif cls is int:
            self._save_int(obj)
        elif cls is float:
            self.write(b"G" + struct.pack(">d", obj))
        elif id(obj) in self.memo:
            self._get(self.memo[id(obj)][0])
        elif cls in _SAVERS:
            _SAVERS[cls](self, obj)
        else:
            self._save_other(obj, cls)

    def _save_int(self, obj):
        if 0 <= obj < 256:
            self.write(b"K" + bytes([obj]))
        elif 0 <= obj < 65536:
            self.write(b"M" + struct.pack("<H", obj))
        elif -(1 << 31) <= obj < 1 << 31:
            self.write(b"J" + struct.pack("<i", obj))
        else:
            data = obj.to_bytes((obj.bit_length() >> 3) + 1, "little", signed=True)
            if obj < 0 and len(data) > 1 and data[-1] == 0xFF and data[-2] & 0x80:
                data = data[:-1]
            self.write(b"\x8a" + bytes([len(data)]) + data if len(data) < 256
                       else b"\x8b" + struct.pack("<i", len(data)) + data)

    def _save_str(self, obj):
        data = obj.encode("utf-8", "surrogatepass")
        if self.proto >= 4 and len(data) < 256:
            self.write(b"\x8c" + bytes([len(data)]) + data)
        elif len(data) > 0xFFFFFFFF:
            self.write(b"\x8d" + struct.pack("<Q", len(data)) + data)
        else:
            self.write(b"X" + struct.pack("<I", len(data)) + data)
        self._memoize(obj)

    def _save_bytes(self, obj):
        if self.proto < 3:
            self._reduce((_encoded, (obj.decode("latin-1"), "latin1")), obj)
            return
        if len(obj) < 256:
            self.write(b"C" + bytes([len(obj)]) + obj)
        elif len(obj) > 0xFFFFFFFF:
            self.write(b"\x8e" + struct.pack("<Q", len(obj)) + obj)
        else:
            self.write(b"B" + struct.pack("<I", len(obj)) + obj)
        self._memoize(obj)

    def _save_tuple(self, obj):
        if not obj:
            self.write(b")")
            return
        if len(obj) > 3:
            self.write(b"(")
        for item in obj:
            self.save(item)
        if id(obj) in self.memo:
            # It was saved while its items were: they refer back to it.
            self.write(b"0" * len(obj) if len(obj) <= 3 else b"1")
            self._get(self.memo[id(obj)][0])
            return
        self.write((b"\x85", b"\x86", b"\x87")[len(obj) - 1] if len(obj) <= 3 else b"t")
        self._memoize(obj)

    def _save_list(self, obj):
        self.write(b"]")
        self._memoize(obj)
        self._items(obj)

    def _items(self, items):
        batch = []
        for item in items:
            batch.append(item)
            if len(batch) == 1000:
                self._append(batch)
                batch = []
        self._append(batch)

    def _append(self, batch):
        if len(batch) == 1:
            self.save(batch[0])
            self.write(b"a")
        elif batch:
            self.write(b"(")
            for item in batch:
                self.save(item)
            self.write(b"e")

    def _save_dict(self, obj):
        self.write(b"}")
        self._memoize(obj)
        self._pairs(list(obj.items()))

    def _pairs(self, pairs):
        pairs = list(pairs)
        for start in range(0, len(pairs), 1000):
            batch = pairs[start:start + 1000]
            if len(batch) == 1:
                self.save(batch[0][0])
                self.save(batch[0][1])
                self.write(b"s")
                continue
            self.write(b"(")
            for key, value in batch:
                self.save(key)
                self.save(value)
            self.write(b"u")

    def _save_set(self, obj):
        if self.proto < 4:
            self._reduce((set, (list(obj),)), obj)
            return
        self.write(b"\x8f")
        self._memoize(obj)
        if obj:
            self.write(b"(")
            for item in obj:
                self.save(item)
            self.write(b"\x90")

    def _save_frozenset(self, obj):
        if self.proto < 4:
            self._reduce((frozenset, (list(obj),)), obj)
            return
        self.write(b"(")
        for item in obj:
            self.save(item)
        self.write(b"\x91")
        self._memoize(obj)

    def _save_global(self, obj, name=None):
        name = name or getattr(obj, "__qualname__", None) or obj.__name__
        module = getattr(obj, "__module__", None) or "__main__"
        if name.startswith("_io."):
            name = name[4:]
        module = _HOMES.get(module, module)
        try:
            found = _find(module, name)
        except (ImportError, KeyError, AttributeError):
            raise PicklingError(f"Can't pickle {obj!r}: attribute lookup {name} on {module} failed") from None
        if found is not obj:
            raise PicklingError(f"Can't pickle {obj!r}: it's not the same object as {module}.{name}")
        if self.proto >= 4:
            self.save(module)
            self.save(name)
            self.write(b"\x93")
        else:
            self.write(b"c" + module.encode() + b"\n" + name.encode() + b"\n")
        self._memoize(obj)

    def _save_other(self, obj, cls):
        dispatch = getattr(self, "dispatch_table", copyreg.dispatch_table)
        if cls in dispatch:
            self._save_reduced(dispatch[cls](obj), obj)
        elif issubclass(cls, type):
            special = {type(None): None, type(NotImplemented): NotImplemented, type(...): ...}
            if obj in special:
                self._reduce((type, (special[obj],)), obj)
            else:
                self._save_global(obj)
        elif obj is NotImplemented or obj is ...:
            self._save_global(obj, "Ellipsis" if obj is ... else "NotImplemented")
        elif cls in (_FUNCTION, _BUILTIN):
            owner = getattr(obj, "__self__", None)
            if owner is not None and not isinstance(owner, type(sys)):
                self._reduce((getattr, (owner, obj.__name__)), obj)
            else:
                self._save_global(obj)
        elif cls is _METHOD:
            self._reduce((getattr, (obj.__self__, obj.__func__.__name__)), obj)
        else:
            self._save_reduced(_reduced(obj, cls), obj)

    def _save_reduced(self, value, obj):
        if isinstance(value, str):
            self._save_global(obj, value)
        else:
            self._reduce(value, obj)

    def _reduce(self, value, obj):
        func, args, state, items, pairs = (tuple(value) + (None, None, None))[:5]
        if func is copyreg.__newobj__:
            self.save(args[0])
            self.save(tuple(args[1:]))
            self.write(b"\x81")
        elif func is copyreg.__newobj_ex__ and self.proto >= 4:
            for part in args:
                self.save(part)
            self.write(b"\x92")
        else:
            self.save(func)
            self.save(tuple(args))
            self.write(b"R")
        if id(obj) in self.memo:
            self.write(b"0")
            self._get(self.memo[id(obj)][0])
        else:
            self._memoize(obj)
        if items is not None:
            self._items(items)
        if pairs is not None:
            self._pairs(pairs)
        if state is not None:
            self.save(state)
            self.write(b"b")


def _reduced(obj, cls):
    custom = getattr(cls, "__reduce_ex__", None)
    if custom is not None and custom is not getattr(object, "__reduce_ex__", None):
        return obj.__reduce_ex__(4)
    custom = getattr(cls, "__reduce__", None)
    if custom is not None and custom is not getattr(object, "__reduce__", None):
        return obj.__reduce__()
    return copyreg.default_reduce(obj)


def _encoded(text, encoding):
    return text.encode(encoding)


class _Sample:
    def method(self):
        pass


_FUNCTION, _BUILTIN, _METHOD = type(_encoded), type(len), type(_Sample().method)
_SAVERS = {
    str: Pickler._save_str, bytes: Pickler._save_bytes, tuple: Pickler._save_tuple, list: Pickler._save_list,
    dict: Pickler._save_dict, set: Pickler._save_set, frozenset: Pickler._save_frozenset,
}


class Unpickler:
    _loaders = None  # set below

    def __init__(self, file, *, fix_imports=True, encoding="ASCII", errors="strict", buffers=None):
        if buffers is not None:
            raise refused("pickle.Unpickler", "buffers")
        self._file = file
        self._encoding, self._errors = encoding, errors
        self.memo = {}

    def find_class(self, module, name):
        return _find(module, name)

    def persistent_load(self, pid):
        raise UnpicklingError("unsupported persistent id encountered")

    def _read(self, count):
        data = self._file.read(count)
        if len(data) < count:
            raise EOFError("Ran out of input") if not data else UnpicklingError("pickle data was truncated")
        return data

    def _line(self):
        line = self._file.readline()
        if not line.endswith(b"\n"):
            raise UnpicklingError("pickle data was truncated")
        return line[:-1]

    def load(self):
        # What lies below a mark is kept in `_below` until what lies above it is taken.
        self.stack, self._below = [], []
        dispatch = self._loaders
        read = self._file.read
        while True:
            key = read(1)
            if not key:
                raise EOFError("Ran out of input")
            if key == b".":
                return self._pop()
            loader = dispatch.get(key)
            if loader is None:
                self._unknown(key)
            loader(self)

    def _unknown(self, key):
        shown = key.decode("latin-1") if key.isascii() and key.decode().isprintable() else f"\\x{key[0]:02x}"
        raise UnpicklingError(f"invalid load key, '{shown}'.")

    def _underflow(self):
        return UnpicklingError("unexpected MARK found" if self._below else "unpickling stack underflow")

    def _pop(self):
        if not self.stack:
            raise self._underflow()
        return self.stack.pop()

    def _top(self):
        if not self.stack:
            raise self._underflow()
        return self.stack[-1]

    def _since_mark(self):
        if not self._below:
            raise UnpicklingError("could not find MARK")
        items, self.stack = self.stack, self._below.pop()
        return items

    def _recall(self, index):
        if index not in self.memo:
            raise UnpicklingError(f"Memo value not found at index {index}")
        return self.memo[index]

    def _old_str(self, data):
        if self._encoding == "bytes":
            return data
        return data.decode(self._encoding, self._errors)

    def _build(self):
        state = self._pop()
        target = self._top()
        setstate = getattr(target, "__setstate__", None)
        if setstate is not None:
            setstate(state)
            return
        slots = None
        if isinstance(state, tuple) and len(state) == 2:
            state, slots = state
        if state:
            if not isinstance(state, dict):
                raise UnpicklingError("state is not a dictionary")
            target.__dict__.update(state)
        if slots and not isinstance(slots, dict):
            raise UnpicklingError("slot state is not a dictionary")
        for name, value in (slots or {}).items():
            setattr(target, name, value)

    def _reduce(self):
        args = self._pop()
        func = self._pop()
        if not isinstance(args, tuple):
            raise TypeError("argument list must be a tuple")
        self.stack.append(func(*args))

    def _new(self, cls, args, kwargs):
        if not isinstance(cls, type):
            raise UnpicklingError(f"NEWOBJ class argument must be a type, not {type(cls).__name__}")
        if not isinstance(args, tuple):
            raise UnpicklingError(f"NEWOBJ expected an arg tuple, got {type(args).__name__}")
        self.stack.append(cls.__new__(cls, *args, **kwargs))

    def _instance(self, cls, args):
        self.stack.append(cls(*args) if args or not isinstance(cls, type) or hasattr(cls, "__getinitargs__")
                          else cls.__new__(cls))


def _loader_table():
    table = {}

    def on(key):
        def add(function):
            table[key] = function
            return function

        return add

    def push(key, make):
        def loader(u):
            # What is made may take all since a mark, and put another list in the stack's place.
            value = make(u)
            u.stack.append(value)

        table[key] = loader

    def number(format):
        size = struct.calcsize(format)
        return lambda u: struct.unpack(format, u._read(size))[0]

    byte = lambda u: u._read(1)[0]

    @on(b"\x80")
    def protocol(u):
        if (given := byte(u)) > HIGHEST_PROTOCOL:
            raise ValueError(f"unsupported pickle protocol: {given}")

    def long_size(u):
        count = number("<i")(u)
        if count < 0:
            raise UnpicklingError("LONG pickle has negative byte count")
        return count

    table[b"\x95"] = lambda u: u._read(8)

    @on(b"(")
    def mark(u):
        u._below.append(u.stack)
        u.stack = []

    push(b"N", lambda u: None)
    push(b"\x88", lambda u: True)
    push(b"\x89", lambda u: False)
    push(b"K", byte)
    push(b"M", number("<H"))
    push(b"J", number("<i"))
    push(b"G", number(">d"))
    push(b"\x8a", lambda u: int.from_bytes(u._read(byte(u)), "little", signed=True))
    push(b"\x8b", lambda u: int.from_bytes(u._read(long_size(u)), "little", signed=True))
    push(b"I", lambda u: {b"00": False, b"01": True}[line] if (line := u._line()) in (b"00", b"01") else int(line))
    push(b"L", lambda u: int(u._line().rstrip(b"L")))
    push(b"F", lambda u: float(u._line()))
    push(b"\x8c", lambda u: u._read(byte(u)).decode("utf-8", "surrogatepass"))
    push(b"X", lambda u: u._read(number("<I")(u)).decode("utf-8", "surrogatepass"))
    push(b"\x8d", lambda u: u._read(number("<Q")(u)).decode("utf-8", "surrogatepass"))
    push(b"C", lambda u: u._read(byte(u)))
    push(b"B", lambda u: u._read(number("<I")(u)))
    push(b"\x8e", lambda u: u._read(number("<Q")(u)))
    push(b"\x96", lambda u: bytearray(u._read(number("<Q")(u))))
    push(b"U", lambda u: u._old_str(u._read(byte(u))))
    push(b"T", lambda u: u._old_str(u._read(number("<I")(u))))
    push(b"S", lambda u: u._old_str(_unquoted(u._line())))
    push(b"V", lambda u: _unescaped(u._line().decode("latin-1")))
    push(b")", lambda u: ())
    push(b"]", lambda u: [])
    push(b"}", lambda u: {})
    push(b"\x8f", lambda u: set())
    push(b"t", lambda u: tuple(u._since_mark()))
    push(b"l", lambda u: u._since_mark())
    push(b"\x91", lambda u: frozenset(u._since_mark()))
    push(b"2", lambda u: u._top())
    push(b"c", lambda u: u.find_class(u._line().decode(), u._line().decode()))
    push(b"P", lambda u: u.persistent_load(u._line().decode()))
    push(b"Q", lambda u: u.persistent_load(u._pop()))
    push(b"g", lambda u: u._recall(int(u._line())))
    push(b"h", lambda u: u._recall(byte(u)))
    push(b"j", lambda u: u._recall(number("<I")(u)))
    table[b"0"] = lambda u: u._pop() if u.stack or not u._below else u._since_mark()
    table[b"1"] = lambda u: u._since_mark()
    table[b"b"] = lambda u: u._build()

    def store(key, index):
        def loader(u):
            at = index(u)
            value = u._top()
            if at < 0:
                raise ValueError("negative PUT argument")
            u.memo[at] = value

        table[key] = loader

    store(b"p", lambda u: int(u._line()))
    store(b"q", byte)
    store(b"r", number("<I"))
    store(b"\x94", lambda u: len(u.memo))

    def tuple_of(key, count):
        def loader(u):
            if len(u.stack) < count:
                raise u._underflow()
            items = tuple(u.stack[-count:])
            del u.stack[-count:]
            u.stack.append(items)

        table[key] = loader

    tuple_of(b"\x85", 1)
    tuple_of(b"\x86", 2)
    tuple_of(b"\x87", 3)

    def pairs(items, name):
        if len(items) % 2:
            raise UnpicklingError(f"odd number of items for {name}")
        return [(items[i], items[i + 1]) for i in range(0, len(items), 2)]

    push(b"d", lambda u: dict(pairs(u._since_mark(), "DICT")))

    @on(b"a")
    def append(u):
        value = u._pop()
        u._top().append(value)

    @on(b"e")
    def appends(u):
        items = u._since_mark()
        target = u._top()
        if hasattr(target, "extend"):
            target.extend(items)
        else:
            for item in items:
                target.append(item)

    @on(b"s")
    def setitem(u):
        value = u._pop()
        key = u._pop()
        u._top()[key] = value

    @on(b"u")
    def setitems(u):
        items = u._since_mark()
        target = u._top()
        for key, value in pairs(items, "SETITEMS"):
            target[key] = value

    @on(b"\x90")
    def additems(u):
        items = u._since_mark()
        target = u._top()
        if isinstance(target, set):
            target.update(items)
        else:
            for item in items:
                target.add(item)

    @on(b"\x93")
    def stack_global(u):
        name = u._pop()
        module = u._pop()
        if type(name) is not str or type(module) is not str:
            raise UnpicklingError("STACK_GLOBAL requires str")
        u.stack.append(u.find_class(module, name))

    table[b"R"] = lambda u: u._reduce()

    @on(b"\x81")
    def newobj(u):
        args = u._pop()
        u._new(u._pop(), args, {})

    @on(b"\x92")
    def newobj_ex(u):
        kwargs = u._pop()
        args = u._pop()
        u._new(u._pop(), args, kwargs)

    @on(b"i")
    def inst(u):
        cls = u.find_class(u._line().decode(), u._line().decode())
        u._instance(cls, u._since_mark())

    @on(b"o")
    def obj(u):
        items = u._since_mark()
        if not items:
            raise u._underflow()
        u._instance(items[0], items[1:])

    return table


def _unescaped(text):
    if "\\u" not in text and "\\U" not in text:
        return text
    import re
    return re.sub(r"\\u([0-9a-fA-F]{4})|\\U([0-9a-fA-F]{8})",
                  lambda match: chr(int(match.group(1) or match.group(2), 16)), text)


def _unquoted(line):
    line = line.rstrip()
    if len(line) < 2 or line[:1] != line[-1:] or line[:1] not in (b"'", b'"'):
        raise UnpicklingError("the STRING opcode argument must be quoted")
    return _without_escapes(line[1:-1])


_ESCAPES = {b"\n": b"", b"\\": b"\\", b"'": b"'", b'"': b'"', b"a": b"\a", b"b": b"\b", b"f": b"\f", b"n": b"\n",
            b"r": b"\r", b"t": b"\t", b"v": b"\v"}


def _without_escapes(data):
    """The bytes that a literal stands for. It is only read, since the file is not to be trusted."""
    out, at = [], 0
    while (found := data.find(b"\\", at)) >= 0:
        out.append(data[at:found])
        kind = data[found + 1:found + 2]
        at = found + 2
        if not kind:
            raise ValueError("Trailing \\ in string")
        if kind in _ESCAPES:
            out.append(_ESCAPES[kind])
        elif kind in b"01234567":
            end = found + 1
            while end < found + 4 and data[end:end + 1] and data[end:end + 1] in b"01234567":
                end += 1
            out.append(bytes([int(data[found + 1:end], 8) & 0xFF]))
            at = end
        elif kind == b"x":
            digits = data[at:at + 2]
            if len(digits) < 2 or not all(c in b"0123456789abcdefABCDEF" for c in digits):
                raise ValueError(f"invalid \\x escape at position {found}")
            out.append(bytes([int(digits, 16)]))
            at += 2
        else:
            out.append(b"\\" + kind)
    out.append(data[at:])
    return b"".join(out)


Unpickler._loaders = _loader_table()


def dump(obj, file, protocol=None, *, fix_imports=True, buffer_callback=None):
    if buffer_callback is not None:
        raise refused("pickle.dump", "buffer_callback")
    Pickler(file, protocol).dump(obj)


def dumps(obj, protocol=None, *, fix_imports=True, buffer_callback=None):
    if buffer_callback is not None:
        raise refused("pickle.dumps", "buffer_callback")
    from io import BytesIO
    out = BytesIO()
    Pickler(out, protocol).dump(obj)
    return out.getvalue()


def load(file, *, fix_imports=True, encoding="ASCII", errors="strict", buffers=None):
    if buffers is not None:
        raise refused("pickle.load", "buffers")
    return Unpickler(file, encoding=encoding, errors=errors).load()


def loads(data, /, *, fix_imports=True, encoding="ASCII", errors="strict", buffers=None):
    if buffers is not None:
        raise refused("pickle.loads", "buffers")
    if isinstance(data, str):
        raise TypeError("a bytes-like object is required, not 'str'")
    from io import BytesIO
    return Unpickler(BytesIO(data), encoding=encoding, errors=errors).load()


# The names that CPython gives to what it has in Python besides C.
_Pickler, _Unpickler = Pickler, Unpickler
_dump, _dumps, _load, _loads = dump, dumps, load, loads
bytes_types = (bytes, bytearray)
