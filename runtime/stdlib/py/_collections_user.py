"""`collections.UserDict`, `UserList` and `UserString`."""

from _collections_abc import MutableMapping, MutableSequence, Sequence


class UserDict(MutableMapping):
    __module__ = "collections"

    def __init__(self, dict=None, /, **kwargs):
        self.data = {}
        if dict is not None:
            self.update(dict)
        if kwargs:
            self.update(kwargs)

    def __len__(self):
        return len(self.data)

    def get(self, key, default=None):
        return self[key] if key in self else default

    def __getitem__(self, key):
        if key in self.data:
            return self.data[key]
        if hasattr(self.__class__, "__missing__"):
            return self.__class__.__missing__(self, key)
        raise KeyError(key)

    def __setitem__(self, key, item):
        self.data[key] = item

    def __delitem__(self, key):
        del self.data[key]

    def __iter__(self):
        return iter(self.data)

    def __contains__(self, key):
        return key in self.data

    def __repr__(self):
        return repr(self.data)

    def _joined(self, first, second):
        return self.__class__(first | second)

    def __or__(self, other):
        other = _dict(other)
        return NotImplemented if other is None else self._joined(self.data, other)

    def __ror__(self, other):
        other = _dict(other)
        return NotImplemented if other is None else self._joined(other, self.data)

    def __ior__(self, other):
        self.data |= other.data if isinstance(other, UserDict) else other
        return self

    def __copy__(self):
        new = self.__class__.__new__(self.__class__)
        new.__dict__.update(self.__dict__)
        new.__dict__["data"] = self.__dict__["data"].copy()
        return new

    def copy(self):
        if self.__class__ is UserDict:
            return UserDict(self.data.copy())
        import copy
        data = self.data
        # The entries are set one by one in the copy.
        self.data = {}
        try:
            new = copy.copy(self)
        finally:
            self.data = data
        new.update(self)
        return new

    @classmethod
    def fromkeys(cls, iterable, value=None):
        new = cls()
        for key in iterable:
            new[key] = value
        return new


def _dict(value):
    """The dict of a dict or UserDict."""
    if isinstance(value, UserDict):
        return value.data
    return value if isinstance(value, dict) else None


def _list(value):
    return value.data if isinstance(value, UserList) else value


class UserList(MutableSequence):
    __module__ = "collections"

    def __init__(self, initlist=None):
        self.data = [] if initlist is None else list(_list(initlist))

    def __repr__(self):
        return repr(self.data)

    def __eq__(self, other):
        return self.data == _list(other)

    def __lt__(self, other):
        return self.data < _list(other)

    def __le__(self, other):
        return self.data <= _list(other)

    def __gt__(self, other):
        return self.data > _list(other)

    def __ge__(self, other):
        return self.data >= _list(other)

    def __radd__(self, other):
        return self.__class__(list(_list(other)) + self.data)

    def __iadd__(self, other):
        self.data += _list(other)
        return self

    def __mul__(self, n):
        return self.__class__(self.data * n)

    __rmul__ = __mul__

    def __imul__(self, n):
        self.data *= n
        return self

    def __copy__(self):
        new = self.__class__.__new__(self.__class__)
        new.__dict__.update(self.__dict__)
        new.__dict__["data"] = self.__dict__["data"][:]
        return new

    def pop(self, i=-1):
        return self.data.pop(i)

    def remove(self, item):
        self.data.remove(item)

    def clear(self):
        self.data.clear()

    def count(self, item):
        return self.data.count(item)

    def index(self, item, *args):
        return self.data.index(item, *args)

    def reverse(self):
        self.data.reverse()

    def extend(self, other):
        self.data.extend(_list(other))

    def __len__(self):
        return len(self.data)

    def __contains__(self, item):
        return item in self.data

    def __getitem__(self, i):
        return self.__class__(self.data[i]) if isinstance(i, slice) else self.data[i]

    def __setitem__(self, i, item):
        self.data[i] = item

    def __delitem__(self, i):
        del self.data[i]

    def __add__(self, other):
        return self.__class__(self.data + list(_list(other)))

    def insert(self, i, item):
        self.data.insert(i, item)

    def append(self, item):
        self.data.append(item)

    def sort(self, /, *args, **kwds):
        self.data.sort(*args, **kwds)

    def copy(self):
        return self.__class__(self)


def _text(value):
    return value.data if isinstance(value, UserString) else value


class UserString(Sequence):
    __module__ = "collections"

    def __init__(self, seq):
        self.data = _text(seq) if isinstance(seq, (str, UserString)) else str(seq)

    def __str__(self):
        return str(self.data)

    def __repr__(self):
        return repr(self.data)

    def __int__(self):
        return int(self.data)

    def __float__(self):
        return float(self.data)

    def __complex__(self):
        return complex(self.data)

    def __hash__(self):
        return hash(self.data)

    def __getnewargs__(self):
        return (self.data[:],)

    def __eq__(self, other):
        return self.data == _text(other)

    def __lt__(self, other):
        return self.data < _text(other)

    def __le__(self, other):
        return self.data <= _text(other)

    def __gt__(self, other):
        return self.data > _text(other)

    def __ge__(self, other):
        return self.data >= _text(other)

    def __contains__(self, char):
        return _text(char) in self.data

    def __len__(self):
        return len(self.data)

    def __getitem__(self, index):
        return self.__class__(self.data[index])

    def __add__(self, other):
        return self.__class__(self.data + str(other))

    def __radd__(self, other):
        return self.__class__(str(other) + self.data)

    def __mul__(self, n):
        return self.__class__(self.data * n)

    __rmul__ = __mul__

    def __mod__(self, args):
        return self.__class__(self.data % args)

    def __rmod__(self, template):
        return self.__class__(str(template) % self)

    def encode(self, encoding="utf-8", errors="strict"):
        return self.data.encode(encoding or "utf-8", errors or "strict")

    maketrans = str.maketrans


def _delegate(name, wrap):
    def method(self, *args, **kwds):
        result = getattr(self.data, name)(*map(_text, args), **{key: _text(value) for key, value in kwds.items()})
        return self.__class__(result) if wrap else result

    method.__name__, method.__qualname__ = name, f"UserString.{name}"
    setattr(UserString, name, method)


for _name in ("capitalize", "casefold", "center", "expandtabs", "ljust", "lower", "lstrip", "removeprefix",
              "removesuffix", "replace", "rjust", "rstrip", "strip", "swapcase", "title", "translate", "upper", "zfill"):
    _delegate(_name, True)
for _name in ("count", "endswith", "find", "format", "format_map", "index", "isalnum", "isalpha", "isascii", "isdecimal",
              "isdigit", "isidentifier", "islower", "isnumeric", "isprintable", "isspace", "istitle", "isupper", "join",
              "partition", "rfind", "rindex", "rpartition", "rsplit", "split", "splitlines", "startswith"):
    _delegate(_name, False)
