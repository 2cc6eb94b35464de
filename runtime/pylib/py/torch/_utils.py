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


def _parse_to(*args, **kwargs):
    """What arguments of `to()` say: device, dtype, whether the caller does not wait, memory format."""
    import torch

    dtype = kwargs.pop("dtype", None)
    device = kwargs.pop("device", None)
    memory_format = kwargs.pop("memory_format", None)
    non_blocking = kwargs.pop("non_blocking", None)
    if "tensor" in kwargs:
        args += (kwargs.pop("tensor"),)
    for name in kwargs:
        raise TypeError(f"to() got an unexpected keyword argument '{name}'")
    for arg in args:
        if isinstance(arg, torch.dtype):
            dtype = arg
        elif isinstance(arg, torch.Tensor):
            dtype = arg.dtype
            device = arg.device
        elif isinstance(arg, bool):
            non_blocking = arg if non_blocking is None else non_blocking
        elif arg is not None:
            device = arg
    if device is not None:
        torch._C._check_device(device)
        device = torch.device(device)
    return device, dtype, bool(non_blocking), memory_format


def _moved(t, device):
    """A tensor of a module on another device."""
    if t.is_meta and device.type != "meta":
        raise NotImplementedError(
            "Cannot copy out of meta tensor; no data! Please use torch.nn.Module.to_empty() instead of "
            "torch.nn.Module.to() when moving module from meta to a different device."
        )
    return t.to(device)


def _rebuild_sparse_tensor(layout, data):
    import torch
    from torch.sparse import _compressed, _coo

    if layout is torch.sparse_coo:
        indices, values, size, *rest = data
        return _coo.SparseTensor(indices, values, size, bool(rest and rest[0]))
    return _compressed.CompressedTensor(*data, layout)
