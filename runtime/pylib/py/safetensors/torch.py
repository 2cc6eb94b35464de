"""Tensors of torch in files of safetensors."""

import torch
from safetensors import _serialize, _write, deserialize, safe_open
from torch import _C

# The names that the format has for dtypes; torch says of those that it has not itself.
_TYPES = {
    "F64": torch.float64, "F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16, "I64": torch.int64,
    "I32": torch.int32, "I16": torch.int16, "I8": torch.int8, "U8": torch.uint8, "BOOL": torch.bool,
    "F8_E4M3": torch.float8_e4m3fn, "F8_E5M2": torch.float8_e5m2, "C64": torch.complex64, "U64": torch.uint64,
    "U32": torch.uint32, "U16": torch.uint16,
}
_NAMES = {dtype: name for name, dtype in _TYPES.items()}


def _getdtype(dtype_str):
    return _TYPES[dtype_str]


def _tensor(dtype, shape, data):
    return _C._tensor_of_bytes(bytes(data), _getdtype(dtype)).reshape(shape)


def storage_ptr(tensor):
    return tensor.untyped_storage().data_ptr()


def storage_size(tensor):
    return tensor.untyped_storage().nbytes()


def _bytes_of(tensor):
    return tensor.numel() * tensor.element_size()


def _find_shared_tensors(state_dict):
    """Sets of names whose tensors lie over one another."""
    memories = {}
    for name, tensor in state_dict.items():
        if tensor.device.type != "meta" and storage_ptr(tensor) != 0 and storage_size(tensor) != 0:
            memories.setdefault(storage_ptr(tensor), []).append(name)
    found = []
    for names in memories.values():
        ordered = sorted((_extent(state_dict[name]), name) for name in names)
        stop = None
        for (first, last), name in ordered:
            if stop is None or first >= stop:
                found.append(set())
            found[-1].add(name)
            stop = last
    return found


def _extent(tensor):
    """Where a tensor's memory begins and ends."""
    start = tensor.data_ptr()
    if tensor.numel() == 0:
        return start, start
    reach = sum((extent - 1) * step for extent, step in zip(tensor.shape, tensor.stride()))
    return start, start + (reach + 1) * tensor.element_size()


def _is_complete(tensor):
    return tensor.data_ptr() == storage_ptr(tensor) and _bytes_of(tensor) == storage_size(tensor)


def _remove_duplicate_names(state_dict, *, preferred_names=None, discard_names=None):
    """For each set of shared tensors: the name that is kept, with the others."""
    preferred_names, discard_names = set(preferred_names or ()), set(discard_names or ())
    removed = {}
    for shared in _find_shared_tensors(state_dict):
        complete = {name for name in shared if _is_complete(state_dict[name])}
        if not complete:
            raise RuntimeError(
                "Error while trying to find names to remove to save state dict, but found no suitable name to keep for "
                f"saving amongst: {shared}. None is covering the entire storage."
                "Refusing to save/load the model since you could be storing much more memory than needed. Please refer to "
                "https://huggingface.co/docs/safetensors/torch_shared_tensors for more information. Or open an issue."
            )
        kept = min(complete & preferred_names or complete - discard_names or complete)
        others = sorted(shared - {kept})
        if others:
            removed[kept] = others
    return removed


def _rows(tensors):
    """What is written for each tensor, once it is certain that all can be."""
    if not isinstance(tensors, dict):
        raise ValueError(f"Expected a dict of [str, torch.Tensor] but received {type(tensors)}")
    for name, tensor in tensors.items():
        if not isinstance(tensor, torch.Tensor):
            raise ValueError(f"Key `{name}` is invalid, expected torch.Tensor but received {type(tensor)}")
    failing = [names for names in _find_shared_tensors(tensors) if len(names) > 1]
    if failing:
        raise RuntimeError(
            "\n            Some tensors share memory, this will lead to duplicate memory on disk and potential differences "
            f"when loading them again: {failing}.\n            A potential way to correctly save your model is to use "
            "`save_model`.\n            More information at "
            "https://huggingface.co/docs/safetensors/torch_shared_tensors\n            "
        )
    rows = []
    for name, tensor in tensors.items():
        if not tensor.is_contiguous():
            raise ValueError(
                f"You are trying to save a non contiguous tensor: `{name}` which is not allowed. It either means you are "
                "trying to save tensors which are reference of each other in which case it's recommended to save only the "
                "full tensors, and reslice at load time, or simply call `.contiguous()` on your tensor to pack it before "
                "saving."
            )
        rows.append((name, _NAMES[tensor.dtype], tuple(tensor.shape), _C._tensor_bytes(tensor.detach())))
    return rows


def save(tensors, metadata=None):
    return _serialize(_rows(tensors), metadata)


def save_file(tensors, filename, metadata=None):
    _write(_rows(tensors), filename, metadata)


def load(data):
    return {name: _tensor(view["dtype"], view["shape"], view["data"]) for name, view in deserialize(data)}


def load_file(filename, device="cpu", *, backend="mmap"):
    with safe_open(filename, framework="pt", device=device, backend=backend) as f:
        return f.get_tensors()


def save_model(model, filename, metadata=None, force_contiguous=True):
    """Saves what a model holds, each shared tensor once; the metadata says whose name stands for it."""
    state_dict = model.state_dict()
    for kept, others in _remove_duplicate_names(state_dict).items():
        for name in others:
            if metadata is None:
                metadata = {}
            metadata.setdefault(name, kept)
            del state_dict[name]
    if force_contiguous:
        state_dict = {name: tensor.contiguous() for name, tensor in state_dict.items()}
    try:
        save_file(state_dict, filename, metadata=metadata)
    except ValueError as e:
        text = str(e)
    else:
        return
    raise ValueError(text + " Or use save_model(..., force_contiguous=True), read the docs for potential caveats.")


def load_model(model, filename, strict=True, device="cpu", *, backend="mmap"):
    """Loads what `save_model` wrote: what is missing, and what was not expected."""
    state_dict = load_file(filename, device=device, backend=backend)
    removed = _remove_duplicate_names(model.state_dict(), preferred_names=state_dict)
    missing, unexpected = model.load_state_dict(state_dict, strict=False)
    missing = set(missing)
    for name in (name for names in removed.values() for name in names):
        if name in missing:
            missing.remove(name)
        else:
            unexpected.append(name)
    if strict and (missing or unexpected):
        text = f"Error(s) in loading state_dict for {type(model).__name__}:"
        for what, names in (("Missing", missing), ("Unexpected", unexpected)):
            if names:
                shown = ", ".join(f'"{name}"' for name in sorted(names))
                text += f"\n    {what} key(s) in state_dict: {shown}"
        raise RuntimeError(text)
    return missing, unexpected
