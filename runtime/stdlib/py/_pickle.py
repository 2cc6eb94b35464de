"""What CPython's `pickle` has in C: the reader, which trusts no file. The writer is the one in Python."""

from _types import PickleBuffer
import copyreg
import struct
import sys

HIGHEST_PROTOCOL = 5


class PickleError(Exception):
    pass


class PicklingError(PickleError):
    pass


class UnpicklingError(PickleError):
    pass


def _find(module, name):
    try:
        return _found(module, name)
    except (ImportError, AttributeError):
        # By a name of Python 2.
        import _compat_pickle
        known = _compat_pickle.NAME_MAPPING.get((module, name))
        if known is None and module in _compat_pickle.IMPORT_MAPPING:
            known = _compat_pickle.IMPORT_MAPPING[module], name
        if known is None:
            raise
        return _found(*known)


def _found(module, name):
    if module not in sys.modules:
        from _imp import import_module
        import_module(module)
    return _attribute(sys.modules[module], name)


def _attribute(module, name):
    value = module
    for part in name.split("."):
        try:
            value = getattr(value, part)
        except AttributeError:
            raise AttributeError(f"Can't get attribute {name!r} on {module!r}") from None
    return value


def _extension(code):
    """What stands for a code of `copyreg.add_extension`."""
    if code in copyreg._extension_cache:
        return copyreg._extension_cache[code]
    key = copyreg._inverted_registry.get(code)
    if key is None:
        if code <= 0:
            raise UnpicklingError("EXT specifies code <= 0")
        raise ValueError(f"unregistered extension code {code}")
    return key


class Unpickler:
    _loaders = None  # set below

    def __init__(self, file, *, fix_imports=True, encoding="ASCII", errors="strict", buffers=None):
        self._file = file
        self._buffers = None if buffers is None else iter(buffers)
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

    def _push_extension(self, code):
        found = _extension(code)
        if isinstance(found, tuple) and code not in copyreg._extension_cache:
            found = copyreg._extension_cache[code] = self.find_class(*found)
        self.stack.append(found)

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


def _next_buffer(u):
    """The next of the buffers that the pickle left out."""
    if u._buffers is None:
        raise UnpicklingError("pickle stream refers to out-of-band data but no *buffers* argument was given")
    try:
        return next(u._buffers)
    except StopIteration:
        raise UnpicklingError("not enough out-of-band buffers") from None


def _read_only(u):
    """The buffer that was given last, so that it cannot be written through."""
    given = u._pop()
    view = memoryview(given)
    return given if view.readonly else view.toreadonly()


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
    push(b"\x97", _next_buffer)
    push(b"\x98", _read_only)
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
    @on(b"\x82")
    def ext1(u):
        u._push_extension(byte(u))

    @on(b"\x83")
    def ext2(u):
        u._push_extension(number("<H")(u))

    @on(b"\x84")
    def ext4(u):
        u._push_extension(number("<i")(u))

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


def load(file, *, fix_imports=True, encoding="ASCII", errors="strict", buffers=None):
    return Unpickler(file, encoding=encoding, errors=errors, buffers=buffers).load()


def loads(data, /, *, fix_imports=True, encoding="ASCII", errors="strict", buffers=None):
    if isinstance(data, str):
        raise TypeError("a bytes-like object is required, not 'str'")
    from io import BytesIO
    return Unpickler(BytesIO(data), encoding=encoding, errors=errors, buffers=buffers).load()


def _why_not_found(obj, name, module):
    """Why an object that is pickled by its name is not there under it, as the writer in C says; None if it is there."""
    if "<locals>" in name.split("."):
        return AttributeError(f"Can't pickle local object {name!r}")
    try:
        __import__(module, level=0)
        _attribute(sys.modules[module], name)
    except (ImportError, KeyError):
        return PicklingError(f"Can't pickle {obj!r}: import of module {module!r} failed")
    except AttributeError:
        return PicklingError(f"Can't pickle {obj!r}: attribute lookup {name} on {module} failed")


def _complete_writer():
    """Has the writer in Python name reasons as the one in C does."""
    import pickle
    writer = pickle._Pickler
    plain = writer.save_global

    def save_global(self, obj, name=None):
        try:
            return plain(self, obj, name)
        except PicklingError as error:
            name = name or getattr(obj, "__qualname__", None) or obj.__name__
            raise _why_not_found(obj, name, pickle.whichmodule(obj, name)) or error from None

    if plain.__name__ != "_complete":
        save_global.__name__ = "_complete"
        writer.save_global = save_global
        for kind, save in writer.dispatch.items():
            if save is plain:
                writer.dispatch[kind] = save_global
    return pickle


def __getattr__(name):
    # `pickle` imports from here while it is being made, when its writer is there.
    if name in ("Pickler", "dump", "dumps"):
        return getattr(_complete_writer(), "_" + name)
    raise AttributeError(f"module '_pickle' has no attribute {name!r}")
