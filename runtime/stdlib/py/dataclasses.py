"""Dataclasses: methods are generated as source from the annotated fields of a class."""

import sys
from _types import GenericAlias

__all__ = ["dataclass", "field", "Field", "FrozenInstanceError", "InitVar", "KW_ONLY", "MISSING",
           "fields", "asdict", "astuple", "make_dataclass", "replace", "is_dataclass"]


class FrozenInstanceError(AttributeError):
    pass


class _Sentinel:
    def __init__(self, text):
        self.text = text

    def __repr__(self):
        return self.text


MISSING = _Sentinel("<dataclasses.MISSING>")
KW_ONLY = _Sentinel("<dataclasses.KW_ONLY>")
_FACTORY = _Sentinel("<factory>")
_FIELD, _CLASSVAR, _INITVAR = "_FIELD", "_FIELD_CLASSVAR", "_FIELD_INITVAR"
_FIELDS = "__dataclass_fields__"
_PARAMS = "__dataclass_params__"


class InitVar:
    __slots__ = ("type",)

    def __init__(self, type):
        self.type = type

    def __class_getitem__(cls, type):
        return cls(type)

    def __repr__(self):
        return f"dataclasses.InitVar[{getattr(self.type, '__name__', repr(self.type))}]"


class Field:
    __slots__ = ("name", "type", "default", "default_factory", "repr", "hash", "init", "compare",
                 "metadata", "kw_only", "_field_type")
    __class_getitem__ = classmethod(GenericAlias)

    def __init__(self, default, default_factory, init, repr, hash, compare, metadata, kw_only):
        self.name = None
        self.type = None
        self.default = default
        self.default_factory = default_factory
        self.init = init
        self.repr = repr
        self.hash = hash
        self.compare = compare
        self.metadata = {} if metadata is None else metadata
        self.kw_only = kw_only
        self._field_type = None

    def __repr__(self):
        return ("Field("
                f"name={self.name!r},type={self.type!r},default={self.default!r},"
                f"default_factory={self.default_factory!r},init={self.init!r},repr={self.repr!r},"
                f"hash={self.hash!r},compare={self.compare!r},metadata={self.metadata!r},"
                f"kw_only={self.kw_only!r},_field_type={self._field_type})")

    def __set_name__(self, owner, name):
        func = getattr(type(self.default), "__set_name__", None)
        if func:
            func(self.default, owner, name)


class _Params:
    def __init__(self, init, repr, eq, order, unsafe_hash, frozen):
        self.init = init
        self.repr = repr
        self.eq = eq
        self.order = order
        self.unsafe_hash = unsafe_hash
        self.frozen = frozen


def field(*, default=MISSING, default_factory=MISSING, init=True, repr=True, hash=None,
          compare=True, metadata=None, kw_only=MISSING):
    if default is not MISSING and default_factory is not MISSING:
        raise ValueError("cannot specify both default and default_factory")
    return Field(default, default_factory, init, repr, hash, compare, metadata, kw_only)


def _is_typing(annotation, module_globals, name):
    """Whether an annotation, perhaps a string, is `typing.<name>` or `typing.<name>[...]`."""
    if isinstance(annotation, str):
        head = annotation.split("[")[0].strip()
        prefix, _, last = head.rpartition(".")
        if last != name:
            return False
        if prefix:
            return prefix in ("typing", "t", "dataclasses")
        return getattr(module_globals.get(last), "_name", name) == name
    typing = sys.modules.get("typing")
    if typing is None:
        return False
    special = getattr(typing, name)
    return annotation is special or getattr(annotation, "__origin__", None) is special


