"""Enumerations."""

from _refused import refused
import _types
from types import DynamicClassAttribute, MappingProxyType

__all__ = ["EnumMeta", "EnumType", "Enum", "IntEnum", "StrEnum", "Flag", "IntFlag", "auto", "unique",
           "member", "nonmember", "property", "global_enum", "global_enum_repr", "global_flag_repr", "global_str"]

_builtin_property = property


class auto:
    """A value that the class chooses; the choice is stored here until the member is made."""

    def __init__(self, value=None):
        self.value = value


class nonmember:
    def __init__(self, value):
        self.value = value


class member:
    def __init__(self, value):
        self.value = value


class property(DynamicClassAttribute):
    """A property of members that gives way to a member of the same name on the class."""

    def __get__(self, instance, owner=None):
        if instance is None:
            try:
                return owner._member_map_[self.fget.__name__]
            except KeyError:
                raise AttributeError(f"{owner!r} has no attribute {self.fget.__name__!r}") from None
        return self.fget(instance)


def _is_dunder(name):
    return len(name) > 4 and name[:2] == name[-2:] == "__"


def _is_sunder(name):
    return len(name) > 2 and name[0] == name[-1] == "_" and name[1] != "_" and name[-2] != "_"


def _is_descriptor(value):
    return hasattr(value, "__get__") or hasattr(value, "__set__") or hasattr(value, "__delete__")


class _EnumDict(dict):
    """The namespace of an enum's body: tells members from everything else, in order."""

    def __init__(self):
        super().__init__()
        self._member_names = []
        self._values = []
        self._generate = None
        self._ignored = ()

    def __setitem__(self, key, value):
        if key == "_generate_next_value_":
            self._generate = value.__func__ if isinstance(value, staticmethod) else value
        elif key == "_ignore_":
            self._ignored = value.replace(",", " ").split() if isinstance(value, str) else list(value)
            return
        elif _is_sunder(key):
            if key not in ("_order_", "_missing_", "_create_pseudo_member_", "_numeric_repr_"):
                raise ValueError(f"_sunder_ names, such as {key!r}, are reserved for future Enum use")
            if key == "_order_":
                return
        elif _is_dunder(key) or key in self._ignored:
            pass
        elif key in self._member_names:
            raise TypeError(f"{key!r} already defined as {self[key]!r}")
        elif isinstance(value, nonmember):
            value = value.value
        elif isinstance(value, member) or not _is_descriptor(value):
            if isinstance(value, member):
                value = value.value
            if key in self:
                raise TypeError(f"{key!r} already defined as {self[key]!r}")
            if isinstance(value, auto):
                value = self._chosen(key, value)
            elif isinstance(value, tuple) and any(isinstance(v, auto) for v in value):
                value = tuple(self._chosen(key, v) if isinstance(v, auto) else v for v in value)
            self._member_names.append(key)
            self._values.append(value)
        super().__setitem__(key, value)

    def _chosen(self, key, choice):
        if choice.value is None:
            choice.value = self._generate(key, 1, len(self._member_names), self._values[:])
        return choice.value


