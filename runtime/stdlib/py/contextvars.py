"""contextvars: values that belong to a context; there is one context at a time in a thread."""

import _thread
from _types import GenericAlias

_missing = object()
_state = _thread._local()


def _current():
    found = getattr(_state, "context", None)
    if found is None:
        found = _state.context = Context()
    return found


class Token:
    def __init_subclass__(cls, **kwargs):
        raise TypeError("type '_contextvars.Token' is not an acceptable base type")

    MISSING = _missing
    __class_getitem__ = classmethod(GenericAlias)

    def __init__(self, context, var, old):
        self._context = context
        self._used = False
        self.var = var
        self.old_value = old

    def __enter__(self):
        return self

    def __exit__(self, kind, value, traceback):
        self.var.reset(self)

    def __repr__(self):
        used = " used" if self._used else ""
        return f"<Token{used} var={self.var!r} at {hex(id(self))}>"


class ContextVar:
    def __init_subclass__(cls, **kwargs):
        raise TypeError("type '_contextvars.ContextVar' is not an acceptable base type")

    def __init__(self, name, *, default=_missing):
        if not isinstance(name, str):
            raise TypeError("context variable name must be a str")
        self._name = name
        self._default = default

    @property
    def name(self):
        return self._name

    def get(self, default=_missing):
        values = _current()._values
        if self in values:
            return values[self]
        if default is not _missing:
            return default
        if self._default is not _missing:
            return self._default
        raise LookupError(self)

    def set(self, value):
        context = _current()
        token = Token(context, self, context._values.get(self, _missing))
        context._values[self] = value
        return token

    def reset(self, token):
        if token._used:
            raise RuntimeError(f"{token!r} has already been used once")
        if token.var is not self:
            raise ValueError(f"{token!r} was created by a different ContextVar")
        context = _current()
        if token._context is not context:
            raise ValueError(f"{token!r} was created in a different Context")
        token._used = True
        if token.old_value is _missing:
            context._values.pop(self, None)
        else:
            context._values[self] = token.old_value

    __class_getitem__ = classmethod(GenericAlias)

    def __repr__(self):
        default = "" if self._default is _missing else f" default={self._default!r}"
        return f"<ContextVar name={self._name!r}{default} at {hex(id(self))}>"


def _variable(var):
    if not isinstance(var, ContextVar):
        raise TypeError(f"a ContextVar key was expected, got {var!r}")
    return var


class Context:
    def __init__(self, *args, **kwargs):
        if args or kwargs:
            raise TypeError("Context() does not accept any arguments")
        self._values = {}
        self._entered = False

    def __init_subclass__(cls, **kwargs):
        raise TypeError("type '_contextvars.Context' is not an acceptable base type")

    def run(self, callable, *args, **kwargs):
        if self._entered:
            raise RuntimeError(f"cannot enter context: {self!r} is already entered")
        before = _current()
        self._entered = True
        _state.context = self
        try:
            return callable(*args, **kwargs)
        finally:
            _state.context = before
            self._entered = False

    def copy(self):
        made = Context()
        made._values = dict(self._values)
        return made

    def __getitem__(self, var):
        return self._values[_variable(var)]

    def __contains__(self, var):
        return _variable(var) in self._values

    def get(self, var, default=None, /):
        return self._values.get(_variable(var), default)

    def __eq__(self, other):
        return self._values == other._values if isinstance(other, Context) else NotImplemented

    __hash__ = object.__hash__

    def __iter__(self):
        return iter(self._values)

    def __len__(self):
        return len(self._values)

    def keys(self):
        return self._values.keys()

    def values(self):
        return self._values.values()

    def items(self):
        return self._values.items()


def copy_context():
    return _current().copy()
