"""Names for annotations. They can be subscripted, compared, hashed and shown; nothing is checked."""

import collections
import operator
import sys
from _collections_abc import (ByteString as _ByteString, AsyncGenerator as _AsyncGenerator, AsyncIterable as _AsyncIterable,
                              AsyncIterator as _AsyncIterator, Awaitable as _Awaitable,
                              Callable as _Callable, Collection as _Collection,
                              Container as _Container, Coroutine as _Coroutine,
                              Generator as _Generator, Hashable as _Hashable,
                              ItemsView as _ItemsView, Iterable as _Iterable,
                              Iterator as _Iterator, KeysView as _KeysView, Mapping as _Mapping,
                              MappingView as _MappingView, MutableMapping as _MutableMapping,
                              MutableSequence as _MutableSequence, MutableSet as _MutableSet,
                              Reversible as _Reversible, Sequence as _Sequence, Set as _Set,
                              Sized as _Sized, ValuesView as _ValuesView)
from abc import ABCMeta, abstractmethod
from _re import Match as _match_class, Pattern as _pattern_class
from types import FunctionType as _FunctionType, GenericAlias, MethodType as _MethodType, UnionType

__all__ = [
    "Annotated", "Any", "Callable", "ClassVar", "Concatenate", "Final", "ForwardRef", "Generic", "Literal",
    "Optional", "ParamSpec", "Protocol", "Tuple", "Type", "TypeVar", "TypeVarTuple", "Union", "AbstractSet",
    "ByteString", "Container", "ContextManager", "Hashable", "ItemsView", "Iterable", "Iterator", "KeysView",
    "Mapping", "MappingView", "MutableMapping", "MutableSequence", "MutableSet", "Sequence", "Sized", "ValuesView",
    "Awaitable", "AsyncIterator", "AsyncIterable", "Coroutine", "Collection", "AsyncGenerator", "AsyncContextManager",
    "Reversible", "SupportsAbs", "SupportsBytes", "SupportsComplex", "SupportsFloat", "SupportsIndex", "SupportsInt",
    "SupportsRound", "ChainMap", "Counter", "Deque", "Dict", "DefaultDict", "List", "OrderedDict", "Set", "FrozenSet",
    "NamedTuple", "TypedDict", "Generator", "BinaryIO", "IO", "Match", "Pattern", "TextIO", "AnyStr", "assert_type",
    "assert_never", "cast", "clear_overloads", "dataclass_transform", "final", "get_args", "get_origin",
    "get_overloads", "get_type_hints", "is_typeddict", "LiteralString", "Never", "NewType", "no_type_check",
    "no_type_check_decorator", "NoReturn", "NotRequired", "overload", "ParamSpecArgs", "ParamSpecKwargs", "Required",
    "reveal_type", "runtime_checkable", "Self", "Text", "TYPE_CHECKING", "TypeAlias", "TypeGuard", "Unpack",
]

TYPE_CHECKING = False
_NoneType = type(None)


def _shown(item):
    """The text of a type inside the brackets of another."""
    if item is ...:
        return "..."
    if isinstance(item, GenericAlias):
        return repr(item)
    if isinstance(item, type):
        if item.__module__ == "builtins":
            return item.__qualname__
        return f"{item.__module__}.{item.__qualname__}"
    if isinstance(item, (list, tuple)):
        return "[" + ", ".join(map(_shown, item)) + "]"
    return repr(item)


def _checked(item, what="Parameters to generic types must be types."):
    """The type that stands for what is written; an error that begins with `what` for what cannot be one."""
    if item is None:
        return _NoneType
    if isinstance(item, str):
        return ForwardRef(item)
    if isinstance(item, _SpecialForm):
        if not item._stands_alone:
            raise TypeError(f"Plain {item!r} is not valid as type argument")
    elif item is Generic or item is Protocol:
        raise TypeError(f"Plain {item!r} is not valid as type argument")
    elif isinstance(item, _GenericAlias):
        if item.__origin__ is Generic or item.__origin__ is Protocol:
            raise TypeError(f"{item!r} is not valid as type argument")
    elif type(item) is tuple:
        raise TypeError(f"{what} Got {item!r:.100}.")
    return item


def _argument(item):
    """As `_checked`, where a list of types may stand too, for a parameter specification."""
    if isinstance(item, (list, tuple)):
        return tuple(map(_checked, item))
    return item if item is ... else _checked(item)


def _counted(cls, given, wanted):
    if given != wanted:
        raise TypeError(f"Too {'many' if given > wanted else 'few'} arguments for {cls!r}; actual {given}, "
                        f"expected {wanted}")


class _Base:
    """What every typing object can do: take part in a union."""

    __slots__ = ()

    def __init_subclass__(cls, **kwargs):
        if cls.__module__ not in ("typing", "typing_extensions"):
            raise TypeError("Cannot subclass special typing classes")

    def __or__(self, other):
        return Union[self, other]

    def __ror__(self, other):
        return Union[other, self]


class _SpecialForm(_Base):
    """A name with a meaning of its own, such as `Any` or `Union`."""

    def __init__(self, name, make=None, stands_alone=False):
        self._name = name
        self._make = make
        self._stands_alone = stands_alone

    def __getattr__(self, name):
        if name in ("__name__", "__qualname__"):
            return self.__dict__["_name"]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __mro_entries__(self, bases):
        raise TypeError(f"Cannot subclass {self!r}")

    def __repr__(self):
        return "typing." + self._name

    def __reduce__(self):
        return self._name

    def __call__(self, *args, **kwds):
        raise TypeError(f"Cannot instantiate {self!r}")

    def __getitem__(self, item):
        if self._make is None:
            raise TypeError(f"{self!r} is not subscriptable")
        return self._make(self, item)

    def __instancecheck__(self, obj):
        raise TypeError(f"{self!r} cannot be used with isinstance()")

    def __subclasscheck__(self, cls):
        raise TypeError(f"{self!r} cannot be used with issubclass()")


