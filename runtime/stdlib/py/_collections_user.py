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

    def copy(self):
        new = self.__class__.__new__(self.__class__)
        new.__dict__.update(self.__dict__)
        new.data = self.data.copy()
        return new

    __copy__ = copy


class UserList(MutableSequence):
    __module__ = "collections"

    def __init__(self, initlist=None):
        self.data = [] if initlist is None else list(initlist)

    def __repr__(self):
        return repr(self.data)

    def __eq__(self, other):
        return self.data == (other.data if isinstance(other, UserList) else other)

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
        return self.__class__(self.data + list(other))

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
