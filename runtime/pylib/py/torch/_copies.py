"""Views as copies (`view_copy` and its relatives), parts that may be written to, and new tensors of given strides."""

import torch
from torch import _C
from torch._results import flag, into, number


def _copied(view):
    """The function whose result is a copy of a view."""
    name = view + "_copy"

    def function(input, *args, out=None, **kwargs):
        result = getattr(torch.Tensor, view)(input, *args, **kwargs)
        if isinstance(result, (tuple, list)):
            if out is not None:
                for made, to in zip(result, out):
                    into(name, made, to, input)
                return None
            return tuple([t.clone() for t in result])
        return into(name, result.clone() if out is None else result, out, input)

    function.__name__ = function.__qualname__ = name
    return function


as_strided_copy = _copied("as_strided")
detach_copy = _copied("detach")
diagonal_copy = _copied("diagonal")
narrow_copy = _copied("narrow")
permute_copy = _copied("permute")
select_copy = _copied("select")
split_copy = _copied("split")
squeeze_copy = _copied("squeeze")
t_copy = _copied("t")
transpose_copy = _copied("transpose")
unbind_copy = _copied("unbind")
unsqueeze_copy = _copied("unsqueeze")
unfold_copy = _copied("unfold")
view_copy = _copied("view")


def expand_copy(input, size, *, implicit=False, out=None):
    flag("expand_copy", implicit=implicit)
    result = input.expand(size)
    return into("expand_copy", result.clone() if out is None else result, out, input)


def alias_copy(input, *, out=None):
    return into("alias_copy", input.clone() if out is None else input, out, input)


def slice_copy(input, dim=0, start=None, end=None, step=1, *, out=None):
    at = [slice(None)] * input.dim()
    at[dim] = slice(start, end, step)
    result = input[tuple(at)]
    return into("slice_copy", result.clone() if out is None else result, out, input)


def split_with_sizes_copy(input, split_sizes, dim=0, *, out=None):
    parts = torch.split_with_sizes(input, split_sizes, dim)
    if out is None:
        return tuple([t.clone() for t in parts])
    if len(out) != len(parts):
        raise RuntimeError(
            "split_with_sizes_copy_out() expected an out= argument of size " + f"{len(parts)}, got size {len(out)}"
        )
    for part, to in zip(parts, out):
        into("split_with_sizes_copy", part, to, input)
    return None


def unsafe_chunk(input, chunks, dim=0):
    return input.chunk(chunks, dim)


def unsafe_split(tensor, split_size, dim=0):
    return tensor.split(split_size, dim)


def unsafe_split_with_sizes(input, split_sizes, dim=0):
    return torch.split_with_sizes(input, split_sizes, dim)


def as_strided_scatter(input, src, size, stride, storage_offset=None):
    result = input.clone(memory_format=torch.contiguous_format)
    start = input.storage_offset() if storage_offset is None else storage_offset
    place = result.as_strided(size, stride, start)
    if place.shape != src.shape:
        raise RuntimeError(
            f"expected src to have a size equal to the slice of self. src size = {list(src.shape)}, slice size = "
            f"{list(place.shape)}"
        )
    place.copy_(src)
    return result


def _room(size, stride):
    """How many elements such a view reaches over."""
    if 0 in size:
        return 0
    return 1 + sum([(n - 1) * s for n, s in zip(size, stride)])


def empty_strided(
    size, stride, *, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False
):
    if len(size) != len(stride):
        raise RuntimeError(
            f"dimensionality of sizes ({len(size)}) must match dimensionality of strides ({len(stride)})"
        )
    if pin_memory:
        raise RuntimeError("Need to provide pin_memory allocator to use pin memory.")
    room = torch.empty(_room(size, stride), dtype=dtype, layout=layout or torch.strided, device=device)
    made = room.as_strided(size, stride)
    made = made.detach()
    return made.requires_grad_() if requires_grad else made