class _GenericAlias(_Base):
    """A subscripted type: `List[int]`, `Optional[str]`, `Box[T]`."""

    def __init__(self, origin, args, name=None):
        self.__origin__ = origin
        self.__args__ = args
        self._name = name
        self.__parameters__ = _parameters(args)
        if name is None:
            self.__module__ = origin.__module__

    def __repr__(self):
        name = self._name
        if name is None:
            origin = self.__origin__
            name = repr(origin) if not isinstance(origin, type) else f"{origin.__module__}.{origin.__qualname__}"
        else:
            name = "typing." + name
        if not self.__args__:
            return f"{name}[()]"
        return f"{name}[{', '.join(map(_shown, self.__args__))}]"

    def __eq__(self, other):
        if not isinstance(other, _GenericAlias):
            return NotImplemented
        return self.__origin__ == other.__origin__ and self.__args__ == other.__args__

    def __hash__(self):
        return hash((self.__origin__, self.__args__))

    def __call__(self, *args, **kwargs):
        result = self.__origin__(*args, **kwargs)
        try:
            result.__orig_class__ = self
        except (AttributeError, TypeError):
            pass
        return result

    def __getitem__(self, items):
        if self.__origin__ in (Generic, Protocol):
            raise TypeError(f"Cannot subscript already-subscripted {self}")
        if not self.__parameters__:
            raise TypeError(f"{self} is not a generic class")
        return self._with(_substituted(self.__args__, _values(self, self.__parameters__, items)))

    def _with(self, args):
        return type(self)(self.__origin__, args, self._name)

    def __iter__(self):
        yield Unpack[self]

    def __reduce__(self):
        origin = globals().get(self._name, self.__origin__) if self._name else self.__origin__
        args = self.__args__
        return operator.getitem, (origin, args[0] if len(args) == 1 and not isinstance(args[0], tuple) else args)

    def __copy__(self):
        return self._with(self.__args__)

    def __setattr__(self, name, value):
        if name in _OWN or name.startswith("__") and name.endswith("__"):
            super().__setattr__(name, value)
        else:
            setattr(self.__origin__, name, value)

    def __dir__(self):
        return sorted({*super().__dir__(), *(n for n in dir(self.__origin__) if not n.startswith("__"))})

    def __mro_entries__(self, bases):
        if isinstance(self.__origin__, _SpecialForm):
            raise TypeError(f"Cannot subclass {self!r}")
        if self._name and self.__origin__ not in (Generic, Protocol):
            return _generic_entries(self, bases)
        if self.__origin__ is Generic:
            # A generic base that comes later already brings it along.
            later = bases[bases.index(self) + 1:]
            if Protocol in bases or any(isinstance(base, _ALIASES) for base in later):
                return ()
        return (self.__origin__,)

    def __getattr__(self, name):
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return getattr(self.__dict__["__origin__"], name)

    def __instancecheck__(self, obj):
        raise TypeError("Subscripted generics cannot be used with class and instance checks")

    def __subclasscheck__(self, cls):
        raise TypeError("Subscripted generics cannot be used with class and instance checks")


class _CallableGenericAlias(_GenericAlias):
    def __reduce__(self):
        args = self.__args__
        given = args if len(args) == 2 and _is_specification(args[0]) else (list(args[:-1]), args[-1])
        return operator.getitem, (Callable, given)

    def __repr__(self):
        args = self.__args__
        if len(args) == 2 and _is_specification(args[0]) and args[0] is not ...:
            return f"typing.Callable[{_shown(args[0])}, {_shown(args[1])}]"
        if len(args) == 2 and args[0] is ...:
            return f"typing.Callable[..., {_shown(args[1])}]"
        return f"typing.Callable[[{', '.join(map(_shown, args[:-1]))}], {_shown(args[-1])}]"


class _UnionGenericAlias(_GenericAlias):
    def __repr__(self):
        args = self.__args__
        if len(args) == 2 and _NoneType in args:
            other = args[1] if args[0] is _NoneType else args[0]
            return f"typing.Optional[{_shown(other)}]"
        return f"typing.Union[{', '.join(map(_shown, args))}]"

    def _with(self, args):
        return Union[args]

    def __eq__(self, other):
        if not isinstance(other, (_UnionGenericAlias, UnionType)):
            return NotImplemented
        return set(self.__args__) == set(other.__args__)

    def __hash__(self):
        return hash(frozenset(self.__args__))

    def __instancecheck__(self, obj):
        return self.__subclasscheck__(type(obj))

    def __subclasscheck__(self, cls):
        return any(issubclass(cls, arg) for arg in self.__args__)


class _LiteralGenericAlias(_GenericAlias):
    def __eq__(self, other):
        if not isinstance(other, _LiteralGenericAlias):
            return NotImplemented
        return set(self._typed()) == set(other._typed())

    def __hash__(self):
        return hash(frozenset(self._typed()))

    def _typed(self):
        return [(value, type(value)) for value in self.__args__]

    def __repr__(self):
        return f"typing.Literal[{', '.join(map(repr, self.__args__))}]"


class _AnnotatedAlias(_GenericAlias):
    def __init__(self, origin, metadata, name=None):
        super().__init__(origin, (origin,))
        self.__metadata__ = metadata

    def __eq__(self, other):
        if not isinstance(other, _AnnotatedAlias):
            return NotImplemented
        return self.__origin__ == other.__origin__ and self.__metadata__ == other.__metadata__

    def __hash__(self):
        return hash((self.__origin__, self.__metadata__))

    def __reduce__(self):
        return operator.getitem, (Annotated, (self.__origin__, *self.__metadata__))


    def __repr__(self):
        return f"typing.Annotated[{_shown(self.__origin__)}, {', '.join(map(repr, self.__metadata__))}]"

    def _with(self, args):
        return Annotated[args[0], *self.__metadata__]


class _SpecialGenericAlias(_Base):
    """`List`, `Dict` and the like: an old name of a class that can be subscripted and called."""

    def __init__(self, origin, name, parameters=1):
        self.__origin__ = origin
        self._name = name
        self._nparams = parameters

    def __repr__(self):
        return "typing." + self._name

    def __reduce__(self):
        return self._name

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __setattr__(self, name, value):
        if name in _OWN or name.startswith("__") and name.endswith("__"):
            super().__setattr__(name, value)
        else:
            setattr(self.__origin__, name, value)

    def __getitem__(self, items):
        if not isinstance(items, tuple):
            items = (items,)
        items = tuple(map(_checked, items))
        if self._nparams == 0:
            raise TypeError(f"{self!r} is not a generic class")
        if not any(_is_unpacked(item) for item in items):
            _counted(self, len(items), self._nparams)
        return _GenericAlias(self.__origin__, items, self._name)

    def __call__(self, *args, **kwargs):
        if self._name in _NOT_CALLED:
            raise TypeError(f"Type {self._name} cannot be instantiated; use {self.__origin__.__name__}() instead")
        return self.__origin__(*args, **kwargs)

    def __mro_entries__(self, bases):
        return _generic_entries(self, bases)

    def __instancecheck__(self, obj):
        return isinstance(obj, self.__origin__)

    def __subclasscheck__(self, cls):
        if isinstance(cls, _SpecialGenericAlias):
            return issubclass(cls.__origin__, self.__origin__)
        if not isinstance(cls, _GenericAlias):
            return issubclass(cls, self.__origin__)
        raise TypeError("issubclass() arg 1 must be a class")

    def __getattr__(self, name):
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return getattr(self.__dict__["__origin__"], name)


