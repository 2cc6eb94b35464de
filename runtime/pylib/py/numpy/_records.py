"""Arrays of records: an array for each field, all of the same leading extents."""

import torch

from _refused import refused
from numpy import _dtypes, _print
from numpy._apart import Apart
from numpy._array import array, ndarray
from numpy._dtypes import ItemDType, RecordDType, as_dtype
from numpy._ops import UFuncTypeError, _missing


def made(columns, t, dtype):
    """An array over those of its fields; a tensor has the extents."""
    a = object.__new__(records)
    a._columns, a._t, a._raw = columns, t, dtype
    return a


def blank(shape, dtype):
    """An array of zeros and empty texts."""
    from numpy._creation import zeros

    columns = {}
    for name in dtype.names:
        kind, extents = dtype.fields_of[name]
        columns[name] = zeros((*shape, *extents), kind)
    return made(columns, torch.zeros(list(shape), dtype=torch.uint8), dtype)


def _rows_of(x):
    """The extents and the records of nested lists, in which a tuple is a record."""
    if isinstance(x, (tuple, void)):
        return (), [tuple(x)]
    if not isinstance(x, list):
        raise TypeError(f"a bytes-like object is required, not '{type(x).__name__}'")
    parts = [_rows_of(row) for row in x]
    return (len(x), *(parts[0][0] if parts else ())), [row for _, rows in parts for row in rows]


def of(x, dtype):
    """An array of records out of lists of tuples, or out of one value for all fields."""
    if isinstance(x, records):
        return x.astype(dtype)
    if isinstance(x, ndarray):
        a = blank(x.shape, dtype)
        for name in dtype.names:
            a._columns[name][...] = x
        return a
    shape, rows = _rows_of(x)
    for row in rows:
        if len(row) != len(dtype.names):
            raise ValueError(
                f"could not assign tuple of length {len(row)} to structure with {len(dtype.names)} fields."
            )
    columns = {}
    for i, name in enumerate(dtype.names):
        kind, extents = dtype.fields_of[name]
        columns[name] = array([row[i] for row in rows], dtype=kind).reshape((*shape, *extents))
    return made(columns, torch.zeros(list(shape), dtype=torch.uint8), dtype)


class void(_dtypes.void):
    """One record: it shows the array that it comes from."""

    def __new__(cls, columns, at, dtype):
        made = object.__new__(cls)
        made._columns, made._at, made._raw = columns, at, dtype
        return made

    @property
    def dtype(self):
        return self._raw

    def __getitem__(self, key):
        if isinstance(key, list):
            names = tuple(key)
            return void(self._columns, self._at, self._raw.of_names(names))
        name = key if isinstance(key, str) else self._raw.names[key]
        if name not in self._raw.names:
            raise ValueError(f"no field of name {name}")
        return self._columns[name][self._at]

    def __setitem__(self, key, value):
        name = key if isinstance(key, str) else self._raw.names[key]
        self._columns[name][self._at] = value

    def __len__(self):
        return len(self._raw.names)

    def __iter__(self):
        return iter([self[name] for name in self._raw.names])

    def item(self):
        return tuple([x.tolist() if isinstance(x, ndarray) else x.item() if hasattr(x, "item") else x for x in self])

    tolist = item

    def _key(self, other):
        return tuple(other) if isinstance(other, (tuple, void)) else None

    def __eq__(self, other):
        return tuple(self) == self._key(other)

    def __ne__(self, other):
        return tuple(self) != self._key(other)

    def __hash__(self):
        return hash(tuple(self))

    def __str__(self):
        return text_of(self)

    def __repr__(self):
        return f"np.void({text_of(self)}, dtype={self._raw.spec_text})"


class record(void):
    """A record whose fields are attributes, too."""

    def __getattr__(self, name):
        if name[:1] != "_" and name in self._raw.names:
            return self[name]
        raise AttributeError(f"'numpy.record' object has no attribute '{name}'")


def _plain(x):
    if isinstance(x, ndarray):
        return _print.array2string(x, separator=", ")
    return text_of(x) if isinstance(x, void) else repr(x._plain()) if hasattr(x, "_plain") else repr(x)


