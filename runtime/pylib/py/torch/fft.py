"""torch.fft: transforms, their frequencies, shifts."""

import torch
from torch._C._fft import *


def __getattr__(name):
    return torch._C._missing_name("torch.fft", name)


def _frequencies(name, n, count, d, out, dtype, layout, device, requires_grad):
    if dtype is None:
        dtype = torch.get_default_dtype() if out is None else out.dtype
    if not (dtype.is_floating_point or dtype.is_complex):
        raise RuntimeError(
            f"{name} requires a floating point or complex dtype"
        )
    torch.empty(0, layout=layout, device=device)
    i = torch.arange(count, dtype=torch.int64)
    if name == "fftfreq":
        i = torch.where(i < (n + 1) // 2, i, i - n)
    result = i.to(dtype) * (1.0 / (n * d))
    if out is not None:
        out.resize_(result.shape)
        result = out.copy_(result)
    return result.requires_grad_() if requires_grad else result


def fftfreq(n, d=1.0, *, out=None, dtype=None, layout=torch.strided, device=None, requires_grad=False):
    return _frequencies("fftfreq", n, n, d, out, dtype, layout, device, requires_grad)


def rfftfreq(n, d=1.0, *, out=None, dtype=None, layout=torch.strided, device=None, requires_grad=False):
    return _frequencies("rfftfreq", n, n // 2 + 1, d, out, dtype, layout, device, requires_grad)


def _axes(input, dim):
    if dim is None:
        return tuple(range(input.dim()))
    return (dim,) if isinstance(dim, int) else tuple(dim)


def fftshift(input, dim=None):
    dims = _axes(input, dim)
    return torch.roll(input, tuple(input.size(d) // 2 for d in dims), dims)


def ifftshift(input, dim=None):
    dims = _axes(input, dim)
    return torch.roll(input, tuple((input.size(d) + 1) // 2 for d in dims), dims)