class EnumType(type):
    @classmethod
    def __prepare__(metacls, cls, bases, **kwds):
        namespace = _EnumDict()
        for base in bases:
            if isinstance(base, EnumType):
                if base._member_names_:
                    raise TypeError(f"<enum {cls!r}> cannot extend {base!r}")
                namespace._generate = base._generate_next_value_
        return namespace

    def __new__(metacls, cls, bases, classdict, *, boundary=None, **kwds):
        if boundary is not None:
            raise refused("enum.EnumType", "boundary")
        if not isinstance(classdict, _EnumDict):
            plain, classdict = classdict, EnumType.__prepare__(cls, bases)
            for key, value in plain.items():
                classdict[key] = value
        names = classdict._member_names
        values = {name: classdict[name] for name in names}
        namespace = {key: value for key, value in classdict.items() if key not in values}
        invalid = [name for name in names if name in ("mro", "")]
        if invalid:
            raise ValueError(f"invalid enum member name(s) {','.join(map(repr, invalid))}")
        data_type = _data_type(bases)
        own_new = namespace.pop("__new__", None)
        if own_new is not None:
            namespace["_new_member_"] = staticmethod(own_new.__func__ if isinstance(own_new, staticmethod) else own_new)
        namespace["_member_names_"] = []
        namespace["_member_map_"] = {}
        namespace["_value2member_map_"] = {}
        namespace["_member_type_"] = data_type
        if isinstance(namespace.get("_generate_next_value_"), type(lambda: 0)):
            namespace["_generate_next_value_"] = staticmethod(namespace["_generate_next_value_"])
        enum_class = super().__new__(metacls, cls, bases, namespace, **kwds)
        # The text forms are the enum's, not those of the values' type, which comes first in the MRO.
        if bases:
            for method in ("__repr__", "__str__", "__format__", "__reduce_ex__"):
                found = getattr(enum_class, method)
                if method not in namespace and found in (getattr(data_type, method), getattr(object, method)):
                    type.__setattr__(enum_class, method, getattr(bases[-1], method))
        new = getattr(enum_class, "_new_member_", None)
        for name, value in values.items():
            enum_class._add_member(name, value, data_type, new)
        return enum_class

    def _add_member(cls, name, value, data_type, new):
        args = value if isinstance(value, tuple) else (value,)
        if data_type is tuple:
            args = (args,)
        if new is not None:
            made = new(cls, *args)
        elif data_type is object:
            made = object.__new__(cls)
        else:
            made = data_type.__new__(cls, *args)
        if not hasattr(made, "_value_"):
            if data_type is object or new is not None and data_type is object:
                made._value_ = value
            else:
                try:
                    made._value_ = data_type(*args)
                except Exception as exc:
                    raise TypeError("_value_ not set in __new__, unable to create it") from exc
        value = made._value_
        made._name_ = name
        made.__objclass__ = cls
        made._sort_order_ = len(cls._member_names_)
        made.__init__(*args)
        value = made._value_
        known = cls._by_value(value)
        if known is not None:
            cls._member_map_[name] = known
            type.__setattr__(cls, name, known)
            return
        if not issubclass(cls, Flag) or _is_single_bit(value):
            cls._member_names_.append(name)
        cls._member_map_[name] = made
        try:
            cls._value2member_map_.setdefault(value, made)
        except TypeError:
            pass
        if not isinstance(_inherited(cls, name), property):
            type.__setattr__(cls, name, made)

    def _by_value(cls, value):
        try:
            return cls._value2member_map_.get(value)
        except TypeError:
            for made in cls._member_map_.values():
                if made._value_ == value:
                    return made
        return None

    def __call__(cls, value, names=None, *, module=None, qualname=None, type=None, start=1, boundary=None):
        if boundary is not None:
            raise refused("enum.EnumType", "boundary")
        if names is None:
            return cls._lookup(value)
        return cls._create(value, names, module=module, qualname=qualname, type=type, start=start)

    def _lookup(cls, value):
        if type(value) is cls:
            return value
        found = cls._by_value(value)
        if found is not None:
            return found
        if not cls._member_map_ and cls in (Enum, Flag, IntEnum):
            raise TypeError(f"{cls!r} has no members")
        error = None
        try:
            result = cls._missing_(value)
        except Exception as exc:
            error = exc
            result = None
        if isinstance(result, cls):
            return result
        complaint = ValueError(f"{value!r} is not a valid {cls.__qualname__}")
        if result is None and error is None:
            raise complaint
        if error is None:
            error = TypeError(f"error in {cls.__name__}._missing_: returned {result!r} instead of None or a valid member")
        if not isinstance(error, ValueError):
            error.__context__ = complaint
        raise error

    def _create(cls, class_name, names, *, module, qualname, type, start):
        bases = (cls,) if type is None else (type, cls)
        namespace = EnumType.__prepare__(class_name, bases)
        if isinstance(names, str):
            names = names.replace(",", " ").split()
        if isinstance(names, (tuple, list)) and names and isinstance(names[0], str):
            values = []
            pairs = []
            for count, name in enumerate(names):
                value = cls._generate_next_value_(name, start, count, values[:])
                values.append(value)
                pairs.append((name, value))
            names = pairs
        for item in names:
            name, value = (item, names[item]) if isinstance(item, str) else item
            namespace[name] = value
        if module is None:
            import sys
            module = sys._getframemodulename(2) or "__main__"
        namespace["__module__"] = module
        made = EnumType.__new__(cls.__class__, class_name, bases, namespace)
        if qualname is not None:
            made.__qualname__ = qualname
        return made

    def __contains__(cls, value):
        if not isinstance(value, Enum):
            raise TypeError(f"unsupported operand type(s) for 'in': '{type(value).__qualname__}' and '{cls.__class__.__qualname__}'")
        return isinstance(value, cls) and value._name_ in cls._member_map_

    def __getitem__(cls, name):
        return cls._member_map_[name]

    def __iter__(cls):
        return (cls._member_map_[name] for name in cls._member_names_)

    def __reversed__(cls):
        return (cls._member_map_[name] for name in reversed(cls._member_names_))

    def __len__(cls):
        return len(cls._member_names_)

    def __bool__(cls):
        return True

    def __dir__(cls):
        return ["__class__", "__contains__", "__doc__", "__getitem__", "__init_subclass__", "__iter__", "__len__",
                "__members__", "__module__", "__name__", "__qualname__"] + cls._member_names_

    @_builtin_property
    def __members__(cls):
        return MappingProxyType(cls._member_map_)

    def __repr__(cls):
        kind = "flag" if Flag is not None and issubclass(cls, Flag) else "enum"
        return f"<{kind} {cls.__name__!r}>"

    def _convert_(cls, name, module, filter, source=None, *, boundary=None, as_global=False):
        """Makes an enumeration of a module's constants and puts its members in their place."""
        import sys
        into = vars(sys.modules[module])
        found = [(key, value) for key, value in (into if source is None else vars(source)).items() if filter(key)]
        made = cls(name, sorted(found, key=lambda pair: pair[::-1]), module=module, boundary=boundary)
        if as_global:
            global_enum(made)
        into.update(made.__members__)
        into[name] = made
        return made

    def __setattr__(cls, name, value):
        if name in cls.__dict__.get("_member_map_", {}):
            raise AttributeError(f"cannot reassign member {name!r}")
        super().__setattr__(name, value)

    def __delattr__(cls, name):
        if name in cls.__dict__.get("_member_map_", {}):
            raise AttributeError(f"{cls.__name__!r} cannot delete member {name!r}.")
        super().__delattr__(name)


