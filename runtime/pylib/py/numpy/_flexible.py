"""dtypes of what no tensor holds: texts, bytes, objects and records. Their arrays are in `_items` and `_records`."""

from numpy._dtypes import (
    _BY_SPEC, as_dtype, bytes_, character, dtype, flexible, object_, str_, void,
)


class NotNumbers(NotImplementedError):
    """Values of which no tensor can be made. `numpy._items` has arrays of them."""


# What is said of it names the class that scripts know.
NotNumbers.__name__ = NotNumbers.__qualname__ = "NotImplementedError"
NotNumbers.__module__ = "builtins"
for _scalar in (object_, flexible, void, character, str_, bytes_):
    _scalar.__module__ = "numpy"
del _scalar


class ItemDType(dtype):
    """One of texts, bytes or objects."""

    def __repr__(self):
        return "dtype('O')" if self.kind == "O" else f"dtype('{self.str}')"

    def __str__(self):
        return "object" if self.kind == "O" else self.str

    @property
    def str(self):
        unit = 4 if self.kind == "U" else 1
        return "|O" if self.kind == "O" else f"{'<' if self.kind == 'U' else '|'}{self.kind}{self.itemsize // unit}"

    def __reduce__(self):
        return (dtype, (self.str[1:],))

    @property
    def _torch(self):
        raise NotNumbers(f"this for an array of {self} is not implemented in janus-jit yet")


def item_dtype(kind, length):
    """The dtype of objects, or of texts or bytes of so many characters; 0 of those are as many as there are."""
    found = _OF_ITEMS.get((kind, length))
    if found is None:
        found = _OF_ITEMS[kind, length] = object.__new__(ItemDType)
        size = {"O": 8, "U": 4 * length, "S": length}[kind]
        found.kind = found.char = kind
        found.itemsize, found.names, found.fields = size, None, None
        found.name = "object" if kind == "O" else f"{'str' if kind == 'U' else 'bytes'}{8 * size or ''}"
        found.type = {"O": object_, "U": str_, "S": bytes_}[kind]
        found.byteorder = "=" if kind == "U" else "|"
    return found


class RecordDType(dtype):
    """One of records: names, and for each a dtype and the extents of what a record has there."""

    def __repr__(self):
        return f"dtype({self.spec_text})"

    def __str__(self):
        return self.spec_text

    @property
    def descr(self):
        return [(name, kind.str, extents) if extents else (name, kind.str) for name, (kind, extents) in self.fields_of.items()]

    @property
    def spec_text(self):
        parts = []
        for name, (kind, extents) in self.fields_of.items():
            text = kind.spec_text if isinstance(kind, RecordDType) else repr("O" if kind.kind == "O" else "?" if kind.kind == "b" else kind.str.lstrip("|") if kind.kind in "iu" else kind.str)
            parts.append(f"({name!r}, {text}, {extents})" if extents else f"({name!r}, {text})")
        return f"[{', '.join(parts)}]"

    @property
    def str(self):
        return f"|V{self.itemsize}"

    @property
    def fields(self):
        at, found = 0, {}
        for name, (kind, extents) in self.fields_of.items():
            found[name] = (kind, at)
            size = kind.itemsize
            for n in extents:
                size *= n
            at += size
        return found

    def __getitem__(self, key):
        return self.fields_of[key if key in self.fields_of else self.names[key]][0]

    def __len__(self):
        return len(self.names)

    def of_names(self, names):
        return record_dtype([(name, *self.fields_of[name]) for name in names])

    def __reduce__(self):
        return (dtype, ([(name, kind, extents) for name, (kind, extents) in self.fields_of.items()],))

    @property
    def _torch(self):
        raise NotNumbers("this for an array of records is not implemented in janus-jit yet")


def record_dtype(parts):
    """The dtype of records with these fields."""
    key = tuple([(name, kind, tuple(extents)) for name, kind, extents in parts])
    found = _OF_RECORDS.get(key)
    if found is None:
        found = _OF_RECORDS[key] = object.__new__(RecordDType)
        found.kind = found.char = "V"
        found.names = tuple([name for name, _, _ in key])
        found.fields_of = {name: (kind, extents) for name, kind, extents in key}
        if len(found.fields_of) != len(key):
            raise ValueError(f"field {key[-1][0]!r} occurs more than once")
        found.itemsize = 0
        for _, kind, extents in key:
            size = kind.itemsize
            for n in extents:
                size *= n
            found.itemsize += size
        found.name, found.type, found.byteorder = f"void{8 * found.itemsize}", void, "|"
    return found


def fields_of_spec(spec):
    """The fields that a list, a dict or a text with commas says."""
    if isinstance(spec, str):
        spec = [(f"f{i}", part.strip()) for i, part in enumerate(spec.split(","))]
    elif isinstance(spec, dict):
        if "offsets" in spec or "titles" in spec or "names" not in spec:
            raise NotImplementedError("structured dtypes with offsets or titles are not implemented in janus-jit yet")
        spec = list(zip(spec["names"], spec["formats"]))
    parts = []
    for i, field in enumerate(spec):
        name, kind, extents = field if len(field) == 3 else (*field, ())
        if isinstance(kind, tuple):
            kind, extents = kind
        parts.append((name or f"f{i}", as_dtype(kind), (extents,) if isinstance(extents, int) else tuple(extents)))
    return record_dtype(parts)


_OF_ITEMS, _OF_RECORDS = {}, {}
OBJECT = item_dtype("O", 0)
for _keys, _made in (
    (("O", "object", "|O", "object_", object, object_), OBJECT),
    (("U", "str", "<U", "<U0", "U0", "=U", "str_", "unicode", str, str_, character), item_dtype("U", 0)),
    (("S", "bytes", "|S", "|S0", "S0", "bytes_", bytes, bytes_), item_dtype("S", 0)),
):
    for _key in _keys:
        _BY_SPEC[_key] = _made
del _keys, _key, _made
