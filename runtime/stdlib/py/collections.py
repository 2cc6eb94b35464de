"""Container types. `deque` is native; the rest builds on `dict` and `tuple`."""

import _types
from _deque import deque, ordered_init as _ordered_init, ordered_items as _ordered_items, \
    ordered_keys as _ordered_keys, ordered_update as _ordered_update, ordered_values as _ordered_values, \
    tuple_field as _tuple_field

__all__ = ["ChainMap", "Counter", "OrderedDict", "UserDict", "UserList", "UserString", "defaultdict", "deque",
           "namedtuple"]


class defaultdict(dict):
    # A derived class need not call `__init__`.
    default_factory = None

    def __init__(self, default_factory=None, /, *args, **kwargs):
        if default_factory is not None and not callable(default_factory):
            raise TypeError("first argument must be callable or None")
        self.default_factory = default_factory
        super().__init__(*args, **kwargs)

    def __missing__(self, key):
        factory = self.default_factory
        if factory is None:
            raise KeyError(key)
        value = factory()
        self[key] = value
        return value

    def __repr__(self):
        return f"{type(self).__name__}({self.default_factory!r}, {dict.__repr__(self)})"

    def copy(self):
        return type(self)(self.default_factory, self)

    __copy__ = copy

    def __reduce__(self):
        return type(self), (self.default_factory,), None, None, iter(self.items())

    def __or__(self, other):
        if not isinstance(other, dict):
            return NotImplemented
        new = self.copy()
        new.update(other)
        return new


class OrderedDict(dict):
    # These set each entry with the `__setitem__` of a derived class, as those of a dict do not.
    __init__ = _ordered_init
    update = _ordered_update
    keys = _ordered_keys
    values = _ordered_values
    items = _ordered_items

    def setdefault(self, key, default=None):
        if key in self:
            return self[key]
        self[key] = default
        return default

    # What a derived class defines is not asked for what the order is.
    def move_to_end(self, key, last=True):
        value = dict.pop(self, key)
        if last:
            dict.__setitem__(self, key, value)
            return
        rest = list(dict.items(self))
        dict.clear(self)
        dict.__setitem__(self, key, value)
        dict.update(self, rest)

    def popitem(self, last=True):
        if not dict.__len__(self):
            raise KeyError("dictionary is empty")
        keys = dict.keys(self)
        key = next(reversed(keys) if last else iter(keys))
        return key, dict.pop(self, key)

    def copy(self):
        if self.__class__ is OrderedDict:
            return OrderedDict(self)
        new = self.__class__()
        for key in list(dict.keys(self)):
            new[key] = self[key]
        return new

    def __reduce__(self):
        return self.__class__, (), vars(self) or None, None, iter(self.items())

    @classmethod
    def fromkeys(cls, iterable, value=None):
        self = cls()
        for key in iterable:
            self[key] = value
        return self

    def __eq__(self, other):
        if isinstance(other, OrderedDict):
            return dict.__eq__(self, other) and list(dict.keys(self)) == list(dict.keys(other))
        return dict.__eq__(self, other)

    def __ne__(self, other):
        same = OrderedDict.__eq__(self, other)
        return same if same is NotImplemented else not same

    def __repr__(self):
        if not dict.__len__(self):
            return f"{self.__class__.__name__}()"
        return f"{self.__class__.__name__}({list(self.items())!r})"

    def __or__(self, other):
        if not isinstance(other, dict):
            return NotImplemented
        new = self.__class__(self)
        new.update(other)
        return new

    def __ror__(self, other):
        if not isinstance(other, dict):
            return NotImplemented
        new = self.__class__(other)
        new.update(self)
        return new

    def __ior__(self, other):
        self.update(other)
        return self


def _count_elements(mapping, iterable):
    """Counts what an iterable gives."""
    get = mapping.get
    for item in iterable:
        mapping[item] = get(item, 0) + 1


