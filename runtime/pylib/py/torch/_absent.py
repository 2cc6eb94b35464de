"""Modules of PyTorch that packages import and that are not there: their names are, and refuse where they are used."""

import importlib

import torch
from _refused import Absent, absent

_SHARDS = "DTensor DeviceMesh Partial Placement Replicate Shard distribute_module distribute_tensor init_device_mesh"
_FSDP = ("BackwardPrefetch CPUOffload CPUOffloadPolicy FSDPModule FullOptimStateDictConfig FullStateDictConfig "
         "FullyShardedDataParallel LocalOptimStateDictConfig LocalStateDictConfig MixedPrecision MixedPrecisionPolicy "
         "OffloadPolicy OptimStateDictConfig OptimStateKeyType ShardedOptimStateDictConfig ShardedStateDictConfig "
         "ShardingStrategy StateDictConfig StateDictSettings StateDictType fully_shard register_fsdp_forward_method")
_OF_CHECKPOINTS = ("DefaultLoadPlanner DefaultSavePlanner FileSystemReader FileSystemWriter LoadPlanner Metadata SavePlanner "
                   "StorageReader StorageWriter async_save load load_state_dict save save_state_dict")
# Names in capitals and functions alike: what starts with a small letter is a function.
_NAMES = {
    "torch.distributed.algorithms": "",
    "torch.distributed.algorithms._checkpoint": "",
    "torch.distributed.algorithms.join": "Join JoinHook Joinable",
    "torch.distributed.algorithms.model_averaging": "",
    "torch.distributed.algorithms.model_averaging.averagers": "ModelAverager PeriodicModelAverager",
    "torch.distributed.checkpoint": _OF_CHECKPOINTS,
    "torch.distributed.checkpoint.default_planner":
        "DefaultLoadPlanner DefaultSavePlanner create_default_global_load_plan create_default_global_save_plan "
        "create_default_local_load_plan create_default_local_save_plan",
    "torch.distributed.checkpoint.state_dict":
        "StateDictOptions _init_optim_state get_model_state_dict get_optimizer_state_dict get_state_dict set_model_state_dict "
        "set_optimizer_state_dict set_state_dict",
    "torch.distributed.checkpoint.hf_storage": "HuggingFaceStorageReader HuggingFaceStorageWriter",
    "torch.distributed.device_mesh": "DeviceMesh init_device_mesh",
    "torch.distributed.fsdp": _FSDP,
    "torch.distributed.fsdp.api": _FSDP,
    "torch.distributed.fsdp.fully_sharded_data_parallel": _FSDP,
    "torch.distributed.fsdp.sharded_grad_scaler": "ShardedGradScaler",
    "torch.distributed.fsdp.wrap":
        "CustomPolicy ModuleWrapPolicy enable_wrap lambda_auto_wrap_policy size_based_auto_wrap_policy "
        "transformer_auto_wrap_policy wrap",
    "torch.distributed._composable": "",
    "torch.distributed._composable.fsdp": "CPUOffloadPolicy FSDPModule MixedPrecisionPolicy OffloadPolicy fully_shard",
    "torch.distributed._functional_collectives": "all_gather_tensor all_reduce all_to_all_single_autograd wait_tensor",
    "torch.distributed._tensor": _SHARDS,
    "torch.distributed.tensor": _SHARDS,
    "torch.distributed.tensor._utils": "compute_local_shape_and_global_offset",
    "torch.distributed.tensor.device_mesh": "DeviceMesh init_device_mesh",
    "torch.distributed.tensor.parallel":
        "ColwiseParallel ParallelStyle PrepareModuleInput PrepareModuleOutput RowwiseParallel SequenceParallel "
        "loss_parallel parallelize_module",
    "torch.distributed.tensor.placement_types": "Partial Placement Replicate Shard _StridedShard",
    "torch.distributed.algorithms.ddp_comm_hooks": "DDPCommHookType register_ddp_comm_hook",
    "torch.distributed.algorithms.ddp_comm_hooks.default_hooks":
        "allreduce_hook bf16_compress_hook bf16_compress_wrapper fp16_compress_hook fp16_compress_wrapper",
    "torch.distributed.algorithms.ddp_comm_hooks.post_localSGD_hook": "PostLocalSGDState post_localSGD_hook",
    "torch.distributed.algorithms.ddp_comm_hooks.powerSGD_hook": "PowerSGDState batched_powerSGD_hook powerSGD_hook",
    "torch.distributed.optim": "DistributedOptimizer PostLocalSGDOptimizer ZeroRedundancyOptimizer",
    "torch.export": "Dim ExportedProgram export export_for_training load register_dataclass save",
    "torch.nested": "as_nested_tensor masked_select narrow nested_tensor nested_tensor_from_jagged to_padded_tensor",
    "torch.utils.cpp_extension":
        "BuildExtension CUDAExtension CppExtension SyclExtension include_paths library_paths load load_inline",
    "torch.nn.attention.flex_attention":
        "AuxRequest BlockMask and_masks create_block_mask create_mask create_nested_block_mask flex_attention "
        "noop_mask or_masks",
}
# The class of a name, which several modules share.
_made = {}


def _function(module, name):
    def refused(*args, **kwargs):
        raise absent(module, name)

    refused.__name__ = refused.__qualname__ = name
    refused.__module__ = module
    return refused


def absent_class(module, name):
    """A class that has no instances."""
    if name not in _made:
        _made[name] = Absent(name, (), {"__module__": module})
    return _made[name]


_CONSTANTS = {
    "torch.utils.cpp_extension": {"CUDA_HOME": None, "ROCM_HOME": None},
    "torch.nn.attention.flex_attention": {"_DEFAULT_SPARSE_BLOCK_SIZE": 128, "_LARGE_SPARSE_BLOCK_SIZE": 1 << 30}}
# What is there, of modules that are not.
_THERE = {
    "torch.distributed._placements": "Partial Placement Replicate Shard _StridedShard",
    "torch.distributed._wrapping":
        "BackwardPrefetch CPUOffload CPUOffloadPolicy FullOptimStateDictConfig FullStateDictConfig LocalOptimStateDictConfig "
        "LocalStateDictConfig MixedPrecision MixedPrecisionPolicy ModuleWrapPolicy OffloadPolicy OptimStateDictConfig "
        "OptimStateKeyType ShardedOptimStateDictConfig ShardedStateDictConfig ShardingStrategy StateDictConfig "
        "StateDictSettings StateDictType lambda_auto_wrap_policy size_based_auto_wrap_policy transformer_auto_wrap_policy",
}
_THERE = {name: module for module, names in _THERE.items() for name in names.split()}


def fill(module, namespace):
    """Gives a module the names that it would have."""
    for name in _NAMES[module].split():
        if name in _THERE:
            namespace[name] = getattr(importlib.import_module(_THERE[name]), name)
            continue
        is_class = name.lstrip("_")[0].isupper()
        namespace[name] = absent_class(module, name) if is_class else _function(module, name)
    namespace.update(_CONSTANTS.get(module, {}))
    namespace["__getattr__"] = lambda name: torch._C._missing_name(module, name)
