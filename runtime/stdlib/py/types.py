"""Names of the interpreter's own types, `SimpleNamespace`, `GenericAlias` and friends."""

from _types import *
from _types import GenericAlias, MappingProxyType, UnionType

__all__ = ["FunctionType", "LambdaType", "CodeType", "GeneratorType", "CoroutineType", "MethodType",
           "BuiltinFunctionType", "BuiltinMethodType", "ModuleType", "TracebackType", "NoneType",
           "EllipsisType", "NotImplementedType", "CellType", "SimpleNamespace", "MappingProxyType",
           "GenericAlias", "UnionType", "DynamicClassAttribute", "new_class", "prepare_class",
           "resolve_bases", "coroutine"]


LambdaType = FunctionType
BuiltinMethodType = WrapperDescriptorType = MethodWrapperType = BuiltinFunctionType
ClassMethodDescriptorType = MethodDescriptorType


class SimpleNamespace:
    def __init__(self, /, **kwargs):
        self.__dict__.update(kwargs)

    def __repr__(self):
        items = ", ".join(f"{key}={value!r}" for key, value in self.__dict__.items())
        name = "namespace" if type(self) is SimpleNamespace else type(self).__name__
        return f"{name}({items})"

    def __eq__(self, other):
        if isinstance(self, SimpleNamespace) and isinstance(other, SimpleNamespace):
            return self.__dict__ == other.__dict__
        return NotImplemented


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
    resolved = []
    for base in bases:
        if not isinstance(base, type) and hasattr(base, "__mro_entries__"):
            resolved.extend(base.__mro_entries__(bases))
        else:
            resolved.append(base)
    return tuple(resolved)


def prepare_class(name, bases=(), kwds=None):
    kwds = dict(kwds or {})
    meta = kwds.pop("metaclass", None)
    if meta is None:
        meta = type(bases[0]) if bases else type
    for base in bases:
        if issubclass(type(base), meta):
            meta = type(base)
    namespace = meta.__prepare__(name, bases, **kwds) if hasattr(meta, "__prepare__") else {}
    return meta, namespace, kwds


def new_class(name, bases=(), kwds=None, exec_body=None):
    resolved = resolve_bases(bases)
    meta, namespace, kwds = prepare_class(name, resolved, kwds)
    if exec_body is not None:
        exec_body(namespace)
    if resolved is not bases and "__orig_bases__" not in namespace and resolved != tuple(bases):
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
        if type(made) is CoroutineType or not hasattr(made, "send"):
            return made
        return _delegating(made)

    from functools import update_wrapper
    return update_wrapper(wrapped, func)


@coroutine
def _delegating(generator):
    return (yield from generator)
