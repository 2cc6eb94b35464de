"""Abstract base classes: `ABCMeta` refuses to instantiate classes with abstract methods left and
lets other classes register as virtual subclasses."""

__all__ = ["ABC", "ABCMeta", "abstractmethod", "abstractproperty", "abstractclassmethod",
           "abstractstaticmethod", "get_cache_token", "update_abstractmethods"]


def abstractmethod(funcobj):
    funcobj.__isabstractmethod__ = True
    return funcobj


class abstractclassmethod(classmethod):
    __isabstractmethod__ = True

    def __init__(self, callable):
        callable.__isabstractmethod__ = True
        super().__init__(callable)


class abstractstaticmethod(staticmethod):
    __isabstractmethod__ = True

    def __init__(self, callable):
        callable.__isabstractmethod__ = True
        super().__init__(callable)


class abstractproperty(property):
    __isabstractmethod__ = True


def _is_abstract(value):
    if getattr(value, "__isabstractmethod__", False):
        return True
    if isinstance(value, property):
        return any(getattr(f, "__isabstractmethod__", False) for f in (value.fget, value.fset, value.fdel))
    if isinstance(value, (classmethod, staticmethod)):
        return getattr(value.__func__, "__isabstractmethod__", False)
    return False


def _abstract_names(cls):
    names = {name for name, value in cls.__dict__.items() if _is_abstract(value)}
    for base in cls.__bases__:
        for name in getattr(base, "__abstractmethods__", ()):
            if _is_abstract(getattr(cls, name, None)):
                names.add(name)
    return frozenset(names)


def update_abstractmethods(cls):
    if hasattr(cls, "__abstractmethods__"):
        cls.__abstractmethods__ = _abstract_names(cls)
    return cls


_cache_token = 0


def get_cache_token():
    return _cache_token


class ABCMeta(type):
    def __new__(mcls, name, bases, namespace, /, **kwargs):
        cls = super().__new__(mcls, name, bases, namespace, **kwargs)
        cls.__abstractmethods__ = _abstract_names(cls)
        cls._abc_registry = []
        return cls

    def register(cls, subclass):
        global _cache_token
        if not isinstance(subclass, type):
            raise TypeError("Can only register classes")
        if issubclass(subclass, cls):
            return subclass
        if issubclass(cls, subclass):
            raise RuntimeError("Refusing to create an inheritance cycle")
        cls._abc_registry.append(subclass)
        _cache_token += 1
        return subclass

    def __instancecheck__(cls, instance):
        return cls.__subclasscheck__(type(instance)) or cls.__subclasscheck__(instance.__class__)

    def __subclasscheck__(cls, subclass):
        if not isinstance(subclass, type):
            raise TypeError("issubclass() arg 1 must be a class")
        answer = cls.__subclasshook__(subclass)
        if answer is not NotImplemented:
            return answer
        if cls in subclass.__mro__:
            return True
        if any(issubclass(subclass, registered) for registered in cls._abc_registry):
            return True
        return any(issubclass(subclass, derived) for derived in type.__subclasses__(cls))


class ABC(metaclass=ABCMeta):
    __slots__ = ()
