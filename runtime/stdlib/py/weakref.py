"""Weak references; `ref` is native. Callbacks run when a dead reference is noticed."""

from _weakref import ref

__all__ = ["ref", "proxy", "WeakKeyDictionary", "WeakValueDictionary", "WeakSet", "WeakMethod", "ReferenceType",
           "finalize", "getweakrefcount"]

ReferenceType = ref


def getweakrefcount(object):
    return 0


class _Proxy:
    __slots__ = ("_ref",)

    def __init__(self, target):
        object.__setattr__(self, "_ref", ref(target))

    def _target(self):
        target = object.__getattribute__(self, "_ref")()
        if target is None:
            raise ReferenceError("weakly-referenced object no longer exists")
        return target

    def __getattribute__(self, name):
        return getattr(_Proxy._target(self), name)

    def __setattr__(self, name, value):
        setattr(_Proxy._target(self), name, value)

    def __delattr__(self, name):
        delattr(_Proxy._target(self), name)

    def __call__(self, *args, **kwargs):
        return _Proxy._target(self)(*args, **kwargs)

    def __str__(self):
        return str(_Proxy._target(self))

    def __len__(self):
        return len(_Proxy._target(self))

    def __iter__(self):
        return iter(_Proxy._target(self))

    def __getitem__(self, key):
        return _Proxy._target(self)[key]

    def __setitem__(self, key, value):
        _Proxy._target(self)[key] = value

    def __contains__(self, item):
        return item in _Proxy._target(self)

    def __bool__(self):
        return bool(_Proxy._target(self))

    def __eq__(self, other):
        return _Proxy._target(self) == other

    __hash__ = None


ProxyType = CallableProxyType = _Proxy


def proxy(object, callback=None):
    return _Proxy(object)


class WeakMethod:
    def __init__(self, meth, callback=None):
        self._object, self._function = ref(meth.__self__), meth.__func__

    def __call__(self):
        target = self._object()
        return None if target is None else self._function.__get__(target, type(target))


class WeakValueDictionary:
    def __init__(self, other=(), /, **kw):
        self._data = {}
        self.update(other, **kw)

    def _live(self):
        for key, reference in list(self._data.items()):
            value = reference()
            if value is None:
                del self._data[key]
            else:
                yield key, value

    def __getitem__(self, key):
        value = self._data[key]()
        if value is None:
            del self._data[key]
            raise KeyError(key)
        return value

    def __setitem__(self, key, value):
        self._data[key] = ref(value)

    def __delitem__(self, key):
        del self._data[key]

    def __contains__(self, key):
        return self.get(key) is not None

    def __len__(self):
        return sum(1 for _ in self._live())

    def __iter__(self):
        return (key for key, _ in self._live())

    def get(self, key, default=None):
        reference = self._data.get(key)
        value = None if reference is None else reference()
        return default if value is None else value

    def keys(self):
        return [key for key, _ in self._live()]

    def values(self):
        return [value for _, value in self._live()]

    def items(self):
        return list(self._live())

    def pop(self, key, *default):
        try:
            value = self[key]
        except KeyError:
            if default:
                return default[0]
            raise
        del self._data[key]
        return value

    def setdefault(self, key, default=None):
        value = self.get(key)
        if value is None:
            self[key] = value = default
        return value

    def update(self, other=(), /, **kw):
        for key, value in dict(other, **kw).items():
            self[key] = value

    def clear(self):
        self._data.clear()


class WeakKeyDictionary:
    def __init__(self, dict=None):
        # By identity of the key; the reference tells whether it is still alive.
        self._data = {}
        for key, value in (dict or {}).items():
            self[key] = value

    def _find(self, key):
        entry = self._data.get(id(key))
        if entry is not None and entry[0]() is key:
            return entry
        for number, entry in list(self._data.items()):
            known = entry[0]()
            if known is None:
                del self._data[number]
            elif known == key:
                return entry
        return None

    def _live(self):
        for number, (reference, value) in list(self._data.items()):
            key = reference()
            if key is None:
                del self._data[number]
            else:
                yield key, value

    def __getitem__(self, key):
        entry = self._find(key)
        if entry is None:
            raise KeyError(key)
        return entry[1]

    def __setitem__(self, key, value):
        entry = self._find(key)
        known = key if entry is None else entry[0]()
        self._data[id(known)] = (ref(known), value)

    def __delitem__(self, key):
        entry = self._find(key)
        if entry is None:
            raise KeyError(key)
        del self._data[id(entry[0]())]

    def __contains__(self, key):
        return self._find(key) is not None

    def __len__(self):
        return sum(1 for _ in self._live())

    def __iter__(self):
        return (key for key, _ in self._live())

    def get(self, key, default=None):
        entry = self._find(key)
        return default if entry is None else entry[1]

    def keys(self):
        return [key for key, _ in self._live()]

    def values(self):
        return [value for _, value in self._live()]

    def items(self):
        return list(self._live())

    def pop(self, key, *default):
        entry = self._find(key)
        if entry is None:
            if default:
                return default[0]
            raise KeyError(key)
        del self[key]
        return entry[1]

    def setdefault(self, key, default=None):
        entry = self._find(key)
        if entry is None:
            self[key] = default
            return default
        return entry[1]


class WeakSet:
    def __init__(self, data=()):
        self._keys = WeakKeyDictionary()
        for item in data:
            self.add(item)

    def add(self, item):
        self._keys[item] = True

    def discard(self, item):
        self._keys.pop(item, None)

    def remove(self, item):
        del self._keys[item]

    def __contains__(self, item):
        return item in self._keys

    def __iter__(self):
        return iter(self._keys)

    def __len__(self):
        return len(self._keys)

    def update(self, other):
        for item in other:
            self.add(item)

    def clear(self):
        self._keys = WeakKeyDictionary()

    def copy(self):
        return WeakSet(self)

    def pop(self):
        for item in self:
            self.remove(item)
            return item
        raise KeyError("pop from empty WeakSet")

    def union(self, other):
        return WeakSet([*self, *other])

    __or__ = union

    def difference(self, other):
        return WeakSet([item for item in self if item not in other])

    __sub__ = difference

    def intersection(self, other):
        return WeakSet([item for item in self if item in other])

    __and__ = intersection

    def __ior__(self, other):
        self.update(other)
        return self

    def issubset(self, other):
        return all([item in other for item in self])

    def isdisjoint(self, other):
        return not any([item in other for item in self])

    def __eq__(self, other):
        return isinstance(other, WeakSet) and set(self) == set(other)

    __hash__ = None


class finalize:
    """Calls a function at the end of the program if it was not called before."""

    def __init__(self, obj, func, /, *args, **kwargs):
        import atexit
        self._call = (func, args, kwargs)
        self._ref = ref(obj)
        atexit.register(self)

    @property
    def alive(self):
        return self._call is not None

    def __call__(self, _=None):
        if self._call is None:
            return None
        func, args, kwargs = self._call
        self._call = None
        return func(*args, **kwargs)

    def detach(self):
        call, self._call = self._call, None
        return None if call is None else (self._ref(), *call)