class _ContextAlias(_SpecialGenericAlias):
    """A class of `contextlib`, which is imported when it is needed."""

    def __init__(self, of_contextlib, name, methods):
        self._of_contextlib, self._name, self._methods, self._nparams = of_contextlib, name, methods, 1

    @property
    def __origin__(self):
        import contextlib

        return getattr(contextlib, self._of_contextlib)

    def __instancecheck__(self, obj):
        return self.__subclasscheck__(type(obj))

    def __subclasscheck__(self, cls):
        return all(getattr(cls, method, None) is not None for method in self._methods)

    def __getattr__(self, name):
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return getattr(self.__origin__, name)


class _NamedCallable(_SpecialGenericAlias):
    def __getitem__(self, items):
        if not isinstance(items, tuple) or len(items) != 2:
            raise TypeError("Callable must be used as Callable[[arg, ...], result].")
        args, result = items
        result = _checked(result, "Callable[args, result]: result must be a type.")
        if isinstance(args, list):
            what = "Callable[[arg, ...], result]: each arg must be a type."
            return _CallableGenericAlias(self.__origin__, (*(_checked(arg, what) for arg in args), result), "Callable")
        return _CallableGenericAlias(self.__origin__, (args, result), "Callable")


class _NamedTuple(_SpecialGenericAlias):
    def __getitem__(self, items):
        if not isinstance(items, tuple):
            items = (items,)
        if len(items) >= 2 and items[-1] is ...:
            items, rest = items[:-1], (...,)
        else:
            rest = ()
        what = "Tuple[t0, t1, ...]: each t must be a type."
        return _GenericAlias(tuple, (*(_checked(item, what) for item in items), *rest), "Tuple")


_ALIASES = (_GenericAlias, _SpecialGenericAlias)


def _generic_entries(alias, bases):
    """The bases that `List[T]` among these bases stands for: its class, and Generic after the last such base."""
    found = [] if alias.__origin__ in bases else [alias.__origin__]
    later = bases[bases.index(alias) + 1:]
    if not any(isinstance(base, _ALIASES) or isinstance(base, type) and issubclass(base, Generic) for base in later):
        found.append(Generic)
    return tuple(found)


# Old names that make nothing when they are called.
_NOT_CALLED = frozenset(["List", "Dict", "Set", "FrozenSet", "Tuple", "Type"])

# What an alias has of its own; everything else that is set on it is set on its class.
_OWN = frozenset(["_name", "_nparams", "_of_contextlib", "_methods"])


def _is_unpacked(item):
    return isinstance(item, _GenericAlias) and item.__origin__ is Unpack


def _is_specification(item):
    """Whether it can stand for all arguments of a callable."""
    return (item is ... or isinstance(item, ParamSpec)
            or isinstance(item, _GenericAlias) and item.__origin__ is Concatenate)


def _parameters(args):
    found = []
    for arg in args:
        if isinstance(arg, type) and not isinstance(arg, GenericAlias):
            continue
        if isinstance(arg, _Variable):
            inner = (arg,)
        elif isinstance(arg, (list, tuple)):
            inner = _parameters(arg)
        else:
            inner = getattr(arg, "__parameters__", ())
        if isinstance(inner, (list, tuple)):
            for parameter in inner:
                if parameter not in found:
                    found.append(parameter)
    return tuple(found)


def _values(cls, parameters, items):
    """What each parameter of a generic class stands for, of what is written in its brackets."""
    items = items if isinstance(items, tuple) else (items,)
    if len(parameters) == 1 and isinstance(parameters[0], ParamSpec) and not (
            len(items) == 1 and (isinstance(items[0], (list, tuple)) or _is_specification(items[0]))):
        items = (items,)
    flat = []
    for item in items:
        inner = item.__args__[0] if _is_unpacked(item) else None
        if getattr(inner, "__origin__", None) is tuple and inner.__args__[-1:] != (...,):
            flat.extend(inner.__args__)
        else:
            flat.append(item)
    many = [at for at, parameter in enumerate(parameters) if isinstance(parameter, TypeVarTuple)]
    if len(many) > 1:
        raise TypeError(f"More than one TypeVarTuple parameter in {cls}")
    if many:
        before, after = many[0], len(parameters) - many[0] - 1
        if len(flat) < before + after:
            raise TypeError(f"Too few arguments for {cls}; actual {len(flat)}, expected at least {before + after}")
        middle = tuple(map(_checked, flat[before:len(flat) - after]))
        flat = [*flat[:before], middle, *flat[len(flat) - after:]]
    else:
        _counted(cls, len(flat), len(parameters))
    values = {}
    for parameter, item in zip(parameters, flat):
        if isinstance(parameter, TypeVarTuple):
            values[parameter] = item
        else:
            values[parameter] = parameter.__typing_subst__(item)
    return values


def _substituted(args, values):
    result = []
    for arg in args:
        if isinstance(arg, TypeVarTuple):
            result.extend(values.get(arg, (arg,)))
        elif isinstance(arg, ParamSpec):
            value = values.get(arg, arg)
            result.extend(value) if isinstance(value, tuple) else result.append(value)
        elif isinstance(arg, TypeVar):
            result.append(values.get(arg, arg))
        elif _is_unpacked(arg) and isinstance(arg.__args__[0], TypeVarTuple):
            result.extend(values.get(arg.__args__[0], (arg,)))
        elif isinstance(arg, (list, tuple)):
            result.append(tuple(_substituted(arg, values)))
        elif isinstance(arg, type) and not isinstance(arg, GenericAlias):
            result.append(arg)
        elif getattr(arg, "__parameters__", None):
            inner = []
            for parameter in arg.__parameters__:
                value = values.get(parameter, parameter)
                if isinstance(parameter, TypeVarTuple) and isinstance(value, tuple):
                    inner.extend(value)
                elif isinstance(value, tuple):
                    inner.append(list(value))
                else:
                    inner.append(value)
            made = arg[tuple(inner)]
            # What was concatenated to plain types are several arguments.
            result.extend(made) if isinstance(made, tuple) else result.append(made)
        else:
            result.append(arg)
    return tuple(result)