class Counter(dict):
    def __init__(self, iterable=None, /, **kwds):
        super().__init__()
        self.update(iterable, **kwds)

    def __missing__(self, key):
        return 0

    def total(self):
        return sum(self.values())

    def most_common(self, n=None):
        ranked = sorted(self.items(), key=lambda item: item[1], reverse=True)
        return ranked if n is None else ranked[:max(n, 0)]

    def elements(self):
        for key, count in self.items():
            for _ in range(count):
                yield key

    @classmethod
    def fromkeys(cls, iterable, v=None):
        raise NotImplementedError("Counter.fromkeys() is undefined.  Use Counter(iterable) instead.")

    def update(self, iterable=None, /, **kwds):
        if iterable is not None:
            if hasattr(iterable, "keys"):
                if not self:
                    super().update(iterable)
                else:
                    for key, count in iterable.items():
                        self[key] = count + self.get(key, 0)
            else:
                _count_elements(self, iterable)
        if kwds:
            self.update(kwds)

    def subtract(self, iterable=None, /, **kwds):
        if iterable is not None:
            if hasattr(iterable, "keys"):
                for key in iterable.keys():
                    self[key] = self.get(key, 0) - iterable[key]
            else:
                for key in iterable:
                    self[key] = self.get(key, 0) - 1
        if kwds:
            self.subtract(kwds)

    def copy(self):
        return self.__class__(self)

    __copy__ = copy

    def __reduce__(self):
        return self.__class__, (dict(self),)

    def __delitem__(self, key):
        if key in self:
            super().__delitem__(key)

    def __repr__(self):
        if not self:
            return f"{self.__class__.__name__}()"
        try:
            shown = dict(self.most_common())
        except TypeError:
            shown = dict(self)
        return f"{self.__class__.__name__}({shown!r})"

    def __eq__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return all(self[key] == other[key] for c in (self, other) for key in c)

    def __ne__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return not self == other

    def __le__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return all(self[key] <= other[key] for c in (self, other) for key in c)

    def __lt__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return self <= other and self != other

    def __ge__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return all(self[key] >= other[key] for c in (self, other) for key in c)

    def __gt__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return self >= other and self != other

    def _combine(self, other, op):
        """A counter with the positive values of `op` over the keys of both, ours first."""
        result = Counter()
        for key, count in self.items():
            count = op(count, other[key])
            if count > 0:
                result[key] = count
        for key, count in other.items():
            if key not in self:
                count = op(0, count)
                if count > 0:
                    result[key] = count
        return result

    def __add__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return self._combine(other, lambda a, b: a + b)

    def __sub__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return self._combine(other, lambda a, b: a - b)

    def __or__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return self._combine(other, max)

    def __and__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return self._combine(other, min)

    def __pos__(self):
        return self + Counter()

    def __neg__(self):
        return Counter() - self

    def _keep_positive(self):
        for key in [key for key, count in self.items() if not count > 0]:
            del self[key]
        return self

    def __iadd__(self, other):
        for key, count in other.items():
            self[key] += count
        return self._keep_positive()

    def __isub__(self, other):
        for key, count in other.items():
            self[key] -= count
        return self._keep_positive()

    def __ior__(self, other):
        for key, count in other.items():
            if count > self[key]:
                self[key] = count
        return self._keep_positive()

    def __iand__(self, other):
        for key, count in self.items():
            if other[key] < count:
                self[key] = other[key]
        return self._keep_positive()


_KEYWORDS = frozenset("""False None True and as assert async await break class continue def del elif
else except finally for from global if import in is lambda nonlocal not or pass raise return try while
with yield""".split())


def namedtuple(typename, field_names, *, rename=False, defaults=None, module=None):
    if isinstance(field_names, str):
        field_names = field_names.replace(",", " ").split()
    field_names = [str(name) for name in field_names]
    typename = str(typename)
    if rename:
        seen = set()
        for i, name in enumerate(field_names):
            if not name.isidentifier() or name in _KEYWORDS or name.startswith("_") or name in seen:
                field_names[i] = f"_{i}"
            seen.add(name)
    for name in [typename] + field_names:
        if not name.isidentifier():
            raise ValueError(f"Type names and field names must be valid identifiers: {name!r}")
        if name in _KEYWORDS:
            raise ValueError(f"Type names and field names cannot be a keyword: {name!r}")
    seen = set()
    for name in field_names:
        if name.startswith("_") and not rename:
            raise ValueError(f"Field names cannot start with an underscore: {name!r}")
        if name in seen:
            raise ValueError(f"Encountered duplicate field name: {name!r}")
        seen.add(name)
    fields = tuple(field_names)
    count = len(fields)
    field_defaults = {}
    if defaults is not None:
        defaults = tuple(defaults)
        if len(defaults) > count:
            raise TypeError("Got more default values than field names")
        field_defaults = dict(zip(fields[count - len(defaults):], defaults))

    arguments = ", ".join(fields)
    scope = {"_tuple_new": tuple.__new__, "__name__": f"namedtuple_{typename}"}
    exec(f"def __new__(_cls, {arguments}):\n    return _tuple_new(_cls, ({arguments}{',' if count else ''}))\n", scope)
    new = scope["__new__"]
    new.__doc__ = f"Create new instance of {typename}({arguments})"
    new.__qualname__ = f"{typename}.__new__"
    if defaults is not None:
        new.__defaults__ = defaults

    def _make(cls, iterable):
        result = tuple.__new__(cls, iterable)
        if len(result) != count:
            raise TypeError(f"Expected {count} arguments, got {len(result)}")
        return result

    def _replace(self, /, **kwds):
        result = self._make(map(kwds.pop, fields, self))
        if kwds:
            raise ValueError(f"Got unexpected field names: {list(kwds)!r}")
        return result

    shape = "(" + ", ".join(f"{name}=%r" for name in fields) + ")"

    def __repr__(self):
        return self.__class__.__name__ + shape % tuple(self)

    def _asdict(self):
        return dict(zip(self._fields, self))

    def __getnewargs__(self):
        return tuple(self)

    namespace = {
        "__doc__": f"{typename}({arguments})",
        "__slots__": (),
        "_fields": fields,
        "_field_defaults": field_defaults,
        "__new__": new,
        "_make": classmethod(_make),
        "_replace": _replace,
        "__repr__": __repr__,
        "_asdict": _asdict,
        "__getnewargs__": __getnewargs__,
        "__match_args__": fields,
    }
    for index, name in enumerate(fields):
        namespace[name] = _tuple_field(index)
    result = type(typename, (tuple,), namespace)
    if module is None:
        import sys
        module = sys._getframemodulename(1) or "__main__"
    result.__module__ = module
    return result


