"""Higher-order functions. `partial`, `reduce` and `cmp_to_key` are native."""

try:
    from _functools import cmp_to_key, partial, reduce
except ImportError:
    # A script may forbid the native ones.
    from _pyfunctools import cmp_to_key, partial, reduce
from _types import GenericAlias
from heapq import heapify, heappop, heappush, heapreplace

__all__ = ["update_wrapper", "wraps", "WRAPPER_ASSIGNMENTS", "WRAPPER_UPDATES", "total_ordering",
           "cache", "cmp_to_key", "lru_cache", "reduce", "partial", "partialmethod",
           "singledispatch", "singledispatchmethod", "cached_property"]

WRAPPER_ASSIGNMENTS = ("__module__", "__name__", "__qualname__", "__doc__", "__annotations__")
WRAPPER_UPDATES = ("__dict__",)


def update_wrapper(wrapper, wrapped, assigned=WRAPPER_ASSIGNMENTS, updated=WRAPPER_UPDATES):
    for attr in assigned:
        try:
            value = getattr(wrapped, attr)
        except AttributeError:
            pass
        else:
            setattr(wrapper, attr, value)
    for attr in updated:
        getattr(wrapper, attr).update(getattr(wrapped, attr, {}))
    wrapper.__wrapped__ = wrapped
    return wrapper


def wraps(wrapped, assigned=WRAPPER_ASSIGNMENTS, updated=WRAPPER_UPDATES):
    return partial(update_wrapper, wrapped=wrapped, assigned=assigned, updated=updated)


def _derived(root, rewrite):
    """An ordering method made from the method called `root`."""

    def method(self, other):
        result = getattr(type(self), root)(self, other)
        if result is NotImplemented:
            return result
        return rewrite(self, other, result)

    return method


_ORDERINGS = {
    "__lt__": {
        "__gt__": lambda self, other, lt: not lt and self != other,
        "__le__": lambda self, other, lt: lt or self == other,
        "__ge__": lambda self, other, lt: not lt,
    },
    "__le__": {
        "__ge__": lambda self, other, le: not le or self == other,
        "__lt__": lambda self, other, le: le and self != other,
        "__gt__": lambda self, other, le: not le,
    },
    "__gt__": {
        "__lt__": lambda self, other, gt: not (gt or self == other),
        "__ge__": lambda self, other, gt: gt or self == other,
        "__le__": lambda self, other, gt: not gt,
    },
    "__ge__": {
        "__le__": lambda self, other, ge: not ge or self == other,
        "__gt__": lambda self, other, ge: ge and self != other,
        "__lt__": lambda self, other, ge: not ge,
    },
}


def total_ordering(cls):
    roots = [op for op in _ORDERINGS if getattr(cls, op, None) is not getattr(object, op, None)
             and any(op in base.__dict__ for base in cls.__mro__ if base is not object)]
    if not roots:
        raise ValueError("must define at least one ordering operation: < > <= >=")
    root = max(roots)
    for name, rewrite in _ORDERINGS[root].items():
        if name not in roots:
            method = _derived(root, rewrite)
            method.__name__ = name
            setattr(cls, name, method)
    return cls


class partialmethod:
    __class_getitem__ = classmethod(GenericAlias)

    def __init__(self, func, /, *args, **keywords):
        if not callable(func) and not hasattr(func, "__get__"):
            raise TypeError(f"{func!r} is not callable or a descriptor")
        self.func = func
        self.args = args
        self.keywords = keywords
        if isinstance(func, partialmethod):
            # One of another is one of what that is of.
            self.func, self.args = func.func, func.args + args
            self.keywords = {**func.keywords, **keywords}

    def __get__(self, obj, cls=None):
        get = getattr(type(self.func), "__get__", None)
        bound = self.func if get is None else get(self.func, obj, cls)
        if bound is not self.func:
            made = partial(bound, *self.args, **self.keywords)
            try:
                made.__self__ = bound.__self__
            except AttributeError:
                pass
            return made
        # What does not bind itself is a method all the same.
        func, args, keywords = self.func, self.args, self.keywords

        def _method(self, /, *more, **kw):
            return func(self, *args, *more, **{**keywords, **kw})

        _method.__isabstractmethod__ = self.__isabstractmethod__
        _method._partialmethod = self
        return _method.__get__(obj, cls)

    @property
    def __isabstractmethod__(self):
        return getattr(self.func, "__isabstractmethod__", False)

    def __repr__(self):
        shown = [repr(self.func), *map(repr, self.args), *(f"{name}={value!r}" for name, value in self.keywords.items())]
        cls = type(self)
        return f"{cls.__module__}.{cls.__qualname__}({', '.join(shown)})"