def text_of(row):
    """The text of one record."""
    parts = [_plain(x) for x in row]
    return f"({parts[0]},)" if len(parts) == 1 else f"({', '.join(parts)})"


class records(Apart):
    """See the module."""

    __slots__ = ("_columns",)

    def _each(self, function):
        """An array each of whose fields is what a function makes of it."""
        columns = {name: function(column) for name, column in self._columns.items()}
        return made(columns, function(self._extents())._t, self._raw)

    def _extents(self):
        a = object.__new__(ndarray)
        a._t = self._t
        return a

    def _scalar(self, at):
        return void(self._columns, at, self._raw)

    def __getitem__(self, key):
        if isinstance(key, str):
            if key not in self._raw.names:
                raise ValueError(f"no field of name {key}")
            return self._columns[key]
        if isinstance(key, list) and key and isinstance(key[0], str):
            for name in key:
                if name not in self._raw.names:
                    raise KeyError(name)
            return made({name: self._columns[name] for name in key}, self._t, self._raw.of_names(tuple(key)))
        found = self._extents()[key]
        if not isinstance(found, ndarray):
            return self._scalar(key)
        return made({name: column[key] for name, column in self._columns.items()}, found._t, self._raw)

    def __setitem__(self, key, value):
        if isinstance(key, str):
            self[key][...] = value
            return
        if isinstance(value, (tuple, void)):
            for name, x in zip(self._raw.names, value):
                self._columns[name][key] = x
            return
        if isinstance(value, list):
            value = of(value, self._raw)
        for i, name in enumerate(self._raw.names):
            column = value._columns[value._raw.names[i]] if isinstance(value, records) else value
            self._columns[name][key] = column

    def __iter__(self):
        for i in range(len(self)):
            yield self[i]

    def tolist(self):
        if self._t.dim() == 0:
            return self[()].item()
        return [row.item() if isinstance(row, void) else row.tolist() for row in self]

    def _texts(self, options):
        """Nested lists of the texts of records."""
        flat = self.reshape(-1)
        columns = [flat._columns[name] for name in self._raw.names]
        texts = _print.record_texts(columns, [self._raw.fields_of[name][1] for name in self._raw.names], options)
        for n in reversed(self.shape[1:]):
            texts = [texts[at : at + n] for at in range(0, len(texts), n)]
        return texts if self.ndim else texts[0]

    def item(self, *at):
        return self.reshape(-1)[at[0] if at else 0].item()

    def copy(self, order="C"):
        if order == "F":
            raise refused("numpy.ndarray.copy", "order")
        return self._each(lambda column: column.copy())

    def __deepcopy__(self, memo):
        return self.copy()

    def reshape(self, *shape, order="C", copy=None):
        if copy is not None:
            raise refused("numpy.ndarray.reshape", "copy")
        to = self._extents().reshape(*shape, order=order)
        columns = {
            name: column.reshape((*to.shape, *self._raw.fields_of[name][1])) for name, column in self._columns.items()
        }
        return made(columns, to._t, self._raw)

    def ravel(self, order="C"):
        return self.reshape(-1, order=order)

    def flatten(self, order="C"):
        return self.reshape(-1, order=order).copy()

    def take(self, indices, axis=None, out=None, mode="raise"):
        if out is not None:
            raise refused("numpy.ndarray.take", "out")
        if mode != "raise":
            raise refused("numpy.ndarray.take", "mode")
        if axis is None:
            return self.reshape(-1)[array(indices)]
        return self[(slice(None),) * (axis % self.ndim) + (array(indices),)]

    def _fields(self, order):
        names = [order] if isinstance(order, str) else list(order or [])
        for name in names:
            if name not in self._raw.names:
                raise ValueError(f"unknown field name: {name}")
        # What is left decides between those that are equal.
        return names + [name for name in self._raw.names if name not in names]

    def argsort(self, axis=-1, kind=None, order=None):
        from numpy._functions import lexsort

        if self.ndim != 1 or axis not in (-1, 0):
            raise _missing("sorting records of more than one dimension")
        return lexsort([self._columns[name] for name in reversed(self._fields(order))])

    def sort(self, axis=-1, kind=None, order=None):
        self[...] = self[self.argsort(axis, kind, order)]

    def astype(self, dtype, order="K", casting="unsafe", subok=True, copy=True):
        for name, value, usual in (("order", order, "CKA"), ("casting", casting, ("unsafe",)), ("subok", subok, (True,))):
            if value not in usual:
                raise refused("numpy.ndarray.astype", name)
        dtype = as_dtype(dtype)
        if dtype == self._raw:
            return self.copy() if copy else self
        if not isinstance(dtype, RecordDType):
            raise _missing(f"astype of records to {dtype}")
        columns = {
            new: self._columns[old].astype(dtype.fields_of[new][0]) for new, old in zip(dtype.names, self._raw.names)
        }
        return made(columns, self._t, dtype)

    def _compared(self, other):
        if not isinstance(other, (records, tuple, void, list)):
            return NotImplemented
        other = other if isinstance(other, records) else of(other if isinstance(other, (list, tuple)) else tuple(other), self._raw)
        found = None
        for name in self._raw.names:
            same = self._columns[name] == other._columns[name]
            found = same if found is None else found & same
        return found

    def __eq__(self, other):
        return self._compared(other)

    def __ne__(self, other):
        found = self._compared(other)
        return found if found is NotImplemented else ~found

    __hash__ = None

    def _with(self, name, other, reflected=False, shown=None):
        raise UFuncTypeError(
            f"ufunc '{name}' did not contain a loop with signature matching types ({self._raw!r}, "
            f"{getattr(other, 'dtype', type(other))!r}) -> None"
        )

    def view(self, dtype=None, type=None):
        if dtype is None and type is None or dtype is ndarray:
            return self
        if recarray in (type, dtype):
            return recarray._of(self)
        raise _missing("view of an array of records")

    def __reduce__(self):
        return (_loaded, (self._columns, self._t, self._raw))