class ChainMap:
    __class_getitem__ = classmethod(_types.GenericAlias)

    def __init__(self, *maps):
        self.maps = list(maps) or [{}]

    def __missing__(self, key):
        raise KeyError(key)

    def __getitem__(self, key):
        for mapping in self.maps:
            try:
                return mapping[key]
            except KeyError:
                pass
        return self.__missing__(key)

    def get(self, key, default=None):
        return self[key] if key in self else default

    def _merged(self):
        merged = {}
        for mapping in reversed(self.maps):
            merged.update(dict.fromkeys(mapping))
        return merged

    def __len__(self):
        return len(self._merged())

    def __iter__(self):
        return iter(self._merged())

    def __contains__(self, key):
        return any(key in mapping for mapping in self.maps)

    def __bool__(self):
        return any(self.maps)

    def __repr__(self):
        return f"{self.__class__.__name__}({', '.join(map(repr, self.maps))})"

    def __eq__(self, other):
        return dict(self.items()) == dict(other.items())

    def keys(self):
        return self._merged().keys()

    def items(self):
        return {key: self[key] for key in self._merged()}.items()

    def values(self):
        return [self[key] for key in self._merged()]

    def copy(self):
        return self.__class__(self.maps[0].copy(), *self.maps[1:])

    __copy__ = copy

    def new_child(self, m=None, **kwargs):
        if m is None:
            m = kwargs
        elif kwargs:
            m.update(kwargs)
        return self.__class__(m, *self.maps)

    @property
    def parents(self):
        return self.__class__(*self.maps[1:])

    def __setitem__(self, key, value):
        self.maps[0][key] = value

    def __delitem__(self, key):
        try:
            del self.maps[0][key]
        except KeyError:
            raise KeyError(f"Key not found in the first mapping: {key!r}")

    def pop(self, key, *args):
        try:
            return self.maps[0].pop(key, *args)
        except KeyError:
            raise KeyError(f"Key not found in the first mapping: {key!r}")

    def update(self, *args, **kwds):
        self.maps[0].update(*args, **kwds)

    def popitem(self):
        try:
            return self.maps[0].popitem()
        except KeyError:
            raise KeyError("No keys found in the first mapping.")

    def setdefault(self, key, default=None):
        try:
            return self[key]
        except KeyError:
            self[key] = default
        return default

    @classmethod
    def fromkeys(cls, iterable, *args):
        return cls(dict.fromkeys(iterable, *args))

    def __ior__(self, other):
        self.maps[0].update(other)
        return self

    def __or__(self, other):
        if not _is_mapping(other):
            return NotImplemented
        merged = self.copy()
        merged.maps[0].update(other)
        return merged

    def __ror__(self, other):
        if not _is_mapping(other):
            return NotImplemented
        merged = dict(other)
        for mapping in reversed(self.maps):
            merged.update(mapping)
        return self.__class__(merged)

    def clear(self):
        self.maps[0].clear()


def _is_mapping(value):
    from _collections_abc import Mapping
    return isinstance(value, (dict, ChainMap, Mapping))


def __getattr__(name):
    # These derive from abstract classes, which few scripts need.
    if name == "abc":
        import collections.abc
        return collections.abc
    if name in ("UserDict", "UserList", "UserString"):
        import _collections_user
        return getattr(_collections_user, name)
    raise AttributeError(f"module 'collections' has no attribute {name!r}")


_types.qualified(defaultdict, OrderedDict)