def _field_of(cls, name, annotation, kw_only, module_globals):
    default = getattr(cls, name, MISSING)
    if isinstance(default, Field):
        f = default
    else:
        if isinstance(default, _MemberDescriptor):
            default = MISSING
        f = field(default=default)
    f.name = name
    f.type = annotation
    f._field_type = _FIELD
    if _is_typing(annotation, module_globals, "ClassVar"):
        f._field_type = _CLASSVAR
    elif isinstance(annotation, InitVar) or annotation is InitVar or (
            isinstance(annotation, str) and annotation.split("[")[0].split(".")[-1] == "InitVar"):
        f._field_type = _INITVAR
    if f._field_type != _FIELD and f.default_factory is not MISSING:
        raise TypeError(f"field {f.name} cannot have a default factory")
    if f._field_type == _CLASSVAR:
        if f.kw_only is not MISSING:
            raise TypeError(f"field {f.name} is a ClassVar but specifies kw_only")
    elif f.kw_only is MISSING:
        f.kw_only = kw_only
    if f._field_type == _FIELD and f.default.__class__.__hash__ is None:
        raise ValueError(f"mutable default {type(f.default)} for field {f.name} is not allowed: "
                         "use default_factory")
    return f


class _Slotted:
    __slots__ = ("slot",)


_MemberDescriptor = type(_Slotted.__dict__["slot"]) if "slot" in _Slotted.__dict__ else _Sentinel


def _compile(cls, name, parameters, body, scope):
    lines = "\n".join(f"  {line}" for line in body)
    # What it needs besides the module's names is in a closure.
    source = (f"def __create_fn__({', '.join(scope)}):\n def {name}({', '.join(parameters)}):\n{lines}\n"
              f" return {name}")
    module = sys.modules.get(cls.__module__)
    made_here = {}
    exec(source, vars(module) if module is not None else {}, made_here)
    made = made_here["__create_fn__"](**scope)
    made.__qualname__ = f"{cls.__qualname__}.{name}"
    made.__module__ = cls.__module__
    return made


def _init(cls, fields, has_post_init, frozen, slots):
    positional = [f for f in fields if f.init and not f.kw_only]
    seen_default = False
    for f in positional:
        if f.default is MISSING and f.default_factory is MISSING:
            if seen_default:
                raise TypeError(f"non-default argument {f.name!r} follows default argument")
        else:
            seen_default = True
    keyword = [f for f in fields if f.init and f.kw_only]
    self_name = "__dataclass_self__" if any(f.name == "self" for f in fields) else "self"
    scope = {"__dataclass_FACTORY__": _FACTORY, "__dataclass_object__": object}
    parameters = [self_name]

    def parameter(f):
        if f.default is not MISSING:
            scope[f"__dataclass_dflt_{f.name}__"] = f.default
            return f"{f.name}=__dataclass_dflt_{f.name}__"
        if f.default_factory is not MISSING:
            return f"{f.name}=__dataclass_FACTORY__"
        return f.name

    parameters += [parameter(f) for f in positional]
    if keyword:
        parameters += ["*"] + [parameter(f) for f in keyword]
    body = []
    for f in fields:
        value = None
        if f.default_factory is not MISSING:
            scope[f"__dataclass_factory_{f.name}__"] = f.default_factory
            value = f"__dataclass_factory_{f.name}__()"
            if f.init:
                value = f"{value} if {f.name} is __dataclass_FACTORY__ else {f.name}"
        elif f.init:
            value = f.name
        elif f.default is not MISSING and (slots or "__slots__" in cls.__dict__):
            scope[f"__dataclass_dflt_{f.name}__"] = f.default
            value = f"__dataclass_dflt_{f.name}__"
        if value is None or f._field_type == _INITVAR:
            continue
        if frozen:
            body.append(f"__dataclass_object__.__setattr__({self_name}, {f.name!r}, {value})")
        else:
            body.append(f"{self_name}.{f.name} = {value}")
    if has_post_init:
        arguments = ", ".join(f.name for f in fields if f._field_type == _INITVAR)
        body.append(f"{self_name}.__post_init__({arguments})")
    made = _compile(cls, "__init__", parameters, body or ["pass"], scope)
    made.__annotations__ = {f.name: f.type for f in positional + keyword}
    made.__annotations__["return"] = None
    return made