EnumMeta = EnumType
Flag = None


def _inherited(cls, name):
    for base in cls.__mro__[1:]:
        if name in base.__dict__:
            return base.__dict__[name]
    return None


def _data_type(bases):
    """The type of the members' values: the first base that is neither an enum nor a plain mixin."""
    for base in bases:
        for cls in base.__mro__:
            if cls is object:
                continue
            if isinstance(cls, EnumType):
                if cls._member_type_ is not object:
                    return cls._member_type_
                continue
            if "__new__" in cls.__dict__ or cls.__module__ == "builtins":
                return base if not isinstance(base, EnumType) else cls
    return object


def _is_single_bit(value):
    return isinstance(value, int) and value > 0 and value & (value - 1) == 0


# `EnumType.__new__` asks for Flag while the first classes are made.
class _NoFlag:
    pass


Flag = _NoFlag


class Enum(metaclass=EnumType):
    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        numbers = [v for v in last_values if isinstance(v, int)]
        if not last_values:
            return start
        try:
            return max(numbers if len(numbers) == len(last_values) else last_values) + 1
        except TypeError:
            return numbers[-1] + 1 if numbers else start

    @classmethod
    def _missing_(cls, value):
        return None

    def __init__(self, *args, **kwds):
        pass

    def __repr__(self):
        show = repr
        data_type = self.__class__._member_type_
        if data_type is not object and "__repr__" in data_type.__dict__:
            show = data_type.__repr__
        return f"<{self.__class__.__name__}.{self._name_}: {show(self._value_)}>"

    def __str__(self):
        return f"{self.__class__.__name__}.{self._name_}"

    def __format__(self, format_spec):
        return str.__format__(str(self), format_spec)

    __hash__ = _types.__hash__

    def __dir__(self):
        return ["__class__", "__doc__", "__eq__", "__hash__", "__module__", "name", "value"]

    def __reduce_ex__(self, proto):
        return self.__class__, (self._value_,)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    @property
    def name(self):
        return self._name_

    @property
    def value(self):
        return self._value_


class ReprEnum(Enum):
    pass


class IntEnum(int, ReprEnum):
    def __str__(self):
        return int.__repr__(self)

    def __format__(self, format_spec):
        return int.__format__(self, format_spec)


class StrEnum(str, ReprEnum):
    def __new__(cls, *values):
        if len(values) > 3:
            raise TypeError(f"too many arguments for str(): {values!r}")
        if values and not isinstance(values[0], str):
            raise TypeError(f"{values[0]!r} is not a string")
        value = str(*values)
        made = str.__new__(cls, value)
        made._value_ = value
        return made

    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        return name.lower()

    def __str__(self):
        return str.__str__(self)

    def __format__(self, format_spec):
        return str.__format__(self, format_spec)


