"""How a model would be cut into pieces, and what each would be: policies and settings. Sharding itself is not there; packages
make settings when they are imported, and wrappers for checkpoints of activations use the policies without it."""

from dataclasses import dataclass
from enum import Enum, auto

import torch
from torch import nn
from torch.nn.modules.batchnorm import _BatchNorm

_API = "torch.distributed.fsdp.api"


class ShardingStrategy(Enum):
    __module__ = _API
    FULL_SHARD = auto()
    SHARD_GRAD_OP = auto()
    NO_SHARD = auto()
    HYBRID_SHARD = auto()
    _HYBRID_SHARD_ZERO2 = auto()


class BackwardPrefetch(Enum):
    __module__ = _API
    BACKWARD_PRE = auto()
    BACKWARD_POST = auto()


class StateDictType(Enum):
    __module__ = _API
    FULL_STATE_DICT = auto()
    LOCAL_STATE_DICT = auto()
    SHARDED_STATE_DICT = auto()


class OptimStateKeyType(Enum):
    __module__ = "torch.distributed.fsdp.fully_sharded_data_parallel"
    PARAM_NAME = auto()
    PARAM_ID = auto()


@dataclass
class MixedPrecision:
    __module__ = _API
    param_dtype: "torch.dtype | None" = None
    reduce_dtype: "torch.dtype | None" = None
    buffer_dtype: "torch.dtype | None" = None
    keep_low_precision_grads: bool = False
    cast_forward_inputs: bool = False
    cast_root_forward_inputs: bool = True
    _module_classes_to_ignore: tuple = (_BatchNorm,)


@dataclass
class CPUOffload:
    __module__ = _API
    offload_params: bool = False


@dataclass
class StateDictConfig:
    __module__ = _API
    offload_to_cpu: bool = False


@dataclass
class FullStateDictConfig(StateDictConfig):
    __module__ = _API
    rank0_only: bool = False


@dataclass
class LocalStateDictConfig(StateDictConfig):
    __module__ = _API


@dataclass
class ShardedStateDictConfig(StateDictConfig):
    __module__ = _API
    _use_dtensor: bool = False


@dataclass
class OptimStateDictConfig:
    __module__ = _API
    offload_to_cpu: bool = True


@dataclass
class FullOptimStateDictConfig(OptimStateDictConfig):
    __module__ = _API
    rank0_only: bool = False


@dataclass
class LocalOptimStateDictConfig(OptimStateDictConfig):
    __module__ = _API
    offload_to_cpu: bool = False


@dataclass
class ShardedOptimStateDictConfig(OptimStateDictConfig):
    __module__ = _API
    _use_dtensor: bool = False


@dataclass
class StateDictSettings:
    __module__ = _API
    state_dict_type: StateDictType
    state_dict_config: StateDictConfig
    optim_state_dict_config: OptimStateDictConfig


@dataclass(frozen=True)
class MixedPrecisionPolicy:
    __module__ = "torch.distributed.fsdp"
    param_dtype: "torch.dtype | None" = None
    reduce_dtype: "torch.dtype | None" = None
    output_dtype: "torch.dtype | None" = None
    cast_forward_inputs: bool = True


@dataclass
class OffloadPolicy:
    __module__ = "torch.distributed.fsdp"


@dataclass
class CPUOffloadPolicy(OffloadPolicy):
    __module__ = "torch.distributed.fsdp"
    pin_memory: bool = True


# Policies: asked with `recurse` whether the modules in a module are to be looked at, and without whether it is wrapped itself.


def lambda_auto_wrap_policy(module, recurse, nonwrapped_numel, lambda_fn):
    return True if recurse else lambda_fn(module)


def transformer_auto_wrap_policy(module, recurse, nonwrapped_numel, transformer_layer_cls):
    return True if recurse else isinstance(module, tuple(transformer_layer_cls))


def size_based_auto_wrap_policy(
    module, recurse, nonwrapped_numel, min_num_params=int(1e8), force_leaf_modules=None, exclude_wrap_modules=None
):
    """Wraps what has so many parameters that nothing in it has been wrapped with."""
    whole = size_based_auto_wrap_policy.FORCE_LEAF_MODULES if force_leaf_modules is None else force_leaf_modules
    never = size_based_auto_wrap_policy.EXCLUDE_WRAP_MODULES if exclude_wrap_modules is None else exclude_wrap_modules
    return nonwrapped_numel >= min_num_params and not isinstance(module, tuple(whole if recurse else never))


size_based_auto_wrap_policy.EXCLUDE_WRAP_MODULES = {nn.ModuleList, nn.ModuleDict}
size_based_auto_wrap_policy.FORCE_LEAF_MODULES = {nn.MultiheadAttention}


class ModuleWrapPolicy:
    """Wraps modules of these classes."""

    __module__ = "torch.distributed.fsdp.wrap"

    def __init__(self, module_classes):
        classes = set(module_classes)
        self._module_classes = classes
        self._module_classes_str = str(classes)

    def __call__(self, module, recurse, *args, **kwargs):
        return True if recurse else isinstance(module, tuple(self._module_classes))

    def __repr__(self):
        return f"{super().__repr__()}({self._module_classes_str})"


for _policy in (lambda_auto_wrap_policy, transformer_auto_wrap_policy, size_based_auto_wrap_policy):
    _policy.__module__ = "torch.distributed.fsdp.wrap"


def wrap_inside(module, policy, wrapper, itself=False):
    """Wraps the modules in a module that a policy chooses, those furthest in first; the module, or what it is wrapped in,
    and how many numbers of it are in wrappers now."""
    numbers = sum(p.numel() for p in module.parameters())
    if not policy(module=module, recurse=True, nonwrapped_numel=numbers):
        return module, 0
    wrapped = 0
    for name, child in module.named_children():
        child, inside = wrap_inside(child, policy, wrapper, True)
        setattr(module, name, child)
        wrapped += inside
    if itself and policy(module=module, recurse=False, nonwrapped_numel=numbers - wrapped):
        return wrapper(module), numbers
    return module, wrapped
