"""Names of the interpreter's own types, `SimpleNamespace`, `GenericAlias` and friends."""

from _types import *
from _types import GenericAlias, MappingProxyType, UnionType

# What `_pickle` has from there.
del PickleBuffer

__all__ = ["FunctionType", "LambdaType", "CodeType", "GeneratorType", "CoroutineType", "MethodType",
           "BuiltinFunctionType", "BuiltinMethodType", "ModuleType", "TracebackType", "NoneType",
           "EllipsisType", "NotImplementedType", "CellType", "SimpleNamespace", "MappingProxyType",
           "GenericAlias", "UnionType", "DynamicClassAttribute", "new_class", "prepare_class",
           "resolve_bases", "coroutine"]


LambdaType = FunctionType
BuiltinMethodType = MethodWrapperType = BuiltinFunctionType
WrapperDescriptorType = type(object.__init__)
ClassMethodDescriptorType = MethodDescriptorType


class SimpleNamespace:
    def __init__(self, /, **kwargs):
        self.__dict__.update(kwargs)

    def __repr__(self):
        name = "namespace" if type(self) is SimpleNamespace else type(self).__name__
        if id(self) in _shown:
            return f"{name}(...)"
        _shown.add(id(self))
        try:
            items = ", ".join(f"{key}={value!r}" for key, value in self.__dict__.items())
        finally:
            _shown.discard(id(self))
        return f"{name}({items})"

    def __eq__(self, other):
        if issubclass(type(self), SimpleNamespace) and issubclass(type(other), SimpleNamespace):
            return self.__dict__ == other.__dict__
        return NotImplemented

    __hash__ = None

    def __reduce__(self):
        return type(self), (), self.__dict__


# What is being shown: it may be in itself.
_shown = set()


class DynamicClassAttribute:
    """A property of instances that leaves the name to the class's own attributes."""

    def __init__(self, fget=None, fset=None, fdel=None, doc=None):
        self.fget = fget
        self.fset = fset
        self.fdel = fdel
        self.__doc__ = doc or fget.__doc__
        self.overwrite_doc = doc is None
        self.__isabstractmethod__ = bool(getattr(fget, "__isabstractmethod__", False))

    def __get__(self, instance, ownerclass=None):
        if instance is None:
            if self.__isabstractmethod__:
                return self
            raise AttributeError()
        if self.fget is None:
            raise AttributeError("unreadable attribute")
        return self.fget(instance)

    def __set__(self, instance, value):
        if self.fset is None:
            raise AttributeError("can't set attribute")
        self.fset(instance, value)

    def __delete__(self, instance):
        if self.fdel is None:
            raise AttributeError("can't delete attribute")
        self.fdel(instance)

    def _with(self, fget, fset, fdel):
        made = type(self)(fget, fset, fdel, None if self.overwrite_doc else self.__doc__)
        if made.__doc__ is None:
            made.__doc__ = self.__doc__
        made.overwrite_doc = self.overwrite_doc
        return made

    def getter(self, fget):
        made = self._with(fget, self.fset, self.fdel)
        if self.overwrite_doc:
            made.__doc__ = fget.__doc__ or self.__doc__
        return made

    def setter(self, fset):
        return self._with(self.fget, fset, self.fdel)

    def deleter(self, fdel):
        return self._with(self.fget, self.fset, fdel)


def resolve_bases(bases):
    resolved, changed = [], False
    for base in bases:
        if not isinstance(base, type) and hasattr(base, "__mro_entries__"):
            entries = base.__mro_entries__(bases)
            if not isinstance(entries, tuple):
                raise TypeError("__mro_entries__ must return a tuple")
            resolved.extend(entries)
            changed = True
        else:
            resolved.append(base)
    return tuple(resolved) if changed else bases


def prepare_class(name, bases=(), kwds=None):
    kwds = dict(kwds or {})
    meta = kwds.pop("metaclass", None)
    if meta is None:
        meta = type(bases[0]) if bases else type
    # A metaclass may be any callable, which then is called as it is.
    if isinstance(meta, type):
        for base in bases:
            if issubclass(meta, type(base)):
                continue
            if not issubclass(type(base), meta):
                raise TypeError("metaclass conflict: the metaclass of a derived class must be a (non-strict) subclass "
                                "of the metaclasses of all its bases")
            meta = type(base)
    namespace = meta.__prepare__(name, bases, **kwds) if hasattr(meta, "__prepare__") else {}
    return meta, namespace, kwds


def new_class(name, bases=(), kwds=None, exec_body=None):
    resolved = resolve_bases(bases)
    meta, namespace, kwds = prepare_class(name, resolved, kwds)
    if exec_body is not None:
        exec_body(namespace)
    if resolved is not bases:
        namespace["__orig_bases__"] = bases
    return meta(name, resolved, namespace, **kwds)


def coroutine(func):
    """Makes the generators of a function awaitable."""
    if not callable(func):
        raise TypeError("types.coroutine() expects a callable")
    if type(func) is FunctionType:
        flags = func.__code__.co_flags
        # A coroutine function, or one that was marked before.
        if flags & 0x180:
            return func
        if flags & 0x20:
            func.__code__ = func.__code__.replace(co_flags=flags | 0x100)
            return func

    def wrapped(*args, **kwargs):
        made = func(*args, **kwargs)
        if type(made) is CoroutineType or type(made) is GeneratorType and made.gi_code.co_flags & 0x100:
            return made
        from collections.abc import Coroutine, Generator
        if isinstance(made, Generator) and not isinstance(made, Coroutine):
            # CPython's, which is awaited as the generator is.
            from _pytypes import _GeneratorWrapper
            return _GeneratorWrapper(made)
        return made

    from functools import update_wrapper
    return update_wrapper(wrapped, func)


def __getattr__(name):
    if name == "_GeneratorWrapper":
        from _pytypes import _GeneratorWrapper
        return _GeneratorWrapper
    raise AttributeError(f"module 'types' has no attribute {name!r}")
