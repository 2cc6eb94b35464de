"""torch.jit: everything is compiled without being asked, so these hand back what they get."""

from typing import Final

import torch
from torch import _absent

# Nothing is an instance of these: what would be scripted stays what it is.
ScriptFunction = _absent.absent_class("torch.jit", "ScriptFunction")
RecursiveScriptModule = _absent.absent_class("torch.jit", "RecursiveScriptModule")
TracedModule = TopLevelTracedModule = _absent.absent_class("torch.jit", "TracedModule")


class Attribute:
    """A value with the type that a compiler would be told of."""

    def __new__(cls, value, type):
        annotate(type, value)
        return value


def annotate(the_type, the_value):
    """The value: its type shows where it is used."""
    if the_type is None:
        raise TypeError("annotate() needs a type")
    return the_value


def isinstance(obj, target_type):
    import builtins

    return builtins.isinstance(obj, target_type)


def script(obj, *args, **kwargs):
    return obj


def script_if_tracing(fn):
    return fn


def trace(func, example_inputs=None, *args, **kwargs):
    return func


def ignore(fn=None, **kwargs):
    if fn is None:
        return lambda f: f
    return fn


unused = ignore
export = ignore


def freeze(mod, preserved_attrs=None, optimize_numerics=True):
    """The module, which is in eval mode: nothing of it has to be fixed to be compiled."""
    if mod.training:
        raise RuntimeError(
            "Freezing is currently only implemented for modules in eval mode. Please call .eval() on your module before "
            "freezing."
        )
    return mod


def optimize_for_inference(mod, other_methods=None):
    return mod.eval()


def is_scripting():
    return False


def is_tracing():
    return False


def script_method(fn):
    """The method: a module's methods are compiled without being asked."""
    return fn


def _script_module():
    from torch.nn import Module

    class ScriptModule(Module):
        """A module like any other, whose script says that it can be compiled as a whole."""

    ScriptModule.__module__, ScriptModule.__qualname__ = "torch.jit", "ScriptModule"
    return ScriptModule


def __getattr__(name):
    if name == "ScriptModule":
        # Modules are only loaded for those who derive from it.
        found = globals()[name] = _script_module()
        return found
    return torch._C._missing_name("torch.jit", name)
