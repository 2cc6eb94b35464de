"""torch.linalg."""

import torch
from torch import _wanted
from torch._C import _LinAlgError as LinAlgError
from torch._C._linalg import *


_norm_of_entries, _norm_of_matrix_entries = norm, matrix_norm


def _by_singular_values(ord):
    return ord == "nuc" or isinstance(ord, (int, float)) and abs(ord) == 2


def _spectral_norm(input, ord, dim, keepdim, dtype):
    """The sum of all singular values, or the largest or smallest one."""
    if dtype is not None:
        input = input.to(dtype)
    rows, columns = [d % input.dim() for d in dim]
    values = torch.linalg.svdvals(input.movedim((rows, columns), (-2, -1)))
    if ord == "nuc":
        result = values.sum(-1)
    else:
        result = values.amax(-1) if ord > 0 else values.amin(-1)
    if keepdim:
        for d in sorted((rows, columns)):
            result = result.unsqueeze(d)
    return result


def matrix_norm(input, ord="fro", dim=(-2, -1), keepdim=False, *, dtype=None):
    if _by_singular_values(ord) and len(dim) == 2 and input.dim() >= 2:
        return _spectral_norm(input, ord, dim, keepdim, dtype)
    return _norm_of_matrix_entries(input, ord, dim, keepdim, dtype=dtype)


def norm(input, ord=None, dim=None, keepdim=False, *, dtype=None):
    if _by_singular_values(ord):
        if dim is None and input.dim() == 2:
            dim = (0, 1)
        if isinstance(dim, (tuple, list)) and len(dim) == 2:
            return _spectral_norm(input, ord, dim, keepdim, dtype)
    return _norm_of_entries(input, ord, dim, keepdim, dtype=dtype)


def __getattr__(name):
    found = _wanted.found(_wanted.LINALG, name)
    if found is not None:
        globals()[name] = found
        return found
    return torch._C._missing_name("torch.linalg", name)


def __dir__():
    return sorted({*globals(), *_wanted.LINALG})
