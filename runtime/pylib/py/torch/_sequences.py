"""Data of tensors in sequences that are more than lists and tuples: they say themselves how long they are and what is in
them.

PyTorch reads such a sequence in two ways: its length and its items by index tell shape and dtype, what it iterates over are
the values.
"""

import torch

_DEEPEST = 128


def _is_sequence(x):
    if isinstance(x, (list, tuple, range)):
        return True
    c = type(x)
    known = isinstance(x, (dict, str, bytes, torch.Tensor)) or hasattr(c, "__array__")
    return not known and hasattr(c, "__getitem__") and hasattr(c, "__len__")


def _shape(data):
    shape = []
    while _is_sequence(data):
        shape.append(len(data))
        if len(shape) > _DEEPEST:
            raise ValueError(f"too many dimensions '{type(data).__name__}'")
        if not shape[-1]:
            break
        data = data[0]
    return shape


def _dtype(x):
    if not _is_sequence(x):
        return torch.tensor(x).dtype
    found = None
    for i in range(len(x)):
        item = x[i]
        if item is x:
            raise TypeError("new(): self-referential lists are incompatible")
        dtype = _dtype(item)
        found = dtype if found is None else torch.promote_types(found, dtype)
    return torch.get_default_dtype() if found is None else found


def _values(x, shape, dim):
    if dim == len(shape):
        return x
    try:
        rows = list(x)
    except TypeError:
        raise TypeError("not a sequence") from None
    if len(rows) != shape[dim]:
        raise ValueError(f"expected sequence of length {shape[dim]} at dim {dim} (got {len(rows)})")
    return [_values(row, shape, dim + 1) for row in rows]


def as_lists(data, typed):
    """The values in lists, and the dtype that they have together if there is none yet."""
    shape = _shape(data)
    dtype = None if typed else _dtype(data)
    return _values(data, shape, 0), dtype