def _loaded(columns, t, dtype):
    return made(columns, t, dtype)


def joined(arrays):
    """Records one after the other."""
    from numpy._shapes import concatenate

    first = arrays[0]
    columns = {name: concatenate([a._columns[name] for a in arrays]) for name in first._raw.names}
    t = torch.zeros(sum([len(a) for a in arrays]), *first._t.shape[1:], dtype=torch.uint8)
    return made(columns, t, first._raw)


class recarray(records):
    """An array of records whose fields are attributes, too."""

    __slots__ = ()

    @classmethod
    def _of(cls, a):
        found = object.__new__(cls)
        found._columns, found._t, found._raw = a._columns, a._t, a._raw
        return found

    def _scalar(self, at):
        return record(self._columns, at, self._raw)

    def __getattr__(self, name):
        if name[:1] != "_" and name in self._raw.names:
            return self._columns[name]
        raise AttributeError(f"recarray has no attribute {name}")

    def __setattr__(self, name, value):
        if name[:1] != "_" and name in self._raw.names:
            self._columns[name][...] = value
            return
        object.__setattr__(self, name, value)

    def __getitem__(self, key):
        found = super().__getitem__(key)
        return recarray._of(found) if isinstance(found, records) else found

    def __repr__(self):
        return "rec." + super().__repr__()


def fromrecords(recList, dtype=None, names=None, formats=None):
    """A recarray of a list of tuples."""
    if dtype is None:
        names = names.split(",") if isinstance(names, str) else names
        columns = [array(list(column)) for column in zip(*recList)]
        names = names or [f"f{i}" for i in range(len(columns))]
        kinds = formats.split(",") if isinstance(formats, str) else formats or [c.dtype for c in columns]
        dtype = [(name.strip(), kind) for name, kind in zip(names, kinds)]
    return recarray._of(of([tuple(row) for row in recList], as_dtype(dtype)))


def fromarrays(arrayList, dtype=None, names=None):
    """A recarray of its fields."""
    columns = [array(column) for column in arrayList]
    names = names.split(",") if isinstance(names, str) else names or [f"f{i}" for i in range(len(columns))]
    kind = as_dtype([(name.strip(), c.dtype) for name, c in zip(names, columns)] if dtype is None else dtype)
    a = blank(columns[0].shape, kind)
    for name, column in zip(kind.names, columns):
        a._columns[name][...] = column
    return recarray._of(a)
