"""torch.masked: reductions and normalizations of the elements that a mask chooses."""

import torch

__all__ = [
    "amax", "amin", "argmax", "argmin", "cumprod", "cumsum", "log_softmax", "logaddexp", "logsumexp", "mean", "median", "norm",
    "normalize", "prod", "softmax", "softmin", "std", "sum", "var",
]


def __getattr__(name):
    return torch._C._missing_name("torch.masked", name)


def _lowest(dtype):
    if dtype == torch.bool:
        return False
    return float("-inf") if dtype.is_floating_point else torch.iinfo(dtype).min


def _highest(dtype):
    if dtype == torch.bool:
        return True
    return float("inf") if dtype.is_floating_point else torch.iinfo(dtype).max


def _filled(input, mask, value):
    """The input, with a value where the mask does not hold."""
    if mask is None:
        return input
    if mask.dtype != torch.bool:
        mask = mask.to(torch.bool)
    if mask.dim() > input.dim():
        raise IndexError(
            "_input_mask expected broadcastable mask (got mask dimensionality higher than of the input)"
        )
    return torch.where(mask, input, torch.tensor(value, dtype=input.dtype, device=input.device))


def _sums(input):
    """The input in the dtype in which it is added up."""
    if input.dtype.is_floating_point or input.dtype.is_complex:
        return input
    return input.to(torch.int64)


def _dims(input, dim):
    if dim is None or isinstance(dim, (tuple, list)) and not dim:
        return tuple(range(input.dim()))
    dims = (dim,) if isinstance(dim, int) else tuple(dim)
    found = []
    for d in dims:
        if not -max(input.dim(), 1) <= d < max(input.dim(), 1):
            n = max(input.dim(), 1)
            raise IndexError(f"Dimension out of range (expected to be in range of [{-n}, {n - 1}], but got {d})")
        d %= max(input.dim(), 1)
        if d in found:
            raise RuntimeError(f"dim={d} appears multiple times in the list of dims")
        found.append(d)
    return tuple(d for d in found if input.dim())


def _to(input, dtype):
    return input if dtype is None else input.to(dtype)


def sum(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    input = _sums(input) if dtype is None else input.to(dtype)
    return torch.sum(_filled(input, mask, 0), _dims(input, dim), keepdim, dtype=dtype)


def prod(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    input = _sums(input) if dtype is None else input.to(dtype)
    result = _filled(input, mask, 1)
    for d in sorted(_dims(input, dim), reverse=True):
        result = result.prod(d, keepdim)
    return result


def cumsum(input, dim, *, dtype=None, mask=None):
    return torch.cumsum(_filled(_to(input, dtype), mask, 0), dim, dtype=dtype)


def cumprod(input, dim, *, dtype=None, mask=None):
    return torch.cumprod(_filled(_to(input, dtype), mask, 1), dim, dtype=dtype)


def amax(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    input = _to(input, dtype)
    return torch.amax(_filled(input, mask, _lowest(input.dtype)), _dims(input, dim), keepdim)


def amin(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    input = _to(input, dtype)
    return torch.amin(_filled(input, mask, _highest(input.dtype)), _dims(input, dim), keepdim)


def argmax(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    input = _to(input, dtype)
    # As in PyTorch, in the input's dtype.
    return torch.argmax(_filled(input, mask, _lowest(input.dtype)), dim, keepdim).to(input.dtype)


def argmin(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    input = _to(input, dtype)
    return torch.argmin(_filled(input, mask, _highest(input.dtype)), dim, keepdim).to(input.dtype)


def _count(input, dims, keepdim, mask):
    """How many elements count in each reduction."""
    ones = torch.ones(input.shape, dtype=torch.int64)
    return torch.sum(_filled(ones, mask, 0), dims, keepdim)


def mean(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    input = _to(input, dtype)
    if not (input.dtype.is_floating_point or input.dtype.is_complex):
        raise ValueError(
            "mean(): Could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: "
            f"{input.dtype}"
        )
    dims = _dims(input, dim)
    total = torch.sum(_filled(input, mask, 0), dims, keepdim)
    return total / _count(input, dims, keepdim, mask)


def median(input, dim=-1, *, keepdim=False, dtype=None, mask=None):
    input = _to(input, dtype)
    if not input.dtype.is_floating_point:
        if mask is not None and not mask.all():
            raise ValueError("masked median expects no fully masked out rows if dtype is not floating point")
        return torch.median(input, dim, keepdim).values
    is_nan = torch.isnan(input)
    if mask is not None:
        is_nan = is_nan & mask
    if is_nan.any():
        raise ValueError("masked median expects no NaN elements in the input")
    return torch.nanmedian(_filled(input, mask, float("nan")), dim, keepdim).values


def logsumexp(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    input = _to(input, dtype)
    return torch.logsumexp(_filled(input, mask, _lowest(input.dtype)), _dims(input, dim), keepdim)


def logaddexp(input, other, *, dtype=None, input_mask=None, other_mask=None):
    input, other = _to(input, dtype), _to(other, dtype)
    return torch.logaddexp(_filled(input, input_mask, float("-inf")), _filled(other, other_mask, float("-inf")))


def norm(input, ord=2.0, dim=None, *, keepdim=False, dtype=None, mask=None):
    input = _to(input, dtype)
    return torch.linalg.vector_norm(
        _filled(input, mask, float("inf") if ord < 0 else 0), ord, _dims(input, dim), keepdim, dtype=dtype
    )


def _deviation(input, dim, unbiased, keepdim, dtype, mask):
    if dtype is None:
        dtype = input.dtype if input.dtype.is_floating_point or input.dtype.is_complex else torch.float32
    input = input.to(dtype)
    dims = _dims(input, dim)
    count = _count(input, dims, True, mask)
    average = torch.sum(_filled(input, mask, 0), dims, True) / count
    apart = _filled(input - average, mask, 0)
    total = torch.sum(apart * (apart.conj() if apart.is_complex() else apart), dims, keepdim)
    if total.is_complex():
        total = total.real
    if not keepdim:
        count = count.reshape(total.shape)
    if unbiased:
        count = torch.maximum(count - 1, torch.zeros_like(count))
    return total / count


def var(input, dim=None, unbiased=True, *, keepdim=False, dtype=None, mask=None):
    return _deviation(input, dim, unbiased, keepdim, dtype, mask)


def std(input, dim=None, unbiased=True, *, keepdim=False, dtype=None, mask=None):
    return torch.sqrt(_deviation(input, dim, unbiased, keepdim, dtype, mask))


def softmax(input, dim, *, dtype=None, mask=None):
    return torch.nn.functional.softmax(_filled(_to(input, dtype), mask, float("-inf")), dim)


def log_softmax(input, dim, *, dtype=None, mask=None):
    return torch.nn.functional.log_softmax(_filled(_to(input, dtype), mask, float("-inf")), dim)


def softmin(input, dim, *, dtype=None, mask=None):
    return torch.nn.functional.softmin(_filled(_to(input, dtype), mask, float("inf")), dim)


def normalize(input, ord, dim, *, eps=1e-12, dtype=None, mask=None):
    input = _to(input, dtype)
    size = norm(input, ord, dim, keepdim=True, dtype=dtype, mask=mask)
    return _filled(input, mask, 0) / torch.maximum(size, torch.full([], eps, dtype=size.dtype, device=size.device))