class ForwardRef(_Base):
    def __init__(self, arg, is_argument=True, module=None, *, is_class=False):
        if not isinstance(arg, str):
            raise TypeError(f"Forward reference must be a string -- got {arg!r}")
        try:
            # What is unpacked is an expression among others only.
            code = compile(f"({arg},)[0]" if arg[:1] == "*" else arg, "<string>", "eval")
        except SyntaxError:
            raise SyntaxError(f"Forward reference must be an expression -- got {arg!r}") from None
        self.__forward_arg__ = arg
        self.__forward_code__ = code
        self.__forward_evaluated__ = False
        self.__forward_value__ = None
        self.__forward_is_argument__ = is_argument
        self.__forward_is_class__ = is_class
        self.__forward_module__ = module

    def _evaluate(self, globalns, localns, recursive_guard=frozenset()):
        if self.__forward_arg__ in recursive_guard:
            return self
        if not self.__forward_evaluated__ or localns is not globalns:
            if globalns is None and localns is None:
                globalns = localns = {}
            elif globalns is None or localns is None:
                globalns = localns = localns if globalns is None else globalns
            module = sys.modules.get(self.__forward_module__) if self.__forward_module__ else None
            if module is not None:
                globalns = module.__dict__
            value = _checked(eval(self.__forward_code__, globalns, localns),
                             "Forward references must evaluate to types.")
            self.__forward_value__ = _evaluated(value, globalns, localns, recursive_guard | {self.__forward_arg__})
            self.__forward_evaluated__ = True
        return self.__forward_value__

    def __repr__(self):
        shown = "" if self.__forward_module__ is None else f", module={self.__forward_module__!r}"
        return f"ForwardRef({self.__forward_arg__!r}{shown})"

    def __eq__(self, other):
        if not isinstance(other, ForwardRef):
            return NotImplemented
        if self.__forward_evaluated__ and other.__forward_evaluated__:
            return self.__forward_arg__ == other.__forward_arg__ and self.__forward_value__ == other.__forward_value__
        return (self.__forward_arg__ == other.__forward_arg__
                and self.__forward_module__ == other.__forward_module__)

    def __hash__(self):
        return hash((self.__forward_arg__, self.__forward_module__))


class _Variable(_Base):
    """What stands for a type, for several, or for the parameters of a function."""

    def __reduce__(self):
        return self.__name__

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __mro_entries__(self, bases):
        raise TypeError(f"Cannot subclass an instance of {type(self).__name__}")

    def _named(self, name, covariant=False, contravariant=False, bound=None):
        if covariant and contravariant:
            raise ValueError("Bivariant types are not supported.")
        self.__name__ = name
        self.__covariant__ = bool(covariant)
        self.__contravariant__ = bool(contravariant)
        self.__bound__ = None if bound is None else _checked(bound, "Bound must be a type.")
        # The variable belongs to the module that makes it, so that it is found again when it is read from a pickle.
        module = sys._caller(2)[2]
        if module != "typing":
            self.__module__ = module

    def __repr__(self):
        return ("+" if self.__covariant__ else "-" if self.__contravariant__ else "~") + self.__name__


class TypeVar(_Variable):
    def __init__(self, name, *constraints, bound=None, covariant=False, contravariant=False):
        self._named(name, covariant, contravariant, bound)
        if constraints and bound is not None:
            raise TypeError("Constraints cannot be combined with bound=...")
        if len(constraints) == 1:
            raise TypeError("A single constraint is not allowed")
        self.__constraints__ = tuple(_checked(c, "TypeVar(name, constraint, ...): constraints must be types.")
                                     for c in constraints)

    def __typing_subst__(self, arg):
        arg = _checked(arg, "Parameters to generic types must be types.")
        if isinstance(arg, ParamSpec) or _is_unpacked(arg) or isinstance(arg, (list, tuple)):
            raise TypeError(f"{arg} is not valid as type argument")
        return arg


class ParamSpecArgs(_Base):
    """`P.args` of a parameter specification `P`."""

    _part = "args"

    def __init__(self, origin):
        self.__origin__ = origin

    def __repr__(self):
        return f"{self.__origin__.__name__}.{self._part}"

    def __eq__(self, other):
        if not isinstance(other, ParamSpecArgs):
            return NotImplemented
        return self._part == other._part and self.__origin__ == other.__origin__

    def __hash__(self):
        return hash((self._part, self.__origin__))

    def __mro_entries__(self, bases):
        raise TypeError(f"Cannot subclass an instance of {type(self).__name__}")


class ParamSpecKwargs(ParamSpecArgs):
    """`P.kwargs` of a parameter specification `P`."""

    _part = "kwargs"


class ParamSpec(_Variable):
    def __init__(self, name, *, bound=None, covariant=False, contravariant=False):
        self._named(name, covariant, contravariant, bound)

    @property
    def args(self):
        return ParamSpecArgs(self)

    @property
    def kwargs(self):
        return ParamSpecKwargs(self)

    def __typing_subst__(self, arg):
        if isinstance(arg, (list, tuple)):
            return tuple(_checked(a, "Expected a type.") for a in arg)
        if not _is_specification(arg):
            raise TypeError(f"Expected a list of types, an ellipsis, ParamSpec, or Concatenate. Got {arg}")
        return arg


class TypeVarTuple(_Variable):
    def __init__(self, name):
        self._named(name)

    def __iter__(self):
        yield Unpack[self]

    def __repr__(self):
        return self.__name__

    def __typing_subst__(self, arg):
        raise TypeError("Substitution of bare TypeVarTuple is not supported")


class NewType(_Base):
    def __init__(self, name, tp):
        self.__qualname__ = name
        self.__name__ = name.rpartition(".")[2]
        self.__supertype__ = tp
        module = sys._caller(1)[2]
        if module != "typing":
            self.__module__ = module

    def __repr__(self):
        return f"{self.__module__}.{self.__qualname__}"

    def __call__(self, x, /):
        return x

    def __reduce__(self):
        return self.__qualname__

    def __mro_entries__(self, bases):
        name = self.__name__

        class _Instead:
            def __init_subclass__(cls):
                raise TypeError(f"Cannot subclass an instance of NewType. Perhaps you were looking for: "
                                f"`{cls.__name__} = NewType({cls.__name__!r}, {name})`")

        return (_Instead,)


class _AnyMeta(type):
    def __instancecheck__(cls, obj):
        if cls is Any:
            raise TypeError("typing.Any cannot be used with isinstance()")
        return super().__instancecheck__(obj)

    def __repr__(cls):
        return "typing.Any" if cls is Any else super().__repr__()


class Any(metaclass=_AnyMeta):
    def __new__(cls, *args, **kwargs):
        if cls is Any:
            raise TypeError("Any cannot be instantiated")
        return super().__new__(cls)


def _single(special, item):
    return _GenericAlias(special, (_checked(item, f"{special} accepts only a single type."),), special._name)


def _concatenate(special, items):
    if items == ():
        raise TypeError("Cannot take a Concatenate of no types.")
    items = items if isinstance(items, tuple) else (items,)
    if not (items[-1] is ... or isinstance(items[-1], ParamSpec)):
        raise TypeError("The last parameter to Concatenate should be a ParamSpec variable or ellipsis.")
    what = "Concatenate[arg, ...]: each arg must be a type."
    return _ConcatenateAlias(special, (*(_checked(item, what) for item in items[:-1]), items[-1]), special._name)


