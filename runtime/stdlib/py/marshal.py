"""Values and code as bytes, in CPython's format but for code: that is bytecode of this program."""

from _marshal import pack as _pack, unpack as _unpack
from struct import pack, unpack_from

version = 4
_SHORT, _INT, _BIG = 1 << 8, 1 << 31, 1 << 15
_SIMPLE = {None: b"N", False: b"F", True: b"T", ...: b".", StopIteration: b"S"}
_VALUES = {code[0]: value for value, code in _SIMPLE.items()}
_DEPTH = 2000


def dumps(value, version=version, /):
    out = bytearray()
    _write(out, value, version, 0)
    return bytes(out)


def dump(value, file, version=version, /):
    return file.write(dumps(value, version))


def loads(data, /):
    return _Reader(bytes(data)).value(0)


def load(file, /):
    data = file.read()
    reader = _Reader(data)
    value = reader.value(0)
    if reader.at < len(data):
        file.seek(reader.at - len(data), 1)
    return value


def _write(out, value, version, depth):
    if depth > _DEPTH:
        raise ValueError("object too deeply nested to marshal")
    kind = type(value)
    if value is None or value is ... or value is StopIteration or kind is bool:
        out += _SIMPLE[value]
    elif kind is int:
        if -_INT <= value < _INT:
            out += b"i" + pack("<i", value)
        else:
            digits, rest = [], abs(value)
            while rest:
                digits.append(rest & _BIG - 1)
                rest >>= 15
            out += b"l" + pack("<i", len(digits) if value > 0 else -len(digits)) + pack(f"<{len(digits)}H", *digits)
    elif kind is float:
        out += b"g" + pack("<d", value)
    elif kind is complex:
        out += b"y" + pack("<dd", value.real, value.imag)
    elif kind is str:
        if value.isascii():
            short = len(value) < _SHORT and version >= 4
            code = b"z" if short else b"a" if version >= 4 else b"u"
            out += code + (pack("<B", len(value)) if short else pack("<I", len(value))) + value.encode()
        else:
            text = value.encode("utf-8", "surrogatepass")
            out += b"u" + pack("<I", len(text)) + text
    elif kind is tuple:
        short = len(value) < _SHORT and version >= 4
        out += b")" + pack("<B", len(value)) if short else b"(" + pack("<I", len(value))
        for item in value:
            _write(out, item, version, depth + 1)
    elif kind in (list, set, frozenset):
        out += {list: b"[", set: b"<", frozenset: b">"}[kind] + pack("<I", len(value))
        for item in value:
            _write(out, item, version, depth + 1)
    elif kind is dict:
        out += b"{"
        for key, item in value.items():
            _write(out, key, version, depth + 1)
            _write(out, item, version, depth + 1)
        out += b"0"
    elif hasattr(value, "co_code"):
        code = _pack(value)
        out += b"c" + pack("<I", len(code)) + code
    else:
        try:
            data = memoryview(value).tobytes()
        except TypeError:
            raise ValueError("unmarshallable object") from None
        out += b"s" + pack("<I", len(data)) + data


_END = object()


class _Reader:
    def __init__(self, data):
        self.data, self.at, self.known = data, 0, []

    def take(self, count):
        start = self.at
        self.at += count
        if self.at > len(self.data):
            raise EOFError("marshal data too short")
        return self.data[start:self.at]

    def number(self, form):
        return unpack_from(form, self.take({"<B": 1, "<I": 4, "<i": 4, "<d": 8}[form]))[0]

    def items(self, count, depth):
        if count > len(self.data):
            raise ValueError("bad marshal data (size out of range)")
        return [self.value(depth + 1) for _ in range(count)]

    def value(self, depth):
        value = self.element(depth)
        if value is _END:
            raise TypeError("NULL object in marshal data for object")
        return value

    def element(self, depth):
        if depth > _DEPTH:
            raise ValueError("recursion limit exceeded")
        if self.at >= len(self.data):
            raise EOFError("EOF read where object expected" if depth else "marshal data too short")
        code = self.take(1)[0]
        place = None
        if code & 0x80:
            code &= 0x7f
            place = len(self.known)
            self.known.append(None)
        value = self.body(chr(code), depth, place)
        if place is not None:
            self.known[place] = value
        return value

    def body(self, code, depth, place):
        if ord(code) in _VALUES:
            return _VALUES[ord(code)]
        if code == "0":
            return _END
        if code == "i":
            return self.number("<i")
        if code == "l":
            count = self.number("<i")
            digits = unpack_from(f"<{abs(count)}H", self.take(2 * abs(count)))
            value = 0
            for digit in reversed(digits):
                if digit >= _BIG:
                    raise ValueError("bad marshal data (digit out of range in long)")
                value = value << 15 | digit
            return -value if count < 0 else value
        if code == "g":
            return self.number("<d")
        if code == "y":
            return complex(self.number("<d"), self.number("<d"))
        if code in "uta":
            return self.take(self.number("<I")).decode("utf-8", "surrogatepass")
        if code in "AzZ":
            return self.take(self.number("<I" if code == "A" else "<B")).decode("latin-1")
        if code == "s":
            return self.take(self.number("<I"))
        if code in "()":
            return tuple(self.items(self.number("<I" if code == "(" else "<B"), depth))
        if code in "[<>":
            if code == "[":
                value = []
                if place is not None:
                    self.known[place] = value
                value += self.items(self.number("<I"), depth)
                return value
            return (set if code == "<" else frozenset)(self.items(self.number("<I"), depth))
        if code == "{":
            value = {}
            if place is not None:
                self.known[place] = value
            while (key := self.element(depth + 1)) is not _END:
                value[key] = self.value(depth + 1)
            return value
        if code == "r":
            index = self.number("<I")
            if index >= len(self.known) or self.known[index] is None:
                raise ValueError("bad marshal data (invalid reference)")
            return self.known[index]
        if code == "c":
            return _unpack(self.take(self.number("<I")))
        raise ValueError("bad marshal data (unknown type code)")
