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


class DynamicClassAttribute(property):
    def __get__(self, instance, owner=None):
        if instance is None:
            raise AttributeError()
        return super().__get__(instance, owner)


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
