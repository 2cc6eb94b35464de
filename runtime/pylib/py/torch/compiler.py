"""torch.compiler: what is hot is compiled without being asked, so that these have nothing to switch."""

import torch


def _as_it_is(fn=None, recursive=True, *, reason=None):
    """The function itself, or a decorator that gives it."""
    if fn is None:
        return lambda fn: fn
    return fn


disable = _as_it_is


def allow_in_graph(fn):
    return fn


def assume_constant_result(fn):
    return fn


def compile(*args, **kwargs):
    return torch.compile(*args, **kwargs)


def reset():
    """No state of a compiler is the script's."""


def cudagraph_mark_step_begin():
    """No device, no graph of it."""


def is_compiling():
    return False


def is_dynamo_compiling():
    return False


def is_exporting():
    return False


def list_backends(exclude_tags=("debug", "experimental")):
    return []


def __getattr__(name):
    return torch._C._missing_name("torch.compiler", name)