def _repr(fields):
    names = [f.name for f in fields]
    active = set()

    def __repr__(self):
        key = id(self)
        if key in active:
            return "..."
        active.add(key)
        try:
            shown = ", ".join([f"{name}={getattr(self, name)!r}" for name in names])
        finally:
            active.discard(key)
        return f"{self.__class__.__qualname__}({shown})"

    return __repr__


def _comparison(cls, name, symbol, fields):
    mine = "(" + "".join(f"self.{f.name}," for f in fields) + ")"
    other = "(" + "".join(f"other.{f.name}," for f in fields) + ")"
    return _compile(cls, name, ["self", "other"], [
        "if other.__class__ is self.__class__:",
        f"  return {mine} {symbol} {other}",
        "return NotImplemented",
    ], {})


def _set_new(cls, name, value):
    if name in cls.__dict__:
        return True
    setattr(cls, name, value)
    return False


def _frozen_methods(cls, fields):
    names = frozenset(f.name for f in fields)

    def __setattr__(self, name, value):
        if type(self) is cls or name in names:
            raise FrozenInstanceError(f"cannot assign to field {name!r}")
        super(cls, self).__setattr__(name, value)

    def __delattr__(self, name):
        if type(self) is cls or name in names:
            raise FrozenInstanceError(f"cannot delete field {name!r}")
        super(cls, self).__delattr__(name)

    return __setattr__, __delattr__


def _init_order(fields):
    """Parameters of `__init__` in order; `*` stands before the first keyword-only one."""
    keyword = [f for f in fields if f.init and f.kw_only]
    return [f for f in fields if f.init and not f.kw_only] + (["*"] if keyword else []) + keyword


def _shown_parameter(f):
    if f == "*":
        return f
    annotation = f.type
    if isinstance(annotation, type) and not hasattr(annotation, "__origin__"):
        shown = annotation.__qualname__
        if annotation.__module__ != "builtins":
            shown = f"{annotation.__module__}.{shown}"
    else:
        shown = repr(annotation).replace("typing.", "")
    if f.default is not MISSING:
        return f"{f.name}: {shown} = {f.default!r}"
    return f"{f.name}: {shown}" + ("" if f.default_factory is MISSING else " = <factory>")