class Flag(Enum):
    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        if not last_values:
            return start if start is not None else 1
        return 2 ** max(last_values).bit_length()

    @classmethod
    def _all_bits(cls):
        bits = 0
        for made in cls._member_map_.values():
            bits |= made._value_
        return bits

    @classmethod
    def _missing_(cls, value):
        """A combination of members, made on demand and remembered."""
        if not isinstance(value, int):
            raise ValueError(f"{value!r} is not a valid {cls.__qualname__}")
        known = cls._all_bits()
        if value < 0:
            value = known & value if not issubclass(cls, int) else known + 1 + value if value < -known - 1 else known & value
        if value & ~known and not issubclass(cls, int):
            raise ValueError(f"{cls!r} invalid value {value!r}\n    given {value:#0{2 + (1 << known.bit_length()).bit_length()}b}"
                             f"\n  allowed {known:#0{2 + (1 << known.bit_length()).bit_length()}b}")
        data_type = cls._member_type_
        made = object.__new__(cls) if data_type is object else data_type.__new__(cls, value)
        made._value_ = value
        names = [m._name_ for m in cls if m._value_ & value]
        unknown = value & ~known
        made._name_ = "|".join(names + ([str(unknown)] if unknown else [])) or None
        return cls._value2member_map_.setdefault(value, made)

    def __contains__(self, other):
        if not isinstance(other, self.__class__):
            raise TypeError(f"unsupported operand type(s) for 'in': {type(other).__qualname__!r} and "
                            f"{self.__class__.__qualname__!r}")
        return other._value_ & self._value_ == other._value_

    def __iter__(self):
        return (made for made in self.__class__ if made._value_ & self._value_)

    def __len__(self):
        return bin(self._value_).count("1")

    def __bool__(self):
        return bool(self._value_)

    def __repr__(self):
        name = self.__class__.__name__
        if self._name_ is None:
            return f"<{name}: {self._value_!r}>"
        return f"<{name}.{self._name_}: {self._value_!r}>"

    def __str__(self):
        name = self.__class__.__name__
        if self._name_ is None:
            return f"{name}({self._value_!r})"
        return f"{name}.{self._name_}"

    def _other(self, other):
        if isinstance(other, self.__class__):
            return other._value_
        if self._member_type_ is not object and isinstance(other, self._member_type_):
            return other
        return None

    def __or__(self, other):
        value = self._other(other)
        return NotImplemented if value is None else self.__class__(self._value_ | value)

    def __and__(self, other):
        value = self._other(other)
        return NotImplemented if value is None else self.__class__(self._value_ & value)

    def __xor__(self, other):
        value = self._other(other)
        return NotImplemented if value is None else self.__class__(self._value_ ^ value)

    def __invert__(self):
        return self.__class__(self.__class__._all_bits() & ~self._value_)

    __ror__ = __or__
    __rand__ = __and__
    __rxor__ = __xor__


class IntFlag(int, Flag):
    def __str__(self):
        return int.__repr__(self)

    def __format__(self, format_spec):
        return int.__format__(self, format_spec)

    __or__ = Flag.__or__
    __and__ = Flag.__and__
    __xor__ = Flag.__xor__
    __ror__ = Flag.__or__
    __rand__ = Flag.__and__
    __rxor__ = Flag.__xor__
    __invert__ = Flag.__invert__


def unique(enumeration):
    duplicates = [(name, made.name) for name, made in enumeration.__members__.items() if name != made.name]
    if duplicates:
        details = ", ".join(f"{alias} -> {name}" for alias, name in duplicates)
        raise ValueError(f"duplicate values found in {enumeration!r}: {details}")
    return enumeration


def _short_module(member):
    return member.__class__.__module__.rpartition(".")[2]


def global_enum_repr(self):
    """A member as its module's name and its own."""
    return f"{_short_module(self)}.{self._name_}"


def global_flag_repr(self):
    """Members of a flag, each as its module's name and its own."""
    module = _short_module(self)
    if self._name_ is None:
        return f"{module}.{self.__class__.__name__}({self._value_!r})"
    return "|".join(f"{module}.{name}" for name in self._name_.split("|"))


def global_str(self):
    """The name of a member alone."""
    if self._name_ is None:
        return f"{self.__class__.__name__}({self._value_!r})"
    return self._name_


def global_enum(cls, update_str=False):
    """Puts the members of an enumeration into its module and shows them as its names."""
    import sys
    cls.__repr__ = global_flag_repr if issubclass(cls, Flag) else global_enum_repr
    if not issubclass(cls, ReprEnum) or update_str:
        cls.__str__ = global_str
    vars(sys.modules[cls.__module__]).update(cls.__members__)
    return cls


def _simple_enum(etype=Enum, *, boundary=None, use_args=None):
    """A decorator that makes the class below it an enumeration of this kind."""
    if use_args is not None:
        raise NotImplementedError("enum._simple_enum(): use_args is not implemented in janus-jit")

    def convert(cls):
        extra = {} if boundary is None else {"boundary": boundary}
        namespace = type(etype).__prepare__(cls.__name__, (etype,), **extra)
        for name, value in cls.__dict__.items():
            if name not in ("__dict__", "__weakref__"):
                namespace[name] = value
        return type(etype)(cls.__name__, (etype,), namespace, **extra)

    return convert