class _CacheInfo(tuple):
    __slots__ = ()
    _fields = ("hits", "misses", "maxsize", "currsize")
    hits = property(lambda self: self[0])
    misses = property(lambda self: self[1])
    maxsize = property(lambda self: self[2])
    currsize = property(lambda self: self[3])

    def __new__(cls, hits, misses, maxsize, currsize):
        return tuple.__new__(cls, (hits, misses, maxsize, currsize))

    def __getnewargs__(self):
        return tuple(self)

    def _asdict(self):
        return dict(zip(self._fields, self))

    def __repr__(self):
        return "CacheInfo(hits=%r, misses=%r, maxsize=%r, currsize=%r)" % tuple(self)


_KEYWORD_MARK = object()


def _make_key(args, kwds, typed):
    key = args
    if kwds:
        key += (_KEYWORD_MARK,)
        for item in kwds.items():
            key += item
    if typed:
        key += tuple(type(v) for v in args) + tuple(type(v) for v in kwds.values())
    return key


def lru_cache(maxsize=128, typed=False):
    if isinstance(maxsize, int):
        maxsize = max(maxsize, 0)
    elif callable(maxsize) and isinstance(typed, bool):
        wrapper = _lru_cache_wrapper(maxsize, 128, typed)
        wrapper.cache_parameters = lambda: {"maxsize": 128, "typed": typed}
        return update_wrapper(wrapper, maxsize)
    elif maxsize is not None:
        raise TypeError("Expected first argument to be an integer, a callable, or None")

    def decorating_function(user_function):
        wrapper = _lru_cache_wrapper(user_function, maxsize, typed)
        wrapper.cache_parameters = lambda: {"maxsize": maxsize, "typed": typed}
        return update_wrapper(wrapper, user_function)

    return decorating_function


def _lru_cache_wrapper(user_function, maxsize, typed):
    # For each key its value and when it was last used, so that a hit moves nothing: compiled code relies on where an
    # entry is.
    entries = {}
    hits = misses = uses = 0
    # Once something had to go: keys with uses that are that late or earlier, the earliest one first.
    early = []

    def bounded(*args, **kwds):
        nonlocal hits, misses, uses
        if kwds or typed:
            key = _make_key(args, kwds, typed)
        else:
            # Alone: an int is not the float that it equals.
            key = args[0] if len(args) == 1 and type(args[0]) in (int, str) else args
        entry = entries.get(key)
        if entry is not None:
            hits += 1
            uses += 1
            entry[1] = uses
            return entry[0]
        misses += 1
        value = user_function(*args, **kwds)
        if key not in entries and maxsize > 0:
            if len(entries) >= maxsize:
                drop()
            uses += 1
            entries[key] = [value, uses]
            if early:
                heappush(early, (uses, key))
        return value

    def unbounded(*args, **kwds):
        nonlocal hits, misses
        if kwds or typed:
            key = _make_key(args, kwds, typed)
        else:
            key = args[0] if len(args) == 1 and type(args[0]) in (int, str) else args
        value = entries.get(key, entries)
        if value is not entries:
            hits += 1
            return value
        misses += 1
        value = entries[key] = user_function(*args, **kwds)
        return value

    wrapper = unbounded if maxsize is None else bounded

    def drop():
        """The entry goes that was not used for longest."""
        if not early:
            early.extend([(entry[1], key) for key, entry in entries.items()])
            heapify(early)
        while True:
            used, key = early[0]
            last = entries[key][1]
            if last == used:
                heappop(early)
                del entries[key]
                return
            heapreplace(early, (last, key))

    def cache_info():
        return _CacheInfo(hits, misses, maxsize, len(entries))

    def cache_clear():
        nonlocal hits, misses
        entries.clear()
        early.clear()
        hits = misses = 0

    wrapper.cache_info = cache_info
    wrapper.cache_clear = cache_clear
    return wrapper


def cache(user_function, /):
    return lru_cache(maxsize=None)(user_function)


class cached_property:
    __class_getitem__ = classmethod(GenericAlias)

    def __init__(self, func):
        self.func = func
        self.attrname = None
        self.__doc__ = func.__doc__

    def __set_name__(self, owner, name):
        if self.attrname is None:
            self.attrname = name
        elif name != self.attrname:
            raise TypeError("Cannot assign the same cached_property to two different names "
                            f"({self.attrname!r} and {name!r}).")

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        if self.attrname is None:
            raise TypeError("Cannot use cached_property instance without calling __set_name__ on it.")
        cache = getattr(instance, "__dict__", None)
        if cache is None:
            raise TypeError(f"No '__dict__' attribute on {type(instance).__name__!r} instance to cache "
                            f"{self.attrname!r} property.")
        if self.attrname not in cache:
            cache[self.attrname] = self.func(instance)
        return cache[self.attrname]


def __getattr__(name):
    # CPython's, for what no graph is built through.
    import _pyfunctools
    try:
        return getattr(_pyfunctools, name)
    except AttributeError:
        raise AttributeError(f"module 'functools' has no attribute {name!r}") from None
