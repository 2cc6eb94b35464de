"""The typing_extensions package: what is newer than Python 3.11's typing, for annotations, which nothing checks."""

import functools
import typing
import warnings
from typing import *
from typing import (
    Concatenate, Never, NotRequired, Required, Self, TypeGuard, TypeVarTuple, Unpack, assert_never, assert_type,
    dataclass_transform, is_typeddict, override, reveal_type,
)

runtime = runtime_checkable
TypeIs = ReadOnly = TypeForm = Required


class _NoDefault:
    def __repr__(self):
        return "typing_extensions.NoDefault"


NoDefault = _NoDefault()


class TypeVar(typing.TypeVar):
    def __init__(self, name, *constraints, bound=None, covariant=False, contravariant=False, default=NoDefault,
                 infer_variance=False):
        super().__init__(name, *constraints, bound=bound, covariant=covariant, contravariant=contravariant)
        self.__default__ = default
        self.__infer_variance__ = infer_variance

    def has_default(self):
        return self.__default__ is not NoDefault


class ParamSpec(typing.ParamSpec):
    def __init__(self, name, *, bound=None, covariant=False, contravariant=False, default=NoDefault):
        super().__init__(name, bound=bound, covariant=covariant, contravariant=contravariant)
        self.__default__ = default


class TypeAliasType:
    def __init__(self, name, value, *, type_params=()):
        self.__name__, self.__value__, self.__type_params__ = name, value, type_params

    def __repr__(self):
        return self.__name__

    def __getitem__(self, parameters):
        return self.__value__[parameters]


class Buffer:
    pass


class Doc:
    def __init__(self, documentation, /):
        self.documentation = documentation

    def __repr__(self):
        return f"Doc({self.documentation!r})"


class deprecated:
    """Warns when what it decorates is called."""

    def __init__(self, message, /, *, category=DeprecationWarning, stacklevel=1):
        self.message, self.category, self.stacklevel = message, category, stacklevel

    def __call__(self, arg, /):
        if self.category is None:
            return arg
        message, category, stacklevel = self.message, self.category, self.stacklevel
        if isinstance(arg, type):
            original = arg.__init__

            @functools.wraps(original)
            def __init__(self, *args, **kwargs):
                warnings.warn(message, category, stacklevel=stacklevel + 1)
                original(self, *args, **kwargs)

            arg.__init__ = __init__
            arg.__deprecated__ = message
            return arg

        @functools.wraps(arg)
        def wrapper(*args, **kwargs):
            warnings.warn(message, category, stacklevel=stacklevel + 1)
            return arg(*args, **kwargs)

        wrapper.__deprecated__ = message
        return wrapper


def is_protocol(tp, /):
    return isinstance(tp, type) and getattr(tp, "_is_protocol", False)


def get_original_bases(cls, /):
    return getattr(cls, "__orig_bases__", cls.__bases__)
