"""What files of tensors call to make them."""

from torch import _C


def _rebuild_tensor(storage, storage_offset, size, stride):
    return _C._part_of_memory(storage._memory, size, stride, storage_offset)


def _rebuild_tensor_v2(storage, storage_offset, size, stride, requires_grad, backward_hooks, metadata=None):
    tensor = _rebuild_tensor(storage, storage_offset, size, stride)
    return tensor.requires_grad_() if requires_grad else tensor


def _rebuild_tensor_v3(storage, storage_offset, size, stride, requires_grad, backward_hooks, dtype, metadata=None):
    """Of a storage without a dtype of its own."""
    typed = _C._tensor_of_bytes(_C._tensor_bytes(storage._memory), dtype)
    tensor = _C._part_of_memory(typed, size, stride, storage_offset)
    return tensor.requires_grad_() if requires_grad else tensor


def _rebuild_meta_tensor_no_storage(dtype, size, stride, requires_grad):
    import torch

    return torch.empty_strided(size, stride, dtype=dtype, device="meta", requires_grad=requires_grad)


def _rebuild_parameter(data, requires_grad, backward_hooks):
    from torch.nn.parameter import Parameter

    return Parameter(data, requires_grad)


def _rebuild_parameter_with_state(data, requires_grad, backward_hooks, state):
    parameter = _rebuild_parameter(data, requires_grad, backward_hooks)
    for name, value in (state[0] if isinstance(state, tuple) else state).items():
        setattr(parameter, name, value)
    return parameter
