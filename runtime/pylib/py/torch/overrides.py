"""torch.overrides: `__torch_function__` of classes and modes."""

import functools

import torch
from torch import _C

__all__ = [
    "get_default_nowrap_functions", "handle_torch_function", "has_torch_function", "is_tensor_like",
    "is_tensor_method_or_property", "resolve_name", "wrap_torch_function", "BaseTorchFunctionMode",
    "TorchFunctionMode",
]

has_torch_function = _C._has_torch_function
handle_torch_function = _C._handle_torch_function


def has_torch_function_unary(argument):
    return has_torch_function((argument,))


def has_torch_function_variadic(*arguments):
    return has_torch_function(arguments)


class DisableTorchFunctionSubclass:
    """Within, functions on objects of derived classes are those of plain tensors; modes go on."""

    _modes_too = False

    def __enter__(self):
        _C._torch_function_off(self._modes_too, True)

    def __exit__(self, *exception):
        _C._torch_function_off(self._modes_too, False)


class DisableTorchFunction(DisableTorchFunctionSubclass):
    """Within, nothing is dispatched."""

    _modes_too = True


@functools.lru_cache(None)
def get_default_nowrap_functions():
    """What gives attributes of a tensor that are no tensors of its class."""
    Tensor = torch.Tensor
    return {Tensor._base.__get__, Tensor.grad.__get__}


def _as_class(value, cls):
    if cls is torch.Tensor:
        return value
    if isinstance(value, torch.Tensor) and not isinstance(value, cls):
        return value.as_subclass(cls)
    if isinstance(value, tuple) and hasattr(value, "_fields") or type(value).__module__ == "torch.return_types":
        return type(value)(_as_class(item, cls) for item in value)
    if type(value) in (tuple, list):
        return type(value)(_as_class(item, cls) for item in value)
    return value


def _default(cls, func, types, args=(), kwargs=None):
    """`Tensor.__torch_function__`: the function itself, its tensors as ones of the class."""
    if not all(issubclass(cls, kind) for kind in types):
        return NotImplemented
    with DisableTorchFunctionSubclass():
        result = func(*args, **(kwargs or {}))
        if func in get_default_nowrap_functions():
            return result
        return _as_class(result, cls)


def _disabled(func, types, args=(), kwargs=None):
    with DisableTorchFunctionSubclass():
        return func(*args, **(kwargs or {}))


def is_tensor_like(value):
    return type(value) is torch.Tensor or hasattr(value, "__torch_function__")


def is_tensor_method_or_property(func):
    name = getattr(func, "__name__", None)
    return name == "__get__" or getattr(torch.Tensor, name or "", None) is func


def resolve_name(function):
    """The dotted name of a function of torch, or None."""
    name = getattr(function, "__name__", None)
    if name in ("__get__", "__set__"):
        owner = getattr(function, "__self__", None)
        return f"torch.Tensor.{owner.__name__}.{name}" if owner is not None else None
    for module in (torch, torch.nn.functional, torch.Tensor, torch.linalg, torch.special):
        if name and getattr(module, name, None) is function:
            prefix = "torch.Tensor" if module is torch.Tensor else module.__name__
            return f"{prefix}.{name}"
    return None


def wrap_torch_function(dispatcher):
    """A decorator: the function is handed to the `__torch_function__` of what `dispatcher(*args, **kwargs)` gives."""

    def inner(function):
        @functools.wraps(function)
        def wrapped(*args, **kwargs):
            relevant = dispatcher(*args, **kwargs)
            if has_torch_function(relevant):
                return handle_torch_function(wrapped, relevant, *args, **kwargs)
            return function(*args, **kwargs)

        return wrapped

    return inner


class TorchFunctionMode:
    """A context manager whose `__torch_function__(func, types, args, kwargs)` gets every call of a torch function."""

    def __torch_function__(self, func, types, args=(), kwargs=None):
        raise NotImplementedError

    def __enter__(self):
        _C._push_on_torch_function_stack(self)
        return self

    def __exit__(self, *exception):
        _C._pop_torch_function_stack()


class BaseTorchFunctionMode(TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None):
        return func(*args, **(kwargs or {}))


def _get_current_function_mode():
    modes = _C._torch_function_stack()
    return modes[-1] if modes else None


def _get_current_function_mode_stack():
    return _C._torch_function_stack()