def _process(cls, init, repr, eq, order, unsafe_hash, frozen, match_args, kw_only, slots, weakref_slot):
    fields = {}
    module = sys.modules.get(cls.__module__)
    module_globals = vars(module) if module is not None else {}
    setattr(cls, _PARAMS, _Params(init, repr, eq, order, unsafe_hash, frozen))

    any_frozen_base = False
    has_dataclass_bases = False
    for base in cls.__mro__[-1:0:-1]:
        base_fields = base.__dict__.get(_FIELDS)
        if base_fields is not None:
            has_dataclass_bases = True
            fields.update(base_fields)
            if getattr(base, _PARAMS).frozen:
                any_frozen_base = True

    own = []
    keyword_only = kw_only
    for name, annotation in cls.__dict__.get("__annotations__", {}).items():
        if annotation is KW_ONLY or (isinstance(annotation, str) and annotation.split(".")[-1] == "KW_ONLY"):
            keyword_only = True
            continue
        own.append(_field_of(cls, name, annotation, keyword_only, module_globals))
    for f in own:
        fields[f.name] = f
        if isinstance(cls.__dict__.get(f.name), Field):
            if f.default is MISSING:
                delattr(cls, f.name)
            else:
                setattr(cls, f.name, f.default)
    annotations = cls.__dict__.get("__annotations__", {})
    for name, value in cls.__dict__.items():
        if isinstance(value, Field) and name not in annotations:
            raise TypeError(f"{name!r} is a field but has no type annotation")
    if has_dataclass_bases:
        if any_frozen_base and not frozen:
            raise TypeError("cannot inherit non-frozen dataclass from a frozen one")
        if not any_frozen_base and frozen and any(
                _PARAMS in base.__dict__ for base in cls.__mro__[1:]):
            raise TypeError("cannot inherit frozen dataclass from a non-frozen one")

    setattr(cls, _FIELDS, fields)
    class_hash = cls.__dict__.get("__hash__", MISSING)
    has_explicit_hash = not (class_hash is MISSING or
                             (class_hash is None and "__eq__" in cls.__dict__))
    if order and not eq:
        raise ValueError("eq must be true if order is true")

    stored = [f for f in fields.values() if f._field_type == _FIELD]
    in_init = [f for f in fields.values() if f._field_type in (_FIELD, _INITVAR)]
    if init:
        _set_new(cls, "__init__", _init(cls, in_init, hasattr(cls, "__post_init__"), frozen, slots))
    if repr:
        shown = _repr([f for f in stored if f.repr])
        shown.__qualname__, shown.__module__ = f"{cls.__qualname__}.__repr__", cls.__module__
        _set_new(cls, "__repr__", shown)
    compared = [f for f in stored if f.compare]
    if eq:
        _set_new(cls, "__eq__", _comparison(cls, "__eq__", "==", compared))
    if order:
        for name, symbol in (("__lt__", "<"), ("__le__", "<="), ("__gt__", ">"), ("__ge__", ">=")):
            if _set_new(cls, name, _comparison(cls, name, symbol, compared)):
                raise TypeError(f"Cannot overwrite attribute {name} in class {cls.__name__}. "
                                "Consider using functools.total_ordering")
    if frozen:
        for method in _frozen_methods(cls, stored):
            method.__qualname__, method.__module__ = f"{cls.__qualname__}.{method.__name__}", cls.__module__
            if _set_new(cls, method.__name__, method):
                raise TypeError(f"Cannot overwrite attribute {method.__name__} in class {cls.__name__}")
    if unsafe_hash or (eq and frozen and not has_explicit_hash):
        if unsafe_hash and has_explicit_hash:
            raise TypeError(f"Cannot overwrite attribute __hash__ in class {cls.__name__}")
        hashed = [f for f in stored if (f.compare if f.hash is None else f.hash)]
        names = "".join(f"self.{f.name}," for f in hashed)
        cls.__hash__ = _compile(cls, "__hash__", ["self"], [f"return hash(({names}))"], {})
    elif eq and not has_explicit_hash:
        cls.__hash__ = None
    if not getattr(cls, "__doc__", None):
        cls.__doc__ = f"{cls.__name__}({', '.join(map(_shown_parameter, _init_order(in_init)))})"
    if match_args:
        _set_new(cls, "__match_args__", tuple(f.name for f in in_init if f.init and not f.kw_only))
    if weakref_slot and not slots:
        raise TypeError("weakref_slot is True but slots is False")
    if slots:
        cls = _with_slots(cls, stored, frozen, weakref_slot)
    abc = sys.modules.get("abc")
    if abc is not None:
        abc.update_abstractmethods(cls)
    return cls


def _state_of(self):
    return [getattr(self, f.name) for f in fields(self)]


def _set_state(self, state):
    for f, value in zip(fields(self), state):
        object.__setattr__(self, f.name, value)


def _with_slots(cls, stored, frozen, weakref_slot):
    if "__slots__" in cls.__dict__:
        raise TypeError(f"{cls.__name__} already specifies __slots__")
    namespace = dict(cls.__dict__)
    inherited = {name for base in cls.__mro__[1:] for name in base.__dict__.get("__slots__", ())}
    own = [f.name for f in stored]
    if weakref_slot:
        own.append("__weakref__")
    namespace["__slots__"] = tuple(name for name in own if name not in inherited)
    for f in stored:
        namespace.pop(f.name, None)
    namespace.pop("__dict__", None)
    namespace.pop("__weakref__", None)
    made = type(cls)(cls.__name__, cls.__bases__, namespace)
    made.__qualname__ = cls.__qualname__
    if frozen:
        # What is copied and pickled is set past `__setattr__`.
        if "__getstate__" not in cls.__dict__:
            made.__getstate__ = _state_of
        if "__setstate__" not in cls.__dict__:
            made.__setstate__ = _set_state
    return made


