"""Keys of arrays as keys of their tensors."""

import torch
from torch import Tensor, _C

from numpy._dtypes import generic


def _has_ellipsis(key):
    return key is Ellipsis or (type(key) is tuple and any(k is Ellipsis for k in key))


def _index_error(error, t, key):
    text = str(error)
    if "too many indices" in text or "invalid index of a 0-dim" in text:
        parts = key if type(key) is tuple else (key,)
        count = len([k for k in parts if k is not None and k is not Ellipsis])
        return IndexError(
            f"too many indices for array: array is {t.dim()}-dimensional, but {count} were indexed"
        )
    text = text.replace("for dimension", "for axis").replace(" at dimension", " along dimension")
    return IndexError(text)


def _one_index(k, as_tensor):
    if k is None or k is Ellipsis or isinstance(k, (slice, Tensor)) or type(k) in (int, bool):
        return k
    if isinstance(k, generic):
        k = k._plain()
    if isinstance(k, int):
        return k
    if isinstance(k, (float, str)):
        raise IndexError(
            "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean arrays are "
            "valid indices"
        )
    t = as_tensor(k)
    if t.dtype.is_floating_point:
        if t.numel() == 0:
            return t.to(torch.int64)
        raise IndexError("arrays used as indices must be of integer (or boolean) type")
    return t if t.dtype is torch.bool else t.to(torch.int64)


def _index(t, key, as_tensor):
    """A key for a tensor, and that tensor: a view of the first one where slices of the key go backwards."""
    if type(key) is int:
        return key, t
    if type(key) is not tuple:
        if type(key) is slice and key.step is not None and key.step < 0:
            return slice(None), _turned(t, 0, key)
        return _one_index(key, as_tensor), t
    parts = [_one_index(k, as_tensor) for k in key]
    if not any(type(k) is slice and k.step is not None and k.step < 0 for k in parts):
        return tuple(parts), t
    consumed = 0
    for k in parts:
        if isinstance(k, Tensor) and k.dtype is torch.bool:
            consumed += k.dim()
        elif k is not None and k is not Ellipsis:
            consumed += 1
    dim = 0
    for i, k in enumerate(parts):
        if k is Ellipsis:
            dim += t.dim() - consumed
        elif k is not None:
            if type(k) is slice and k.step is not None and k.step < 0 and dim < t.dim():
                t = _turned(t, dim, k)
                parts[i] = slice(None)
            dim += k.dim() if isinstance(k, Tensor) and k.dtype is torch.bool else 1
    return tuple(parts), t


def _turned(t, dim, key):
    """A view of the items of a slice that goes backwards."""
    items = range(*key.indices(t.shape[dim]))
    if items:
        t = t[(slice(None),) * dim + (slice(items[-1], items[0] + 1, -items.step),)]
    else:
        t = t.narrow(dim, 0, 0)
    return _C._backwards(t, (dim,))
