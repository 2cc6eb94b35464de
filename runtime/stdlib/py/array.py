"""Arrays of numbers of one kind."""

import struct

__all__ = ["array", "ArrayType", "typecodes"]

typecodes = "bBuhHiIlLqQfd"
_CODES = {"l": "q", "L": "Q"}


class array:
    def __init__(self, typecode, initializer=()):
        if typecode not in typecodes:
            raise ValueError("bad typecode (must be b, B, u, h, H, i, I, l, L, q, Q, f or d)")
        self.typecode = typecode
        self._code = "<" + ("I" if typecode == "u" else _CODES.get(typecode, typecode))
        self.itemsize = struct.calcsize(self._code)
        self._items = []
        if isinstance(initializer, (bytes, bytearray)):
            self.frombytes(initializer)
        elif isinstance(initializer, str):
            if typecode != "u":
                raise TypeError(f"cannot use a str to initialize an array with typecode '{typecode}'")
            self._items = list(initializer)
        else:
            self.extend(initializer)

    def _checked(self, value):
        if self.typecode == "u":
            if not isinstance(value, str) or len(value) != 1:
                raise TypeError("array item must be a unicode character, not " + type(value).__name__)
            return value
        try:
            return struct.unpack(self._code, struct.pack(self._code, value))[0]
        except struct.error as error:
            if isinstance(value, (int, float)) and not (isinstance(value, float) and self.typecode not in "fd"):
                raise OverflowError(str(error)) from None
            raise TypeError(f"an integer is required (got type {type(value).__name__})") from None

    def _new(self, items):
        made = array(self.typecode)
        made._items = items
        return made

    def __len__(self):
        return len(self._items)

    def __iter__(self):
        return iter(self._items)

    def __contains__(self, value):
        return value in self._items

    def __getitem__(self, key):
        return self._new(self._items[key]) if isinstance(key, slice) else self._items[key]

    def __setitem__(self, key, value):
        if isinstance(key, slice):
            if not isinstance(value, array):
                raise TypeError(f"can only assign array (not \"{type(value).__name__}\") to array slice")
            self._items[key] = value._items
        else:
            self._items[key] = self._checked(value)

    def __delitem__(self, key):
        del self._items[key]

    def __add__(self, other):
        if not isinstance(other, array):
            raise TypeError(f"can only append array (not \"{type(other).__name__}\") to array")
        return self._new(self._items + other._items)

    def __iadd__(self, other):
        self.extend(other)
        return self

    def __mul__(self, count):
        return self._new(self._items * count)

    __rmul__ = __mul__

    def __eq__(self, other):
        return self._items == other._items if isinstance(other, array) else NotImplemented

    def __lt__(self, other):
        return self._items < other._items if isinstance(other, array) else NotImplemented

    __hash__ = None

    def __repr__(self):
        if not self._items:
            return f"array('{self.typecode}')"
        shown = repr("".join(self._items)) if self.typecode == "u" else repr(self._items)
        return f"array('{self.typecode}', {shown})"

    def __copy__(self):
        return self._new(list(self._items))

    def __deepcopy__(self, memo):
        return self.__copy__()

    def __reduce__(self):
        return (array, (self.typecode, list(self._items)))

    def append(self, value):
        self._items.append(self._checked(value))

    def extend(self, values):
        if isinstance(values, array) and values.typecode != self.typecode:
            raise TypeError("can only extend with array of same kind")
        self._items.extend([self._checked(value) for value in values])

    fromlist = extend

    def insert(self, i, value):
        self._items.insert(i, self._checked(value))

    def pop(self, i=-1):
        return self._items.pop(i)

    def remove(self, value):
        if value not in self._items:
            raise ValueError("array.remove(x): x not in array")
        self._items.remove(value)

    def index(self, value, *bounds):
        return self._items.index(value, *bounds)

    def count(self, value):
        return self._items.count(value)

    def reverse(self):
        self._items.reverse()

    def tolist(self):
        return list(self._items)

    def tobytes(self):
        items = [ord(c) for c in self._items] if self.typecode == "u" else self._items
        return struct.pack(f"<{len(items)}{self._code[1:]}", *items)

    def frombytes(self, data):
        if len(data) % self.itemsize:
            raise ValueError("bytes length not a multiple of item size")
        found = struct.unpack(f"<{len(data) // self.itemsize}{self._code[1:]}", bytes(data))
        self._items.extend([chr(n) for n in found] if self.typecode == "u" else found)

    def tofile(self, f):
        f.write(self.tobytes())

    def fromfile(self, f, n):
        data = f.read(n * self.itemsize)
        self.frombytes(data[: len(data) // self.itemsize * self.itemsize])
        if len(data) < n * self.itemsize:
            raise EOFError("read() didn't return enough bytes")

    def byteswap(self):
        code = self._code[1:]
        self._items = list(struct.unpack(f">{len(self)}{code}", struct.pack(f"<{len(self)}{code}", *self._items)))


ArrayType = array