class _ConcatenateAlias(_GenericAlias):
    def _with(self, args):
        # All that comes for the last one may be plain types: then they are just arguments.
        if args and (args[-1] is ... or isinstance(args[-1], ParamSpec)):
            return super()._with(args)
        if args and isinstance(args[-1], _ConcatenateAlias):
            return super()._with((*args[:-1], *args[-1].__args__))
        return tuple(args)


def _union(special, items):
    if items == ():
        raise TypeError("Cannot take a Union of no types.")
    flat = []
    for item in items if isinstance(items, tuple) else (items,):
        item = _checked(item, "Union[arg, ...]: each arg must be a type.")
        for part in item.__args__ if isinstance(item, (_UnionGenericAlias, UnionType)) else (item,):
            if part not in flat:
                flat.append(part)
    if len(flat) == 1:
        return flat[0]
    return _UnionGenericAlias(Union, tuple(flat), "Union")


def _literal(special, items):
    flat = []
    for item in items if isinstance(items, tuple) else (items,):
        for part in item.__args__ if isinstance(item, _LiteralGenericAlias) else (item,):
            if not any(part == known and type(part) is type(known) for known in flat):
                flat.append(part)
    return _LiteralGenericAlias(Literal, tuple(flat), "Literal")


def _annotated(items):
    if not isinstance(items, tuple) or len(items) < 2:
        raise TypeError("Annotated[...] should be used with at least two arguments (a type and an annotation).")
    if _is_unpacked(items[0]):
        raise TypeError("Annotated[...] should not be used with an unpacked TypeVarTuple")
    origin, metadata = items[0], items[1:]
    if not (isinstance(origin, _GenericAlias) and origin.__origin__ in (ClassVar, Final)):
        origin = _checked(origin, "Annotated[t, ...]: t must be a type.")
    if isinstance(origin, _AnnotatedAlias):
        origin, metadata = origin.__origin__, origin.__metadata__ + metadata
    return _AnnotatedAlias(origin, metadata)


Union = _SpecialForm("Union", _union)
Optional = _SpecialForm("Optional", lambda special, item: Union[
    _checked(item, f"{special} requires a single type."), None])
Literal = _SpecialForm("Literal", _literal)


class Annotated:
    """`Annotated[T, metadata, ...]`: the type T, with what somebody wants to say of it."""

    __slots__ = ()

    def __new__(cls, *args, **kwargs):
        raise TypeError("Type Annotated cannot be instantiated.")

    def __init_subclass__(cls, *args, **kwargs):
        raise TypeError(f"Cannot subclass {cls.__module__}.Annotated")

    def __class_getitem__(cls, items):
        return _annotated(items)


ClassVar = _SpecialForm("ClassVar", _single)
Final = _SpecialForm("Final", _single)
Required = _SpecialForm("Required", _single)
NotRequired = _SpecialForm("NotRequired", _single)
TypeGuard = _SpecialForm("TypeGuard", _single)
Unpack = _SpecialForm("Unpack", _single)
Concatenate = _SpecialForm("Concatenate", _concatenate)
NoReturn = _SpecialForm("NoReturn", stands_alone=True)
Never = _SpecialForm("Never", stands_alone=True)
Self = _SpecialForm("Self", stands_alone=True)
LiteralString = _SpecialForm("LiteralString", stands_alone=True)
TypeAlias = _SpecialForm("TypeAlias", stands_alone=True)

List = _SpecialGenericAlias(list, "List")
Dict = _SpecialGenericAlias(dict, "Dict", 2)
Set = _SpecialGenericAlias(set, "Set")
FrozenSet = _SpecialGenericAlias(frozenset, "FrozenSet")
Tuple = _NamedTuple(tuple, "Tuple")
Type = _SpecialGenericAlias(type, "Type")
Deque = _SpecialGenericAlias(collections.deque, "Deque")
DefaultDict = _SpecialGenericAlias(collections.defaultdict, "DefaultDict", 2)
OrderedDict = _SpecialGenericAlias(collections.OrderedDict, "OrderedDict", 2)
Counter = _SpecialGenericAlias(collections.Counter, "Counter")
ChainMap = _SpecialGenericAlias(collections.ChainMap, "ChainMap", 2)
Callable = _NamedCallable(_Callable, "Callable")
Hashable = _SpecialGenericAlias(_Hashable, "Hashable", 0)
Sized = _SpecialGenericAlias(_Sized, "Sized", 0)
Awaitable = _SpecialGenericAlias(_Awaitable, "Awaitable")
Coroutine = _SpecialGenericAlias(_Coroutine, "Coroutine", 3)
AsyncIterable = _SpecialGenericAlias(_AsyncIterable, "AsyncIterable")
AsyncIterator = _SpecialGenericAlias(_AsyncIterator, "AsyncIterator")
AsyncGenerator = _SpecialGenericAlias(_AsyncGenerator, "AsyncGenerator", 2)
Iterable = _SpecialGenericAlias(_Iterable, "Iterable")
Iterator = _SpecialGenericAlias(_Iterator, "Iterator")
Generator = _SpecialGenericAlias(_Generator, "Generator", 3)
Reversible = _SpecialGenericAlias(_Reversible, "Reversible")
Container = _SpecialGenericAlias(_Container, "Container")
Collection = _SpecialGenericAlias(_Collection, "Collection")
AbstractSet = _SpecialGenericAlias(_Set, "AbstractSet")
MutableSet = _SpecialGenericAlias(_MutableSet, "MutableSet")
Mapping = _SpecialGenericAlias(_Mapping, "Mapping", 2)
MutableMapping = _SpecialGenericAlias(_MutableMapping, "MutableMapping", 2)
MappingView = _SpecialGenericAlias(_MappingView, "MappingView")
KeysView = _SpecialGenericAlias(_KeysView, "KeysView")
ItemsView = _SpecialGenericAlias(_ItemsView, "ItemsView", 2)
ValuesView = _SpecialGenericAlias(_ValuesView, "ValuesView")
Sequence = _SpecialGenericAlias(_Sequence, "Sequence")
ByteString = _SpecialGenericAlias(_ByteString, "ByteString", 0)
MutableSequence = _SpecialGenericAlias(_MutableSequence, "MutableSequence")

ContextManager = _ContextAlias("AbstractContextManager", "ContextManager", ("__enter__", "__exit__"))
AsyncContextManager = _ContextAlias("AbstractAsyncContextManager", "AsyncContextManager", ("__aenter__", "__aexit__"))

