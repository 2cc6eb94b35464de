"""Names for annotations. They can be subscripted, compared, hashed and shown; nothing is checked."""

import collections
import sys
from _collections_abc import (AsyncGenerator as _AsyncGenerator, AsyncIterable as _AsyncIterable,
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
from types import GenericAlias, UnionType

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


def _checked(item):
    if item is None:
        return _NoneType
    if isinstance(item, str):
        return ForwardRef(item)
    return item


class _Base:
    """What every typing object can do: take part in a union."""

    __slots__ = ()

    def __or__(self, other):
        return Union[self, other]

    def __ror__(self, other):
        return Union[other, self]


class _SpecialForm(_Base):
    """A name with a meaning of its own, such as `Any` or `Union`."""

    def __init__(self, name, make=None):
        self._name = name
        self._make = make

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

    @property
    def __module__(self):
        return "typing"

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
        if not isinstance(items, tuple):
            items = (items,)
        values = dict(zip(self.__parameters__, map(_checked, items)))
        return self._with(_substituted(self.__args__, values))

    def _with(self, args):
        return type(self)(self.__origin__, args, self._name)

    def __mro_entries__(self, bases):
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
    def __repr__(self):
        args = self.__args__
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
    def __repr__(self):
        return f"typing.Literal[{', '.join(map(repr, self.__args__))}]"


class _AnnotatedAlias(_GenericAlias):
    def __init__(self, origin, metadata, name=None):
        super().__init__(origin, (origin,))
        self.__metadata__ = metadata

    def __repr__(self):
        return f"typing.Annotated[{_shown(self.__origin__)}, {', '.join(map(repr, self.__metadata__))}]"

    def _with(self, args):
        return _AnnotatedAlias(args[0], self.__metadata__)


class _SpecialGenericAlias(_Base):
    """`List`, `Dict` and the like: an old name of a class that can be subscripted and called."""

    def __init__(self, origin, name):
        self.__origin__ = origin
        self._name = name

    def __repr__(self):
        return "typing." + self._name

    def __getitem__(self, items):
        if not isinstance(items, tuple):
            items = (items,)
        return _GenericAlias(self.__origin__, tuple(map(_checked, items)), self._name)

    def __call__(self, *args, **kwargs):
        return self.__origin__(*args, **kwargs)

    def __mro_entries__(self, bases):
        return _generic_entries(self, bases)

    def __instancecheck__(self, obj):
        return isinstance(obj, self.__origin__)

    def __subclasscheck__(self, cls):
        return issubclass(cls, self.__origin__)

    def __getattr__(self, name):
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return getattr(self.__dict__["__origin__"], name)


class _ContextAlias(_SpecialGenericAlias):
    """A class of `contextlib`, which is imported when it is needed."""

    def __init__(self, of_contextlib, name, methods):
        self._of_contextlib, self._name, self._methods = of_contextlib, name, methods

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
        result = _checked(result)
        if isinstance(args, list):
            return _CallableGenericAlias(self.__origin__, (*map(_checked, args), result), "Callable")
        return _CallableGenericAlias(self.__origin__, (args, result), "Callable")


class _NamedTuple(_SpecialGenericAlias):
    def __getitem__(self, items):
        if items == ():
            return _GenericAlias(tuple, (), "Tuple")
        return super().__getitem__(items)


_ALIASES = (_GenericAlias, _SpecialGenericAlias)


def _generic_entries(alias, bases):
    """The bases that `List[T]` among these bases stands for: its class, and Generic after the last such base."""
    found = [] if alias.__origin__ in bases else [alias.__origin__]
    later = bases[bases.index(alias) + 1:]
    if not any(isinstance(base, _ALIASES) or isinstance(base, type) and issubclass(base, Generic) for base in later):
        found.append(Generic)
    return tuple(found)


def _parameters(args):
    found = []
    for arg in args:
        inner = [arg] if isinstance(arg, (TypeVar, ParamSpec)) else getattr(arg, "__parameters__", ())
        if isinstance(inner, (list, tuple)):
            for parameter in inner:
                if parameter not in found:
                    found.append(parameter)
    return tuple(found)


def _substituted(args, values):
    result = []
    for arg in args:
        if isinstance(arg, (TypeVar, ParamSpec)):
            result.append(values.get(arg, arg))
        elif getattr(arg, "__parameters__", None) and isinstance(arg, (_GenericAlias, GenericAlias)):
            result.append(arg[tuple(values.get(p, p) for p in arg.__parameters__)])
        else:
            result.append(arg)
    return tuple(result)


class ForwardRef(_Base):
    def __init__(self, arg, is_argument=True):
        self.__forward_arg__ = arg

    def __repr__(self):
        return f"ForwardRef({self.__forward_arg__!r})"

    def __eq__(self, other):
        if not isinstance(other, ForwardRef):
            return NotImplemented
        return self.__forward_arg__ == other.__forward_arg__

    def __hash__(self):
        return hash(self.__forward_arg__)


class TypeVar(_Base):
    def __init__(self, name, *constraints, bound=None, covariant=False, contravariant=False):
        if covariant and contravariant:
            raise ValueError("Bivariant types are not supported.")
        self.__name__ = name
        self.__constraints__ = tuple(map(_checked, constraints))
        self.__bound__ = None if bound is None else _checked(bound)
        self.__covariant__ = covariant
        self.__contravariant__ = contravariant

    def __repr__(self):
        return ("+" if self.__covariant__ else "-" if self.__contravariant__ else "~") + self.__name__


class ParamSpec(_Base):
    def __init__(self, name, *, bound=None, covariant=False, contravariant=False):
        self.__name__ = name
        self.args = _SpecialForm(name + ".args")
        self.kwargs = _SpecialForm(name + ".kwargs")

    def __repr__(self):
        return "~" + self.__name__


class TypeVarTuple(_Base):
    def __init__(self, name):
        self.__name__ = name

    def __iter__(self):
        yield Unpack[self]

    def __repr__(self):
        return self.__name__


class NewType(_Base):
    def __init__(self, name, tp):
        self.__name__ = name
        self.__qualname__ = name
        self.__supertype__ = tp

    def __repr__(self):
        return f"{self.__module__}.{self.__qualname__}"

    def __call__(self, x):
        return x


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
    return _GenericAlias(special, (_checked(item),), special._name)


def _many(special, items):
    return _GenericAlias(special, items if isinstance(items, tuple) else (items,), special._name)


def _union(special, items):
    if items == ():
        raise TypeError("Cannot take a Union of no types.")
    flat = []
    for item in items if isinstance(items, tuple) else (items,):
        item = _checked(item)
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


def _annotated(special, items):
    if not isinstance(items, tuple) or len(items) < 2:
        raise TypeError("Annotated[...] should be used with at least two arguments (a type and an annotation).")
    origin, metadata = _checked(items[0]), items[1:]
    if isinstance(origin, _AnnotatedAlias):
        origin, metadata = origin.__origin__, origin.__metadata__ + metadata
    return _AnnotatedAlias(origin, metadata)


Union = _SpecialForm("Union", _union)
Optional = _SpecialForm("Optional", lambda special, item: Union[item, None])
Literal = _SpecialForm("Literal", _literal)
Annotated = _SpecialForm("Annotated", _annotated)
ClassVar = _SpecialForm("ClassVar", _single)
Final = _SpecialForm("Final", _single)
Required = _SpecialForm("Required", _single)
NotRequired = _SpecialForm("NotRequired", _single)
TypeGuard = _SpecialForm("TypeGuard", _single)
Unpack = _SpecialForm("Unpack", _single)
Concatenate = _SpecialForm("Concatenate", _many)
NoReturn = _SpecialForm("NoReturn")
Never = _SpecialForm("Never")
Self = _SpecialForm("Self")
LiteralString = _SpecialForm("LiteralString")
TypeAlias = _SpecialForm("TypeAlias")

List = _SpecialGenericAlias(list, "List")
Dict = _SpecialGenericAlias(dict, "Dict")
Set = _SpecialGenericAlias(set, "Set")
FrozenSet = _SpecialGenericAlias(frozenset, "FrozenSet")
Tuple = _NamedTuple(tuple, "Tuple")
Type = _SpecialGenericAlias(type, "Type")
Deque = _SpecialGenericAlias(collections.deque, "Deque")
DefaultDict = _SpecialGenericAlias(collections.defaultdict, "DefaultDict")
OrderedDict = _SpecialGenericAlias(collections.OrderedDict, "OrderedDict")
Counter = _SpecialGenericAlias(collections.Counter, "Counter")
ChainMap = _SpecialGenericAlias(collections.ChainMap, "ChainMap")
Callable = _NamedCallable(_Callable, "Callable")
Hashable = _SpecialGenericAlias(_Hashable, "Hashable")
Sized = _SpecialGenericAlias(_Sized, "Sized")
Awaitable = _SpecialGenericAlias(_Awaitable, "Awaitable")
Coroutine = _SpecialGenericAlias(_Coroutine, "Coroutine")
AsyncIterable = _SpecialGenericAlias(_AsyncIterable, "AsyncIterable")
AsyncIterator = _SpecialGenericAlias(_AsyncIterator, "AsyncIterator")
AsyncGenerator = _SpecialGenericAlias(_AsyncGenerator, "AsyncGenerator")
Iterable = _SpecialGenericAlias(_Iterable, "Iterable")
Iterator = _SpecialGenericAlias(_Iterator, "Iterator")
Generator = _SpecialGenericAlias(_Generator, "Generator")
Reversible = _SpecialGenericAlias(_Reversible, "Reversible")
Container = _SpecialGenericAlias(_Container, "Container")
Collection = _SpecialGenericAlias(_Collection, "Collection")
AbstractSet = _SpecialGenericAlias(_Set, "AbstractSet")
MutableSet = _SpecialGenericAlias(_MutableSet, "MutableSet")
Mapping = _SpecialGenericAlias(_Mapping, "Mapping")
MutableMapping = _SpecialGenericAlias(_MutableMapping, "MutableMapping")
MappingView = _SpecialGenericAlias(_MappingView, "MappingView")
KeysView = _SpecialGenericAlias(_KeysView, "KeysView")
ItemsView = _SpecialGenericAlias(_ItemsView, "ItemsView")
ValuesView = _SpecialGenericAlias(_ValuesView, "ValuesView")
Sequence = _SpecialGenericAlias(_Sequence, "Sequence")
MutableSequence = _SpecialGenericAlias(_MutableSequence, "MutableSequence")

ContextManager = _ContextAlias("AbstractContextManager", "ContextManager", ("__enter__", "__exit__"))
AsyncContextManager = _ContextAlias("AbstractAsyncContextManager", "AsyncContextManager", ("__aenter__", "__aexit__"))

AnyStr = TypeVar("AnyStr", bytes, str)
Text = str


class Generic:
    __slots__ = ()

    def __class_getitem__(cls, items):
        if not isinstance(items, tuple):
            items = (items,)
        items = tuple(map(_checked, items))
        if cls in (Generic, Protocol):
            return _GenericAlias(cls, items, cls.__name__)
        return _GenericAlias(cls, items)

    def __init_subclass__(cls, *args, **kwargs):
        super().__init_subclass__(*args, **kwargs)
        parameters = ()
        for base in cls.__dict__.get("__orig_bases__", ()):
            parameters += tuple(p for p in getattr(base, "__parameters__", ()) if p not in parameters)
        cls.__parameters__ = parameters


class _ProtocolMeta(ABCMeta):
    def __instancecheck__(cls, instance):
        if getattr(cls, "_is_protocol", False):
            if not getattr(cls, "_is_runtime_protocol", False):
                raise TypeError("Instance and class checks can only be used with "
                                "@runtime_checkable protocols")
            return all(hasattr(instance, name) for name in _protocol_members(cls))
        return super().__instancecheck__(instance)

    def __subclasscheck__(cls, other):
        if getattr(cls, "_is_protocol", False) and getattr(cls, "_is_runtime_protocol", False):
            return all(hasattr(other, name) for name in _protocol_members(cls))
        return super().__subclasscheck__(other)


_NOT_MEMBERS = frozenset(["__module__", "__qualname__", "__doc__", "__dict__", "__weakref__", "__slots__",
                          "__init__", "__new__", "__annotations__", "__parameters__", "__orig_bases__",
                          "__abstractmethods__", "__subclasshook__", "__init_subclass__", "__class_getitem__",
                          "_is_protocol", "_is_runtime_protocol", "_abc_registry", "__hash__"])


def _protocol_members(cls):
    members = set()
    for base in cls.__mro__:
        if getattr(base, "_is_protocol", False) and base is not Protocol:
            members.update(base.__dict__)
            members.update(base.__dict__.get("__annotations__", ()))
    return members - _NOT_MEMBERS


class Protocol(Generic, metaclass=_ProtocolMeta):
    _is_protocol = True
    _is_runtime_protocol = False

    def __init_subclass__(cls, *args, **kwargs):
        super().__init_subclass__(*args, **kwargs)
        cls._is_protocol = Protocol in cls.__bases__


def runtime_checkable(cls):
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
        made.__annotations__ = types
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
        made.__annotations__ = dict(fields)
        return made

    def __mro_entries__(self, bases):
        return (_NamedTupleBase,)

    def __repr__(self):
        return "<function NamedTuple>"


_NamedTupleBase = type.__new__(_NamedTupleMeta, "NamedTuple", (), {})
NamedTuple = _NamedTupleFactory()


class _TypedDictMeta(type):
    def __new__(mcls, name, bases, namespace, total=True):
        made = type.__new__(mcls, name, (dict,), namespace)
        annotations = {}
        for base in bases:
            annotations.update(base.__dict__.get("__annotations__", {}))
        annotations.update(namespace.get("__annotations__", {}))
        made.__annotations__ = annotations
        made.__total__ = total
        made.__required_keys__ = frozenset(annotations if total else ())
        made.__optional_keys__ = frozenset(() if total else annotations)
        return made

    def __call__(cls, *args, **kwargs):
        return dict(*args, **kwargs)


class _TypedDictFactory:
    def __call__(self, typename, fields=None, /, *, total=True, **kwargs):
        annotations = dict(fields if fields is not None else kwargs)
        return _TypedDictMeta(typename, (), {"__annotations__": annotations}, total=total)

    def __mro_entries__(self, bases):
        return (_TypedDictBase,)


_TypedDictBase = type.__new__(_TypedDictMeta, "TypedDict", (dict,), {})
TypedDict = _TypedDictFactory()


class IO(Generic[AnyStr]):
    pass


class TextIO(IO[str]):
    pass


class BinaryIO(IO[bytes]):
    pass


def is_typeddict(tp):
    return isinstance(tp, _TypedDictMeta) and tp is not _TypedDictBase


Pattern = _SpecialForm("Pattern", _many)
Match = _SpecialForm("Match", _many)


def cast(typ, val):
    return val


def overload(func):
    def _overload_dummy(*args, **kwds):
        raise NotImplementedError("You should not call an overloaded function. A series of @overload-decorated "
                                  "functions outside a stub module should always be followed by an "
                                  "implementation that is not @overload-ed.")

    return _overload_dummy


def _identity(obj):
    return obj


final = no_type_check = override = reveal_type = _identity


def no_type_check_decorator(decorator):
    return decorator


def dataclass_transform(**kwargs):
    return _identity


def assert_type(val, typ, /):
    return val


def assert_never(arg, /):
    raise AssertionError(f"Expected code to be unreachable, but got: {arg!r}")


def get_origin(tp):
    if isinstance(tp, _AnnotatedAlias):
        return Annotated
    if isinstance(tp, (_GenericAlias, _SpecialGenericAlias, GenericAlias)):
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
        if args[0] is not ...:
            return (list(args[:-1]), args[-1])
        return args
    if isinstance(tp, (_GenericAlias, GenericAlias, UnionType)):
        return tp.__args__
    return ()


def _evaluated(value, module_globals, local_names):
    if value is None:
        return _NoneType
    if isinstance(value, ForwardRef):
        value = value.__forward_arg__
    if isinstance(value, str):
        return _evaluated(eval(value, module_globals, local_names), module_globals, local_names)
    if isinstance(value, _AnnotatedAlias):
        return value
    if isinstance(value, _GenericAlias) and any(isinstance(arg, ForwardRef) for arg in value.__args__):
        return value._with(tuple(_evaluated(arg, module_globals, local_names)
                                 if isinstance(arg, ForwardRef) else arg for arg in value.__args__))
    return value


def get_type_hints(obj, globalns=None, localns=None, include_extras=False):
    hints = {}
    if isinstance(obj, type):
        for base in reversed(obj.__mro__):
            module = sys.modules.get(base.__module__)
            names = globalns if globalns is not None else (vars(module) if module else {})
            for name, value in base.__dict__.get("__annotations__", {}).items():
                hints[name] = _evaluated(value, names, localns if localns is not None else dict(vars(base)))
    else:
        while hasattr(obj, "__wrapped__"):
            obj = obj.__wrapped__
        names = globalns if globalns is not None else getattr(obj, "__globals__", None)
        if names is None:
            names = vars(obj) if isinstance(obj, type(sys)) else {}
        for name, value in (getattr(obj, "__annotations__", None) or {}).items():
            hints[name] = _evaluated(value, names, localns)
    if not include_extras:
        hints = {name: value.__origin__ if isinstance(value, _AnnotatedAlias) else value
                 for name, value in hints.items()}
    return hints
