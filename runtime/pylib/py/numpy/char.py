"""Functions of arrays of texts, element by element."""

import torch
from _refused import refused
from torch import _C

from numpy._array import _wrap, array, ndarray
from numpy._dtypes import OBJECT
from numpy._items import as_items, filled, made_of, rows


def _each(function, *operands):
    """What a function of Python gives of the elements side by side."""
    arrays = [as_items(x) for x in operands]
    given, shape = rows(arrays)
    return [function(*row) for row in given], shape


def _texts(values, shape):
    if not values:
        return filled([], shape, as_items("").dtype)
    return made_of(values).reshape(shape) if shape else made_of(values[0])


def _numbers(values, shape, kind):
    found = torch.tensor(values, dtype=kind).reshape(list(shape))
    return _wrap(found) if shape else _wrap(found)[()]


def _of_text(name):
    """A method of texts that gives a text."""

    def function(a, *args):
        return _texts(*_each(lambda x, *more: getattr(x, name)(*more), a, *args))

    function.__name__ = function.__qualname__ = name
    return function


def _of_kind(name, kind):
    """A method of texts that gives a number or a truth."""

    def function(a, *args):
        return _numbers(*_each(lambda x, *more: getattr(x, name)(*more), a, *args), kind)

    function.__name__ = function.__qualname__ = name
    return function


for _name in ("capitalize", "lower", "upper", "title", "swapcase", "center", "ljust", "rjust", "zfill", "expandtabs"):
    globals()[_name] = _of_text(_name)
for _name in ("find", "rfind", "index", "rindex", "count"):
    globals()[_name] = _of_kind(_name, torch.int64)
for _name in ("startswith", "endswith", "isalpha", "isalnum", "isdigit", "isdecimal", "isnumeric", "isspace", "islower", "isupper", "istitle"):
    globals()[_name] = _of_kind(_name, torch.bool)


def _stripping(name):
    def function(a, chars=None):
        if chars is None:
            return _texts(*_each(lambda x: getattr(x, name)(), a))
        return _texts(*_each(lambda x, c: getattr(x, name)(c), a, chars))

    function.__name__ = function.__qualname__ = name
    return function


strip, lstrip, rstrip = _stripping("strip"), _stripping("lstrip"), _stripping("rstrip")


def add(x1, x2):
    return _texts(*_each(lambda a, b: a + b, x1, x2))


def multiply(a, i):
    return _texts(*_each(lambda a, n: a * max(n, 0), a, i))


def mod(a, values):
    return _texts(*_each(lambda a, v: a % (v,), a, values))


def join(sep, seq):
    return _texts(*_each(lambda s, x: s.join(x), sep, seq))


def replace(a, old, new, count=-1):
    return _texts(*_each(lambda x, o, n, c: x.replace(o, n, c), a, old, new, count))


def str_len(a):
    return _numbers(*_each(len, a), torch.int64)


def _lists(function, *operands):
    values, shape = _each(function, *operands)
    return filled(values, shape, OBJECT)


def split(a, sep=None, maxsplit=None):
    return _lists(lambda x: x.split(sep, -1 if maxsplit is None else maxsplit), a)


def rsplit(a, sep=None, maxsplit=None):
    return _lists(lambda x: x.rsplit(sep, -1 if maxsplit is None else maxsplit), a)


def splitlines(a, keepends=False):
    return _lists(lambda x: x.splitlines(keepends), a)


def _parts(name):
    def function(a, sep):
        values, shape = _each(lambda x, s: getattr(x, name)(s), a, sep)
        return made_of([list(parts) for parts in values]).reshape([*shape, 3])

    function.__name__ = function.__qualname__ = name
    return function


partition, rpartition = _parts("partition"), _parts("rpartition")


def encode(a, encoding=None, errors=None):
    return _texts(*_each(lambda x: x.encode(encoding or "utf-8", errors or "strict"), a))


def decode(a, encoding=None, errors=None):
    return _texts(*_each(lambda x: x.decode(encoding or "utf-8", errors or "strict"), a))


def _comparing(name):
    def function(x1, x2):
        return getattr(as_items(x1), f"__{name}__")(as_items(x2))

    return function


equal, not_equal = _comparing("eq"), _comparing("ne")
less, less_equal, greater, greater_equal = _comparing("lt"), _comparing("le"), _comparing("gt"), _comparing("ge")


def asarray(obj, itemsize=None, unicode=None, order=None):
    if itemsize is not None:
        raise refused("numpy.char.asarray", "itemsize")
    return array(obj, dtype=str if unicode is not False else bytes, order=order or "K")


def __getattr__(name):
    return _C._missing_name("numpy.char", name)