Text = str


class Generic:
    __slots__ = ()

    def __class_getitem__(cls, items):
        if not isinstance(items, tuple):
            items = (items,)
        if cls in (Generic, Protocol):
            if not items:
                raise TypeError(f"Parameter list to {cls.__qualname__}[...] cannot be empty")
            items = tuple(item if item is ... else _checked(item) for item in items)
            if not all(isinstance(item, _Variable) or _is_unpacked(item) for item in items):
                raise TypeError(f"Parameters to {cls.__name__}[...] must all be type variables or parameter "
                                "specification variables.")
            if len(set(items)) != len(items):
                raise TypeError(f"Parameters to {cls.__name__}[...] must all be unique")
            return _GenericAlias(cls, items, cls.__name__)
        parameters = getattr(cls, "__parameters__", ())
        if not items and not any(isinstance(parameter, TypeVarTuple) for parameter in parameters):
            raise TypeError(f"Parameter list to {cls.__qualname__}[...] cannot be empty")
        if not parameters:
            raise TypeError(f"{cls} is not a generic class")
        unpacked = [Unpack[p] if isinstance(p, TypeVarTuple) else p for p in parameters]
        return _GenericAlias(cls, _substituted(unpacked, _values(cls, parameters, items)))

    def __init_subclass__(cls, *args, **kwargs):
        super().__init_subclass__(*args, **kwargs)
        bases = cls.__dict__.get("__orig_bases__")
        plain = cls.__bases__ if bases is None else bases
        if Generic in plain and cls.__name__ != "Protocol" and not (bases is None and Protocol in plain):
            raise TypeError("Cannot inherit from plain Generic")
        parameters, listed = (), None
        for base in bases or ():
            if isinstance(base, _GenericAlias):
                if base.__origin__ is Generic:
                    if listed is not None:
                        raise TypeError("Cannot inherit from Generic[...] multiple times.")
                    listed = base.__parameters__
                elif base.__origin__ is Protocol and listed is None:
                    listed = base.__parameters__
            if isinstance(base, _ALIASES) or isinstance(base, GenericAlias):
                parameters += tuple(p for p in getattr(base, "__parameters__", ()) if p not in parameters)
        if listed is not None:
            missing = [p for p in parameters if p not in listed]
            if missing:
                raise TypeError(f"Some type variables ({', '.join(map(str, missing))}) are not listed in "
                                f"Generic[{', '.join(map(str, listed))}]")
            parameters = listed
        if sum(isinstance(parameter, TypeVarTuple) for parameter in parameters) > 1:
            raise TypeError(f"More than one TypeVarTuple parameter in {cls.__name__}")
        cls.__parameters__ = parameters


_TYPING_INTERNALS = ["__parameters__", "__orig_bases__", "__orig_class__", "_is_protocol", "_is_runtime_protocol",
                     "__final__"]
_SPECIAL_NAMES = ["__abstractmethods__", "__annotations__", "__dict__", "__doc__", "__init__", "__module__", "__new__",
                  "__slots__", "__subclasshook__", "__weakref__", "__class_getitem__"]
EXCLUDED_ATTRIBUTES = _TYPING_INTERNALS + _SPECIAL_NAMES + ["_MutableMapping__marker"]
_NOT_MEMBERS = frozenset(EXCLUDED_ATTRIBUTES + ["__qualname__", "__init_subclass__", "__hash__",
                                                "__match_args__"])


def _get_protocol_attrs(cls):
    """The members that a protocol asks for."""
    members = set()
    for base in cls.__mro__[:-1]:
        if base.__name__ not in ("Protocol", "Generic"):
            members.update(base.__dict__)
            members.update(base.__dict__.get("__annotations__", ()))
    return {name for name in members - _NOT_MEMBERS if not name.startswith("_abc_")}


def _only_methods(cls):
    return all(callable(getattr(cls, name, None)) for name in _get_protocol_attrs(cls))


class _ProtocolMeta(ABCMeta):
    def __instancecheck__(cls, instance):
        is_protocol = getattr(cls, "_is_protocol", False)
        if is_protocol and not getattr(cls, "_is_runtime_protocol", False):
            raise TypeError("Instance and class checks can only be used with @runtime_checkable protocols")
        if super().__subclasscheck__(instance.__class__):
            return True
        return is_protocol and all(
            hasattr(instance, name)
            and (not callable(getattr(cls, name, None)) or getattr(instance, name) is not None)
            for name in _get_protocol_attrs(cls))

    def __subclasscheck__(cls, other):
        if cls.__dict__.get("_is_protocol", False) and cls is not Protocol:
            if not getattr(cls, "_is_runtime_protocol", False):
                raise TypeError("Instance and class checks can only be used with @runtime_checkable protocols")
            if not _only_methods(cls):
                raise TypeError("Protocols with non-method members don't support issubclass()")
            if not isinstance(other, type):
                raise TypeError("issubclass() arg 1 must be a class")
        return super().__subclasscheck__(other)


def _has_members(cls, other):
    """The hook of a protocol: whether a class has its methods."""
    if not cls.__dict__.get("_is_protocol", False) or not _only_methods(cls):
        return NotImplemented
    for name in _get_protocol_attrs(cls):
        for base in other.__mro__:
            if name in base.__dict__:
                if base.__dict__[name] is None:
                    return NotImplemented
                break
            if name in base.__dict__.get("__annotations__", ()) and getattr(other, "_is_protocol", False):
                break
        else:
            return NotImplemented
    return True


def _no_instances(self, *args, **kwargs):
    if type(self)._is_protocol:
        raise TypeError("Protocols cannot be instantiated")
    # A class that derives from a protocol is made as if its own `__init__`, or that of its next base, stood there.
    for base in type(self).__mro__:
        init = base.__dict__.get("__init__", _no_instances)
        if init is not _no_instances:
            return init(self, *args, **kwargs)


class Protocol(Generic, metaclass=_ProtocolMeta):
    _is_protocol = True
    _is_runtime_protocol = False

    def __init_subclass__(cls, *args, **kwargs):
        super().__init_subclass__(*args, **kwargs)
        if not cls.__dict__.get("_is_protocol", False):
            cls._is_protocol = Protocol in cls.__bases__
        if "__subclasshook__" not in cls.__dict__:
            cls.__subclasshook__ = classmethod(_has_members)
        if not cls._is_protocol:
            return
        for base in cls.__bases__:
            if not (base in (object, Generic) or getattr(base, "_is_protocol", False)
                    or base.__module__ in _PROTOCOLS and base.__name__ in _PROTOCOLS[base.__module__]):
                raise TypeError(f"Protocols can only inherit from other protocols, got {base!r}")
        if "__init__" not in cls.__dict__:
            cls.__init__ = _no_instances


