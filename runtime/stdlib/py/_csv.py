"""Readers and writers; lines are taken apart and put together natively."""

from _csv_lines import format_row as _format_row, parse as _parse

__version__ = "1.0"
QUOTE_MINIMAL, QUOTE_ALL, QUOTE_NONNUMERIC, QUOTE_NONE = range(4)
# Of Python 3.12, whose `csv` this serves: known by name and refused as in 3.11.
QUOTE_STRINGS, QUOTE_NOTNULL = 4, 5


class Error(Exception):
    __module__ = "_csv"


_DEFAULTS = {"delimiter": ",", "quotechar": '"', "escapechar": None, "doublequote": True, "skipinitialspace": False,
             "quoting": QUOTE_MINIMAL, "strict": False, "lineterminator": "\r\n"}
_dialects = {}
_limit = 131072


class Dialect:
    """The parameters of a dialect, checked; they do not change."""

    __slots__ = tuple("_" + name for name in _DEFAULTS)

    def __new__(cls, dialect=None, **fmtparams):
        if isinstance(dialect, str):
            dialect = get_dialect(dialect)
        for name in fmtparams:
            if name not in _DEFAULTS:
                raise TypeError(f"'{name}' is an invalid keyword argument for this function")
        if type(dialect) is cls and not fmtparams:
            return dialect
        self = object.__new__(cls)
        for name, default in _DEFAULTS.items():
            value = fmtparams[name] if name in fmtparams else getattr(dialect, name, default)
            setattr(self, "_" + name, _checked(name, value))
        if self._quotechar is None and "quoting" not in fmtparams and not hasattr(dialect, "quoting"):
            self._quoting = QUOTE_NONE
        if self._quoting != QUOTE_NONE and self._quotechar is None:
            raise TypeError("quotechar must be set if quoting enabled")
        return self

    def __reduce__(self):
        raise TypeError("cannot pickle 'Dialect' instances")

    def _parameters(self):
        return tuple(getattr(self, name) for name in Dialect.__slots__)


for _name in _DEFAULTS:
    setattr(Dialect, _name, property(lambda self, _name="_" + _name: getattr(self, _name)))


def _checked(name, value):
    if name in ("delimiter", "quotechar", "escapechar"):
        if value is None and name != "delimiter":
            return None
        if not isinstance(value, str):
            raise TypeError(f'"{name}" must be string{"" if name == "delimiter" else " or None"}, '
                            f"not {type(value).__name__}")
        if len(value) != 1:
            raise TypeError(f'"{name}" must be a 1-character string')
    elif name == "lineterminator":
        if value is None:
            raise TypeError("lineterminator must be set")
        if not isinstance(value, str):
            raise TypeError('"lineterminator" must be a string')
    elif name == "quoting":
        if type(value) is not int:
            raise TypeError('"quoting" must be an integer')
        if not QUOTE_MINIMAL <= value <= QUOTE_NONE:
            raise TypeError('bad "quoting" value')
    else:
        return bool(value)
    return value


def register_dialect(name, dialect=None, **fmtparams):
    if not isinstance(name, str):
        raise TypeError("dialect name must be a string")
    _dialects[name] = Dialect(dialect, **fmtparams)


def unregister_dialect(name):
    if name not in _dialects:
        raise Error("unknown dialect")
    del _dialects[name]


def get_dialect(name):
    if name not in _dialects:
        raise Error("unknown dialect")
    return _dialects[name]


def list_dialects():
    return list(_dialects)


def field_size_limit(limit=None):
    global _limit
    before = _limit
    if limit is not None:
        if type(limit) is not int:
            raise TypeError("limit must be an integer")
        _limit = limit
    return before


class _Reader:
    __module__, __qualname__ = "_csv", "reader"

    def __init__(self, lines, dialect):
        self._lines, self.dialect, self._parameters = lines, dialect, dialect._parameters()
        self.line_num = 0

    def __iter__(self):
        return self

    def __next__(self):
        parsed = _parse(self._lines, self._parameters)
        if parsed is None:
            raise StopIteration
        row, lines = parsed
        self.line_num += lines
        for field in row:
            if type(field) is str and len(field) > _limit:
                raise Error(f"field larger than field limit ({_limit})")
        return row


class _Writer:
    __module__, __qualname__ = "_csv", "writer"

    def __init__(self, write, dialect):
        self._write, self.dialect, self._parameters = write, dialect, dialect._parameters()

    def writerow(self, row):
        return self._write(_format_row(row, self._parameters))

    def writerows(self, rows):
        for row in rows:
            self.writerow(row)


def reader(csvfile, dialect=None, **fmtparams):
    return _Reader(iter(csvfile), Dialect(dialect, **fmtparams))


def writer(csvfile, dialect=None, **fmtparams):
    write = getattr(csvfile, "write", None)
    if not callable(write):
        raise TypeError('argument 1 must have a "write" method')
    return _Writer(write, Dialect(dialect, **fmtparams))
