"""Keys of arrays as keys of their tensors."""

import torch
from torch import Tensor

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
    """A key for the tensor; the dimensions of its result that go backwards; if that cannot be said, a copy of the
    tensor in which they do not."""
    if type(key) is int:
        return key, (), None
    if type(key) is not tuple:
        if type(key) is slice and key.step is not None and key.step < 0:
            return _forward(key, t.shape[0]), (0,), None
        return _one_index(key, as_tensor), (), None
    parts = [_one_index(k, as_tensor) for k in key]
    if not any(type(k) is slice and k.step is not None and k.step < 0 for k in parts):
        return tuple(parts), (), None
    consumed = 0
    for k in parts:
        if isinstance(k, Tensor) and k.dtype is torch.bool:
            consumed += k.dim()
        elif k is not None and k is not Ellipsis:
            consumed += 1
    advanced = any(isinstance(k, Tensor) for k in parts)
    dim = out = 0
    backwards = []
    for i, k in enumerate(parts):
        if k is Ellipsis:
            dim += t.dim() - consumed
            out += t.dim() - consumed
        elif k is None:
            out += 1
        elif type(k) is slice:
            if k.step is not None and k.step < 0:
                if advanced:
                    at = torch.tensor(list(range(*k.indices(t.shape[dim]))), dtype=torch.int64)
                    t = t.index_select(dim, at)
                    parts[i] = slice(None)
                else:
                    parts[i] = _forward(k, t.shape[dim])
                    backwards.append(out)
            dim += 1
            out += 1
        else:
            dim += k.dim() if isinstance(k, Tensor) and k.dtype is torch.bool else 1
    return tuple(parts), tuple(backwards), t if advanced else None


def _forward(key, extent):
    """The slice of the same items in the other order."""
    items = range(*key.indices(extent))
    if not items:
        return slice(0, 0, 1)
    return slice(items[-1], items[0] + 1, -items.step)
