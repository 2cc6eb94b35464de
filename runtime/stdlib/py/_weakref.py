"""What weakref is made of: references are native, proxies are written in terms of them."""

from _weakref_native import getweakrefcount, getweakrefs, ref

ReferenceType = ref


def _remove_dead_weakref(dct, key, /):
    reference = dct.get(key)
    if reference is not None and reference() is None:
        del dct[key]


class _Proxy:
    __slots__ = ("_reference",)

    def __init__(self, object_, callback=None):
        known = None if callback is None else lambda _: callback(self)
        object.__setattr__(self, "_reference", ref(object_, known))

    def __getattribute__(self, name):
        return getattr(_target(self), name)

    def __setattr__(self, name, value):
        setattr(_target(self), name, value)

    def __delattr__(self, name):
        delattr(_target(self), name)

    def __repr__(self):
        target = _target(self)
        return f"<weakproxy at {id(self):#x} to {type(target).__name__} at {id(target):#x}>"

    def __str__(self):
        return str(_target(self))

    def __bytes__(self):
        return bytes(_target(self))

    def __bool__(self):
        return bool(_target(self))

    def __len__(self):
        return len(_target(self))

    def __iter__(self):
        return iter(_target(self))

    def __next__(self):
        return next(_target(self))

    def __reversed__(self):
        return reversed(_target(self))

    def __contains__(self, item):
        return item in _target(self)

    def __getitem__(self, key):
        return _target(self)[key]

    def __setitem__(self, key, value):
        _target(self)[key] = value

    def __delitem__(self, key):
        del _target(self)[key]

    def __int__(self):
        return int(_target(self))

    def __float__(self):
        return float(_target(self))

    def __index__(self):
        return _index(_target(self))

    def __neg__(self):
        return -_target(self)

    def __pos__(self):
        return +_target(self)

    def __abs__(self):
        return abs(_target(self))

    def __invert__(self):
        return ~_target(self)

    def __divmod__(self, other):
        return divmod(_target(self), _bare(other))

    def __rdivmod__(self, other):
        return divmod(_bare(other), _target(self))

    def __pow__(self, other, modulo=None):
        return pow(_target(self), _bare(other), _bare(modulo))

    def __rpow__(self, other):
        return _bare(other) ** _target(self)

    def __ipow__(self, other):
        target = _target(self)
        target **= _bare(other)
        return target

    __hash__ = None


class _CallableProxy(_Proxy):
    __slots__ = ()

    def __call__(self, /, *args, **kwargs):
        return _target(self)(*args, **kwargs)


def _bare(value):
    return _target(value) if type(value) in (_Proxy, _CallableProxy) else value


def _target(self):
    target = object.__getattribute__(self, "_reference")()
    if target is None:
        raise ReferenceError("weakly-referenced object no longer exists")
    return target


def _forward_operators():
    import operator

    def binary(function):
        return lambda self, other: function(_target(self), _bare(other))

    def reflected(function):
        return lambda self, other: function(_bare(other), _target(self))

    for name in ("add", "sub", "mul", "matmul", "truediv", "floordiv", "mod", "lshift", "rshift", "and_", "or_", "xor"):
        bare = name.rstrip("_")
        setattr(_Proxy, f"__{bare}__", binary(getattr(operator, name)))
        setattr(_Proxy, f"__r{bare}__", reflected(getattr(operator, name)))
        setattr(_Proxy, f"__i{bare}__", binary(getattr(operator, "i" + bare)))
    for name in ("eq", "ne", "lt", "le", "gt", "ge"):
        setattr(_Proxy, f"__{name}__", binary(getattr(operator, name)))
    return operator.index


_index = _forward_operators()

for _class, _name in ((_Proxy, "ProxyType"), (_CallableProxy, "CallableProxyType")):
    _class.__name__ = _class.__qualname__ = _name
    _class.__module__ = "weakref"

ProxyType = _Proxy
CallableProxyType = _CallableProxy


def proxy(object, callback=None, /):
    return (_CallableProxy if callable(object) else _Proxy)(object, callback)