def dataclass(cls=None, /, *, init=True, repr=True, eq=True, order=False, unsafe_hash=False,
              frozen=False, match_args=True, kw_only=False, slots=False, weakref_slot=False):
    def wrap(cls):
        return _process(cls, init, repr, eq, order, unsafe_hash, frozen, match_args, kw_only, slots,
                        weakref_slot)

    return wrap if cls is None else wrap(cls)


def fields(class_or_instance):
    try:
        known = getattr(class_or_instance, _FIELDS)
    except AttributeError:
        raise TypeError("must be called with a dataclass type or instance") from None
    return tuple(f for f in known.values() if f._field_type == _FIELD)


def is_dataclass(obj):
    return hasattr(obj if isinstance(obj, type) else type(obj), _FIELDS)


def _convert(obj, make_dict, make):
    """The value of a field with every dataclass inside replaced by `make(names, values)`."""
    import copy
    if hasattr(type(obj), _FIELDS):
        return make([(f.name, _convert(getattr(obj, f.name), make_dict, make)) for f in fields(obj)])
    if isinstance(obj, tuple) and hasattr(obj, "_fields"):
        return type(obj)(*[_convert(v, make_dict, make) for v in obj])
    if isinstance(obj, (list, tuple)):
        return type(obj)(_convert(v, make_dict, make) for v in obj)
    if isinstance(obj, dict):
        pairs = [(_convert(k, make_dict, make), _convert(v, make_dict, make)) for k, v in obj.items()]
        if hasattr(type(obj), "default_factory") or hasattr(obj, "default_factory"):
            result = type(obj)(obj.default_factory)
            for key, value in pairs:
                result[key] = value
            return result
        return type(obj)(pairs)
    return copy.deepcopy(obj)


def asdict(obj, *, dict_factory=dict):
    if isinstance(obj, type) or not is_dataclass(obj):
        raise TypeError("asdict() should be called on dataclass instances")
    return _convert(obj, dict_factory, dict_factory)


def astuple(obj, *, tuple_factory=tuple):
    if isinstance(obj, type) or not is_dataclass(obj):
        raise TypeError("astuple() should be called on dataclass instances")
    return _convert(obj, dict, lambda pairs: tuple_factory([value for _, value in pairs]))


def make_dataclass(cls_name, fields, *, bases=(), namespace=None, **options):
    namespace = {} if namespace is None else dict(namespace)
    annotations = {}
    for item in fields:
        if isinstance(item, str):
            annotations[item] = "typing.Any"
        elif len(item) == 2:
            annotations[item[0]] = item[1]
        elif len(item) == 3:
            annotations[item[0]] = item[1]
            namespace[item[0]] = item[2]
        else:
            raise TypeError(f"Invalid field: {item!r}")
    for name in annotations:
        if not isinstance(name, str) or not name.isidentifier():
            raise TypeError(f"Field names must be valid identifiers: {name!r}")
    namespace["__annotations__"] = annotations
    import types
    cls = types.new_class(cls_name, bases, {}, lambda ns: ns.update(namespace))
    return dataclass(cls, **options)


def replace(obj, /, **changes):
    if isinstance(obj, type) or not is_dataclass(obj):
        raise TypeError("replace() should be called on dataclass instances")
    for f in getattr(obj, _FIELDS).values():
        if f._field_type == _CLASSVAR:
            continue
        if not f.init:
            if f.name in changes:
                raise ValueError(f"field {f.name} is declared with init=False, it cannot be "
                                 "specified with replace()")
            continue
        if f.name not in changes:
            if f._field_type == _INITVAR and f.default is MISSING:
                raise ValueError(f"InitVar {f.name!r} must be specified with replace()")
            changes[f.name] = getattr(obj, f.name)
    return obj.__class__(**changes)