# Classes of others that are protocols too.
_PROTOCOLS = {
    "collections.abc": ["Callable", "Awaitable", "Iterable", "Iterator", "AsyncIterable", "Hashable", "Sized",
                        "Container", "Collection", "Reversible"],
    "contextlib": ["AbstractContextManager", "AbstractAsyncContextManager"],
}


def runtime_checkable(cls):
    if not (isinstance(cls, type) and issubclass(cls, Generic)) or not cls._is_protocol:
        raise TypeError(f"@runtime_checkable can be only applied to protocol classes, got {cls!r}")
    cls._is_runtime_protocol = True
    return cls


class _Supports(Protocol):
    _is_runtime_protocol = True


def _supports(name, method):
    def body(self):
        raise NotImplementedError

    made = _ProtocolMeta(name, (Protocol,), {method: abstractmethod(body), "__module__": "typing"})
    made._is_runtime_protocol = True
    return made


SupportsInt = _supports("SupportsInt", "__int__")
SupportsFloat = _supports("SupportsFloat", "__float__")
SupportsComplex = _supports("SupportsComplex", "__complex__")
SupportsBytes = _supports("SupportsBytes", "__bytes__")
SupportsIndex = _supports("SupportsIndex", "__index__")
SupportsAbs = _supports("SupportsAbs", "__abs__")
SupportsRound = _supports("SupportsRound", "__round__")


class _NamedTupleMeta(type):
    def __new__(mcls, typename, bases, namespace):
        types = namespace.get("__annotations__", {})
        defaults = []
        for name in types:
            if name in namespace:
                defaults.append(namespace[name])
            elif defaults:
                raise TypeError(f"Non-default namedtuple field {name} cannot follow default field "
                                f"{next(n for n in types if n in namespace)}")
        made = collections.namedtuple(typename, list(types), defaults=defaults or None,
                                      module=namespace["__module__"])
        made.__annotations__ = made.__new__.__annotations__ = types
        for name, value in namespace.items():
            if name not in types and name not in ("__module__", "__qualname__", "__annotations__"):
                setattr(made, name, value)
        if "__qualname__" in namespace:
            made.__qualname__ = namespace["__qualname__"]
        return made


class _NamedTupleFactory:
    def __call__(self, typename, fields=None, /, **kwargs):
        fields = list(kwargs.items()) if fields is None else list(fields)
        made = collections.namedtuple(typename, [name for name, _ in fields])
        made.__annotations__ = made.__new__.__annotations__ = dict(fields)
        return made

    def __mro_entries__(self, bases):
        return (_NamedTupleBase,)

    def __repr__(self):
        return "<function NamedTuple>"


_NamedTupleBase = type.__new__(_NamedTupleMeta, "NamedTuple", (), {})
NamedTuple = _NamedTupleFactory()


class _TypedDictMeta(type):
    def __new__(mcls, name, bases, namespace, total=True):
        for base in bases:
            if type(base) is not _TypedDictMeta and base is not Generic:
                raise TypeError("cannot inherit from both a TypedDict type and a non-TypedDict base class")
        generic = (Generic,) if any(issubclass(base, Generic) for base in bases) else ()
        made = type.__new__(mcls, name, (*generic, dict), namespace)
        annotations, required, optional = {}, set(), set()
        for base in bases:
            annotations.update(base.__dict__.get("__annotations__", {}))
            required.update(base.__dict__.get("__required_keys__", ()))
            optional.update(base.__dict__.get("__optional_keys__", ()))
        what = "TypedDict('Name', {f0: t0, f1: t1, ...}); each t must be a type"
        for key, value in namespace.get("__annotations__", {}).items():
            if isinstance(value, str):
                value = ForwardRef(value, module=made.__module__)
            annotations[key] = value = _checked(value, what)
            inner = value.__origin__ if isinstance(value, _AnnotatedAlias) else value
            origin = getattr(inner, "__origin__", None)
            is_required = origin is Required or total and origin is not NotRequired
            (required if is_required else optional).add(key)
        made.__annotations__ = annotations
        made.__total__ = total
        made.__required_keys__ = frozenset(required)
        made.__optional_keys__ = frozenset(optional)
        return made

    def __call__(cls, *args, **kwargs):
        return dict(*args, **kwargs)

    def __instancecheck__(cls, instance):
        raise TypeError("TypedDict does not support instance and class checks")

    __subclasscheck__ = __instancecheck__


class _TypedDictFactory:
    def __call__(self, typename, fields=None, /, *, total=True, **kwargs):
        if fields is None:
            fields = kwargs
        elif kwargs:
            raise TypeError("TypedDict takes either a dict or keyword arguments, but not both")
        if kwargs:
            import warnings
            warnings.warn("The kwargs-based syntax for TypedDict definitions is deprecated in Python 3.11, will be "
                          "removed in Python 3.13, and may not be understood by third-party type checkers.",
                          DeprecationWarning, stacklevel=2)
        namespace = {"__annotations__": dict(fields), "__module__": sys._caller(1)[2]}
        return _TypedDictMeta(typename, (), namespace, total=total)

    def __mro_entries__(self, bases):
        return (_TypedDictBase,)

    def __repr__(self):
        return "<function TypedDict>"


_TypedDictBase = type.__new__(_TypedDictMeta, "TypedDict", (dict,), {})
TypedDict = _TypedDictFactory()


# Variables that others take from here.
T = TypeVar("T")
KT = TypeVar("KT")
VT = TypeVar("VT")
T_co = TypeVar("T_co", covariant=True)
V_co = TypeVar("V_co", covariant=True)
VT_co = TypeVar("VT_co", covariant=True)
T_contra = TypeVar("T_contra", contravariant=True)
AnyStr = TypeVar("AnyStr", bytes, str)


class IO(Generic[AnyStr]):
    pass


class TextIO(IO[str]):
    pass


class BinaryIO(IO[bytes]):
    pass


def is_typeddict(tp):
    return isinstance(tp, _TypedDictMeta) and tp is not _TypedDictBase


Pattern = _SpecialGenericAlias(_pattern_class, "Pattern")
Match = _SpecialGenericAlias(_match_class, "Match")


def cast(typ, val):
    return val


def _overload_dummy(*args, **kwds):
    raise NotImplementedError("You should not call an overloaded function. A series of @overload-decorated "
                              "functions outside a stub module should always be followed by an "
                              "implementation that is not @overload-ed.")


# The overloads of each function, by module, name and first line.
_overloads = {}


def overload(func):
    f = getattr(func, "__func__", func)
    try:
        lines = _overloads.setdefault(f.__module__, {}).setdefault(f.__qualname__, {})
        lines[f.__code__.co_firstlineno] = func
    except AttributeError:
        # What has no place in the source is not kept.
        pass
    return _overload_dummy