def empty_permuted(
    size, physical_layout, *, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False
):
    if len(size) != len(physical_layout):
        raise RuntimeError(
            f"Number of dimensions in size does not match the length of the physical_layout; i.e. len(size) = {len(size)} "
            f"is not equal to len(physical_layout) = {len(physical_layout)}"
        )
    stride, step = [1] * len(size), 1
    for d in reversed(physical_layout):
        stride[d] = step
        step *= max(size[d], 1)
    return empty_strided(
        size, stride, dtype=dtype, layout=layout, device=device, requires_grad=requires_grad, pin_memory=pin_memory
    )


def constant_pad_nd(input, pad, value=0):
    number("constant_pad_nd", value=value)
    return torch.nn.functional.pad(input, pad, "constant", value)


def fill(input, value):
    if isinstance(value, torch.Tensor) and value.dim() != 0:
        raise RuntimeError(
            f"fill only supports 0-dimension value tensor but got tensor with {value.dim()} dimensions."
        )
    result = input * 0 if input.requires_grad else input.clone()
    return result.fill_(value)


def msort(input, *, out=None):
    result = torch.sort(input, 0).values if input.dim() else input.clone()
    return into("msort", result, out, input, same=True)


def nonzero_static(input, *, size, fill_value=-1, out=None):
    if size < 0:
        raise RuntimeError("nonzero_static: 'size' must be an non-negative integer")
    found = torch.nonzero(input)[:size]
    rest = torch.full((size - found.shape[0], input.dim()), fill_value, dtype=torch.int64, device=input.device)
    return into("nonzero_static", torch.cat([found, rest]), out)


# Methods of tensors.


def sum_to_size(t, *size):
    size = tuple(size[0]) if len(size) == 1 and isinstance(size[0], (tuple, list)) else size
    ahead = t.dim() - len(size)
    fits = ahead >= 0 and all([n in (1, m) for n, m in zip(size, t.shape[ahead:])])
    if not fits:
        raise RuntimeError(f"size {{{list(size)}}} is not expandable to size {{{list(t.shape)}}}.")
    dims = [*range(ahead), *[ahead + d for d, n in enumerate(size) if n == 1 and t.shape[ahead + d] != 1]]
    result = t.sum(dims, keepdim=True) if dims else t
    return result.reshape(size) if ahead else result


def new_empty_strided(
    t, size, stride, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False
):
    return empty_strided(
        size, stride, dtype=t.dtype if dtype is None else dtype, layout=layout, device=device, pin_memory=pin_memory,
        requires_grad=requires_grad,
    )


def resize_(t, *size, memory_format=torch.contiguous_format):
    """Another shape over the same memory, which grows where there is not enough of it."""
    size = tuple(size[0]) if len(size) == 1 and isinstance(size[0], (tuple, list)) else size
    if memory_format is torch.preserve_format:
        raise RuntimeError(f"Unsupported memory format{memory_format}")
    if t.requires_grad:
        raise RuntimeError("cannot resize variables that require grad")
    if any([n < 0 for n in size]):
        raise RuntimeError(
            f"Trying to create tensor with negative dimension {min(size)}: {list(size)}"
        )
    if tuple(t.shape) == size:
        return t
    stride, step = [], 1
    for n in reversed(size):
        stride.insert(0, step)
        step *= max(n, 1)
    start = t.storage_offset()
    before = t.untyped_storage().nbytes() // t.element_size()
    needed = start + _room(size, stride)
    if needed > before:
        room = torch.empty(needed, dtype=t.dtype, device=t.device)
        if before:
            room[:before] = t.detach().as_strided((before,), (1,), 0)
        if not _C._grow_memory(t, room):
            raise RuntimeError("Trying to resize storage that is not resizable")
    t.data = t.detach().as_strided(size, stride, start)
    if memory_format is not torch.contiguous_format:
        t.data = t.detach().contiguous(memory_format=memory_format)
    return t


def resize_as_(t, the_template, *, memory_format=torch.contiguous_format):
    return resize_(t, *the_template.shape, memory_format=memory_format)
