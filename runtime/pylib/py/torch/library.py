"""torch.library: operators of a script's own. Their functions are called as they are, and found under `torch.ops`."""

import functools
import inspect

import torch
from _refused import refused

_operators = {}


class CustomOpDef:
    """A function under a name, with the gradient that the script gives it."""

    def __init__(self, namespace, name, fn, mutates_args):
        self._namespace, self._name, self._fn, self._mutates_args = namespace, name, fn, mutates_args
        self._qualname = f"{namespace}::{name}"
        self._function = None
        functools.update_wrapper(self, fn)
        _operators[namespace, name] = self

    def __call__(self, *args, **kwargs):
        if self._function is None or not torch.is_grad_enabled():
            return self._fn(*args, **kwargs)
        if kwargs:
            bound = inspect.signature(self._fn).bind(*args, **kwargs)
            if bound.kwargs:
                raise NotImplementedError(f"torch.library: keyword-only arguments of {self._qualname}, which has a gradient, "
                                          "are not implemented in janus-jit yet")
            args = bound.args
        return self._function.apply(*args)

    @property
    def default(self):
        return self

    def register_kernel(self, device_types, fn=None, /):
        """A function for some kinds of devices; only that for the CPU is ever called."""
        kinds = (device_types,) if isinstance(device_types, str) else device_types

        def register(fn):
            if kinds is None or "cpu" in kinds:
                self._fn = fn
            return fn

        return register if fn is None else register(fn)

    def register_fake(self, fn, /):
        """What would tell a tracer the result's shape, which none asks for."""
        self._fake = fn
        return fn

    def register_autograd(self, backward, /, *, setup_context=None):
        definition = self

        class Operator(torch.autograd.Function):
            @staticmethod
            def forward(ctx, *args):
                output = definition._fn(*args)
                if setup_context is not None:
                    setup_context(ctx, args, output)
                return output

            @staticmethod
            def backward(ctx, *gradients):
                return backward(ctx, *gradients)

        self._function = Operator

    def __repr__(self):
        return f"<CustomOpDef({self._qualname})>"


def _parts(name):
    if name.count("::") != 1:
        raise ValueError(f"Expected {name} to be of the form '<namespace>::<name>'")
    return name.split("::")


def custom_op(name, fn=None, /, *, mutates_args, device_types=None, schema=None, tags=None):
    if tags is not None:
        raise refused("torch.library.custom_op", "tags")
    namespace, own = _parts(name)

    def define(fn):
        made = CustomOpDef(namespace, own, fn, mutates_args)
        kinds = (device_types,) if isinstance(device_types, str) else device_types
        if kinds is not None and "cpu" not in kinds:
            made._fn = _no_kernel(made._qualname, kinds)
        made._schema = schema
        return made

    return define if fn is None else define(fn)


def _no_kernel(name, kinds):
    def refuse(*args, **kwargs):
        raise NotImplementedError(f"Could not run '{name}' with arguments from the 'CPU' backend: it is there for "
                                  f"{', '.join(kinds)}")

    return refuse


triton_op = custom_op


def _found(op):
    if isinstance(op, CustomOpDef):
        return op
    namespace, name = _parts(op)
    if (namespace, name) not in _operators:
        raise RuntimeError(f"operator {op} does not exist")
    return _operators[namespace, name]


def register_fake(op, func=None, /, *, lib=None, allow_override=False):
    if lib is not None:
        raise refused("torch.library.register_fake", "lib")
    register = lambda func: _found(op).register_fake(func)
    return register if func is None else register(func)


def register_kernel(op, device_types, func=None, /, *, lib=None):
    if lib is not None:
        raise refused("torch.library.register_kernel", "lib")
    return _found(op).register_kernel(device_types, func)


def register_autograd(op, backward, /, *, setup_context=None, lib=None):
    if lib is not None:
        raise refused("torch.library.register_autograd", "lib")
    _found(op).register_autograd(backward, setup_context=setup_context)


def __getattr__(name):
    return torch._C._missing_name("torch.library", name)


class _Namespace:
    def __init__(self, name):
        self.__name__ = f"torch.ops.{name}"
        self._namespace = name

    def __getattr__(self, name):
        if (self._namespace, name) in _operators:
            return _operators[self._namespace, name]
        if self._namespace == "profiler" and name in ("_record_function_enter", "_record_function_exit"):
            from torch.autograd import profiler

            return getattr(profiler, name)
        raise AttributeError(f"'_OpNamespace' '{self._namespace}' object has no attribute '{name}'")


class _Operators:
    """`torch.ops`: operators by namespace."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return _Namespace(name)


ops = _Operators()
