"""torch.distributed.algorithms._checkpoint.checkpoint_wrapper: modules whose activations are computed again, or put aside, in
the backward pass."""

from abc import ABC, abstractmethod
from enum import Enum, auto
from functools import partial

from torch import nn
from torch.autograd.graph import save_on_cpu
from torch.distributed import _wrapping
from torch.utils.checkpoint import checkpoint

_CHECKPOINT_WRAPPED_MODULE = "_checkpoint_wrapped_module"
_CHECKPOINT_PREFIX = _CHECKPOINT_WRAPPED_MODULE + "."


def _rename(state_dict, old, new):
    """Keys that begin with a prefix begin with another."""
    for key in [key for key in state_dict if key.startswith(old)]:
        state_dict[new + key[len(old):]] = state_dict.pop(key)


class CheckpointImpl(Enum):
    REENTRANT = auto()
    NO_REENTRANT = auto()


class ActivationWrapper(nn.Module, ABC):
    """A module around another, with its attributes, and with its names of parameters."""

    def __init__(self, mod):
        super().__init__()
        self._checkpoint_wrapped_module = mod
        self._register_state_dict_hook(self._post_state_dict_hook)
        self.register_load_state_dict_pre_hook(self._pre_load_state_dict_hook)

    @abstractmethod
    def forward(self, *args, **kwargs):
        raise ValueError("Subclasses should implement forward().")

    def __getattr__(self, name):
        try:
            return super().__getattr__(name)
        except AttributeError:
            return getattr(self._checkpoint_wrapped_module, name)

    def __getitem__(self, key):
        return self._checkpoint_wrapped_module[key]

    def named_parameters(self, *args, **kwargs):
        for name, parameter in super().named_parameters(*args, **kwargs):
            yield name.replace(_CHECKPOINT_PREFIX, ""), parameter

    @staticmethod
    def _post_state_dict_hook(module, state_dict, prefix, *args):
        _rename(state_dict, prefix + _CHECKPOINT_PREFIX, prefix)
        return state_dict

    @staticmethod
    def _pre_load_state_dict_hook(module, state_dict, prefix, *args):
        _rename(state_dict, prefix, prefix + _CHECKPOINT_PREFIX)


class OffloadWrapper(ActivationWrapper):
    def forward(self, *args, **kwargs):
        with save_on_cpu(pin_memory=True):
            return self._checkpoint_wrapped_module(*args, **kwargs)


class CheckpointWrapper(ActivationWrapper):
    def __init__(self, mod, checkpoint_impl=CheckpointImpl.NO_REENTRANT, checkpoint_fn=None, **checkpoint_fn_kwargs):
        super().__init__(mod)
        self.checkpoint_impl = checkpoint_impl
        if checkpoint_fn is None:
            checkpoint_fn_kwargs["use_reentrant"] = checkpoint_impl == CheckpointImpl.REENTRANT
        self.checkpoint_fn = partial(checkpoint_fn or checkpoint, **checkpoint_fn_kwargs)

    def forward(self, *args, **kwargs):
        # What is entered again knows arguments by their places alone.
        if self.checkpoint_impl == CheckpointImpl.REENTRANT and kwargs:
            names = list(kwargs)

            def run(*given):
                named = dict(zip(names, given[len(args):]))
                return self._checkpoint_wrapped_module(*given[:len(args)], **named)

            return self.checkpoint_fn(run, *args, *kwargs.values())
        return self.checkpoint_fn(self._checkpoint_wrapped_module, *args, **kwargs)


def offload_wrapper(module):
    return OffloadWrapper(module)


def checkpoint_wrapper(module, checkpoint_impl=CheckpointImpl.NO_REENTRANT, checkpoint_fn=None, **checkpoint_fn_kwargs):
    return CheckpointWrapper(module, checkpoint_impl, checkpoint_fn, **checkpoint_fn_kwargs)


def apply_activation_checkpointing(model, checkpoint_wrapper_fn=checkpoint_wrapper, check_fn=lambda _: True, auto_wrap_policy=None):
    """Wraps the modules in a model that are chosen; not itself."""
    policy = auto_wrap_policy or partial(_wrapping.lambda_auto_wrap_policy, lambda_fn=check_fn)
    if not callable(policy):
        raise ValueError(f"Expected {policy} to be callable or be a pre-defined wrap policy")
    _wrapping.wrap_inside(model, policy, checkpoint_wrapper_fn)