def get_overloads(func):
    f = getattr(func, "__func__", func)
    return list(_overloads.get(f.__module__, {}).get(f.__qualname__, {}).values())


def clear_overloads():
    _overloads.clear()


def _marked(name, value=True):
    """A decorator that notes something on what it is given, where that can be noted."""

    def mark(obj):
        try:
            setattr(obj, name, value)
        except (AttributeError, TypeError):
            pass
        return obj

    return mark


def final(f):
    return _marked("__final__")(f)


def override(f):
    return _marked("__override__")(f)


def no_type_check(arg):
    if isinstance(arg, type):
        for name in dir(arg):
            inner = getattr(arg, name)
            own = (f"{arg.__qualname__}.{name}" == getattr(inner, "__qualname__", None)
                   and getattr(inner, "__module__", None) == arg.__module__)
            if not own:
                continue
            if isinstance(inner, type):
                no_type_check(inner)
            elif isinstance(inner, _FunctionType):
                inner.__no_type_check__ = True
            elif isinstance(inner, _MethodType):
                inner.__func__.__no_type_check__ = True
    return _marked("__no_type_check__")(arg)


def no_type_check_decorator(decorator):
    import functools

    @functools.wraps(decorator)
    def wrapped(*args, **kwds):
        return no_type_check(decorator(*args, **kwds))

    return wrapped


def reveal_type(obj, /):
    print(f"Runtime type is {type(obj).__name__!r}", file=sys.stderr)
    return obj


def dataclass_transform(*, eq_default=True, order_default=False, kw_only_default=False, field_specifiers=(), **kwargs):
    told = {"eq_default": eq_default, "order_default": order_default, "kw_only_default": kw_only_default,
            "field_specifiers": field_specifiers, "kwargs": kwargs}

    def decorator(cls_or_fn):
        cls_or_fn.__dataclass_transform__ = told
        return cls_or_fn

    return decorator


def assert_type(val, typ, /):
    return val


_ASSERT_NEVER_REPR_MAX_LENGTH = 100


def assert_never(arg, /):
    shown = repr(arg)
    if len(shown) > _ASSERT_NEVER_REPR_MAX_LENGTH:
        shown = shown[:_ASSERT_NEVER_REPR_MAX_LENGTH] + "..."
    raise AssertionError(f"Expected code to be unreachable, but got: {shown}")


def get_origin(tp):
    if isinstance(tp, _AnnotatedAlias):
        return Annotated
    if isinstance(tp, (_GenericAlias, _SpecialGenericAlias, GenericAlias, ParamSpecArgs)):
        return tp.__origin__
    if isinstance(tp, UnionType):
        return UnionType
    if tp is Generic:
        return Generic
    return None


def get_args(tp):
    if isinstance(tp, _AnnotatedAlias):
        return (tp.__origin__,) + tp.__metadata__
    if isinstance(tp, _CallableGenericAlias):
        args = tp.__args__
        if not (len(args) == 2 and _is_specification(args[0])):
            return (list(args[:-1]), args[-1])
        return args
    if isinstance(tp, (_GenericAlias, GenericAlias, UnionType)):
        return tp.__args__
    return ()


def _evaluated(value, module_globals, local_names, guard=frozenset()):
    """A type in which no names are left to look up."""
    if isinstance(value, ForwardRef):
        return value._evaluate(module_globals, local_names, guard)
    if isinstance(value, (_GenericAlias, GenericAlias, UnionType)):
        old = value.__args__
        if isinstance(value, GenericAlias):
            old = tuple(ForwardRef(arg) if isinstance(arg, str) else arg for arg in old)
        args = tuple(_evaluated(arg, module_globals, local_names, guard) for arg in old)
        if args == value.__args__:
            return value
        if isinstance(value, GenericAlias):
            made = GenericAlias(value.__origin__, args)
            return next(iter(made)) if getattr(value, "__unpacked__", False) else made
        if isinstance(value, UnionType):
            return _either(args)
        return value._with(args)
    return value


def _either(types):
    """The union of types, as `|` makes it."""
    made = types[0]
    for item in types[1:]:
        made = made | item
    return made


def _hint(value, module_globals, local_names, is_class=False):
    if value is None:
        return _NoneType
    if isinstance(value, str):
        value = ForwardRef(value, is_argument=not is_class, is_class=is_class)
    return _evaluated(value, module_globals, local_names)


def _without_annotated(value):
    """The type without what `Annotated`, `Required` and `NotRequired` add, at any depth."""
    if isinstance(value, _AnnotatedAlias):
        return _without_annotated(value.__origin__)
    if getattr(value, "__origin__", None) in (Required, NotRequired):
        return _without_annotated(value.__args__[0])
    if isinstance(value, (_GenericAlias, GenericAlias, UnionType)):
        args = tuple(map(_without_annotated, value.__args__))
        if args == value.__args__:
            return value
        if isinstance(value, GenericAlias):
            return GenericAlias(value.__origin__, args)
        return _either(args) if isinstance(value, UnionType) else value._with(args)
    return value


def get_type_hints(obj, globalns=None, localns=None, include_extras=False):
    if getattr(obj, "__no_type_check__", None):
        return {}
    hints = {}
    if isinstance(obj, type):
        for base in reversed(obj.__mro__):
            module_globals, local_names = globalns, localns
            if globalns is None:
                module_globals = getattr(sys.modules.get(base.__module__), "__dict__", {})
            written = base.__dict__.get("__annotations__", {})
            if not isinstance(written, dict):
                continue
            if local_names is None:
                local_names = dict(vars(base))
                if globalns is None:
                    # A name of the class wins over one of the module.
                    module_globals, local_names = local_names, module_globals
            for name, value in written.items():
                hints[name] = _hint(value, module_globals, local_names, True)
    else:
        if globalns is None:
            if isinstance(obj, type(sys)):
                globalns = obj.__dict__
            else:
                inner = obj
                while hasattr(inner, "__wrapped__"):
                    inner = inner.__wrapped__
                globalns = getattr(inner, "__globals__", {})
            if localns is None:
                localns = globalns
        elif localns is None:
            localns = globalns
        written = getattr(obj, "__annotations__", None)
        if written is None:
            if not (callable(obj) or isinstance(obj, type(sys))):
                raise TypeError(f"{obj!r} is not a module, class, method, or function.")
            written = {}
        for name, value in written.items():
            hints[name] = _hint(value, globalns, localns)
    if include_extras:
        return hints
    return {name: _without_annotated(value) for name, value in hints.items()}


# Nothing is kept of what was subscripted.
_cleanups = []
