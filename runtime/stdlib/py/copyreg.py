"""How objects without their own `__reduce__` are taken apart, for `copy` and `pickle`."""

import sys

from _re import Pattern, compile as compile_pattern

__all__ = ["pickle", "constructor", "add_extension", "remove_extension", "clear_extension_cache"]

# Of the registered extensions: their codes, their names, and what was found under them.
_extension_registry = {}
_inverted_registry = {}
_extension_cache = {}

dispatch_table = {
    complex: lambda c: (complex, (c.real, c.imag)),
    range: lambda r: (range, (r.start, r.stop, r.step)),
    slice: lambda s: (slice, (s.start, s.stop, s.step)),
    bytearray: lambda b: (bytearray, (bytes(b),)),
}


def pickle(ob_type, pickle_function, constructor_ob=None):
    if not callable(pickle_function):
        raise TypeError("reduction functions must be callable")
    dispatch_table[ob_type] = pickle_function
    if constructor_ob is not None:
        constructor(constructor_ob)


def constructor(object):
    if not callable(object):
        raise TypeError("constructors must be callable")


def add_extension(module, name, code):
    code = int(code)
    if not 1 <= code <= 0x7fffffff:
        raise ValueError("code out of range")
    key = module, name
    registered = _extension_registry.get(key), _inverted_registry.get(code)
    if registered == (code, key):
        return
    if registered[0] is not None:
        raise ValueError(f"key {key} is already registered with code {registered[0]}")
    if registered[1] is not None:
        raise ValueError(f"code {code} is already in use for key {registered[1]}")
    _extension_registry[key] = code
    _inverted_registry[code] = key


def remove_extension(module, name, code):
    key = module, name
    if _extension_registry.get(key) != code or _inverted_registry.get(code) != key:
        raise ValueError(f"key {key} is not registered with code {code}")
    del _extension_registry[key], _inverted_registry[code]
    _extension_cache.pop(code, None)


def clear_extension_cache():
    _extension_cache.clear()


def __newobj__(cls, *args):
    return cls.__new__(cls, *args)


def __newobj_ex__(cls, args, kwargs):
    return cls.__new__(cls, *args, **kwargs)


_MISSING = object()
# The flag of a class that a class statement, or `type`, made.
_HEAP_TYPE = 1 << 9


def _refuse(cls):
    is_plain = cls.__module__ == "builtins" or cls.__flags__ & _HEAP_TYPE
    name = cls.__name__ if is_plain else f"{cls.__module__}.{cls.__name__}"
    raise TypeError(f"cannot pickle '{name}' object")


def _slot_values(obj):
    values = {}
    for cls in type(obj).__mro__:
        slots = cls.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if name in ("__dict__", "__weakref__"):
                continue
            value = getattr(obj, name, _MISSING)
            if value is not _MISSING:
                values[name] = value
    return values


class _Sample:
    def method(self):
        pass


def _reduce_function(function):
    owner = getattr(function, "__self__", None)
    if owner is None or isinstance(owner, type(sys)):
        return function.__qualname__
    return getattr, (owner, function.__name__)


def _reduce_descriptor(method):
    import builtins
    owner = getattr(builtins, method.__qualname__.rpartition(".")[0], None)
    if owner is None:
        raise TypeError(f"cannot pickle {type(method).__name__!r} object")
    return getattr, (owner, method.__name__)


# How objects of the interpreter's own classes are taken apart, in every protocol.
_BUILT_IN = {
    type(len): _reduce_function,
    type(str.upper): _reduce_descriptor,
    type(_Sample().method): lambda method: (getattr, (method.__self__, method.__func__.__name__)),
    type(list[int]): lambda alias: (type(list[int]), (alias.__origin__, alias.__args__)),
    type(int | str): lambda union: (_union, union.__args__),
    Pattern: lambda pattern: (compile_pattern, (pattern.pattern, pattern.flags)),
}


def _union(first, *rest):
    for other in rest:
        first = first | other
    return first


def default_reduce(obj):
    """What `object.__reduce_ex__(4)` answers."""
    cls = type(obj)
    if cls in _BUILT_IN:
        return _BUILT_IN[cls](obj)
    make, args = __newobj__, (cls,)
    if hasattr(cls, "__getnewargs_ex__"):
        positional, keywords = obj.__getnewargs_ex__()
        make, args = __newobj_ex__, (cls, tuple(positional), keywords)
    elif hasattr(cls, "__getnewargs__"):
        args = (cls, *obj.__getnewargs__())
    elif isinstance(obj, BaseException):
        make, args = cls, tuple(obj.args)
    else:
        for base in (int, float, str, bytes, tuple, frozenset, set):
            if isinstance(obj, base):
                args = (cls, base(obj))
                break
    getstate = getattr(cls, "__getstate__", None)
    if getstate is not None and getstate is not getattr(object, "__getstate__", None):
        state = obj.__getstate__()
    else:
        if len(args) == 1 and make is __newobj__ and not isinstance(obj, (list, dict)):
            # What a class of the interpreter's own keeps in it, neither a dict nor slots show.
            native = next(base for base in cls.__mro__ if not base.__flags__ & _HEAP_TYPE)
            if native is not object:
                _refuse(cls)
        state = getattr(obj, "__dict__", None) or None
        slots = _slot_values(obj)
        if slots:
            state = (state, slots)
    items = iter(list(obj)) if isinstance(obj, list) else None
    pairs = iter(list(obj.items())) if isinstance(obj, dict) else None
    return make, args, state, items, pairs


def _reconstructor(cls, base, state):
    if base is object:
        return object.__new__(cls)
    made = base.__new__(cls, state)
    if base.__init__ is not object.__init__:
        base.__init__(made, state)
    return made


def _reduce_ex(obj, protocol):
    """What `object.__reduce_ex__` answers for the protocols before 2."""
    cls = type(obj)
    if cls in _BUILT_IN:
        return _BUILT_IN[cls](obj)
    base = next(base for base in cls.__mro__ if base.__module__ == "builtins")
    if base is not object and base is cls:
        raise TypeError(f"cannot pickle {cls.__name__!r} object")
    args = (cls, base, None if base is object else base(obj))
    if getattr(obj, "__slots__", None) and cls.__getstate__ is object.__getstate__:
        raise TypeError("a class that defines __slots__ without defining __getstate__ cannot be pickled with "
                        f"protocol {protocol}")
    state = obj.__getstate__()
    return (_reconstructor, args, state) if state else (_reconstructor, args)
