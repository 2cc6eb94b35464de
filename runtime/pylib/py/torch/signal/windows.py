"""torch.signal.windows."""

from collections.abc import Iterable
import math

import torch

__all__ = [
    "bartlett", "blackman", "cosine", "exponential", "gaussian", "general_cosine", "general_hamming", "hamming", "hann",
    "kaiser", "nuttall",
]


def _window(name, m, form, dtype, layout, device, requires_grad, shortest=2):
    """A window of `m` numbers; one that is shorter than `shortest` is all ones."""
    dtype = torch.get_default_dtype() if dtype is None else dtype
    if m < 0:
        raise ValueError(f"{name} requires non-negative window length, got M={m}")
    if layout is not torch.strided:
        raise ValueError(f"{name} is implemented for strided tensors only, got: {layout}")
    if dtype not in (torch.float32, torch.float64):
        raise ValueError(f"{name} expects float32 or float64 dtypes, got: {dtype}")
    if m == 0 or m < shortest:
        return torch.ones(m, dtype=dtype, device=device, requires_grad=requires_grad)
    options = {"dtype": dtype, "device": device, "requires_grad": requires_grad}
    return form(lambda start, end: torch.linspace(start, end, m, **options), options)


def exponential(
    M, *, center=None, tau=1.0, sym=True, dtype=None, layout=torch.strided, device=None, requires_grad=False
):
    if tau <= 0:
        raise ValueError(f"Tau must be positive, got: {tau} instead.")
    if sym and center is not None:
        raise ValueError("Center must be None for symmetric windows")

    def form(points, options):
        middle = (M if not sym and M > 1 else M - 1) / 2.0 if center is None else center
        return torch.exp(-torch.abs(points(-middle / tau, (-middle + (M - 1)) / tau)))

    return _window("exponential", M, form, dtype, layout, device, requires_grad, 1)


def cosine(M, *, sym=True, dtype=None, layout=torch.strided, device=None, requires_grad=False):
    def form(points, options):
        step = math.pi / (M + 1 if not sym and M > 1 else M)
        return torch.sin(points(0.5 * step, (0.5 + (M - 1)) * step))

    return _window("cosine", M, form, dtype, layout, device, requires_grad, 1)


def gaussian(M, *, std=1.0, sym=True, dtype=None, layout=torch.strided, device=None, requires_grad=False):
    if std <= 0:
        raise ValueError(f"Standard deviation must be positive, got: {std} instead.")

    def form(points, options):
        start = -(M if not sym and M > 1 else M - 1) / 2.0
        step = 1 / (std * math.sqrt(2))
        return torch.exp(-points(start * step, (start + (M - 1)) * step) ** 2)

    return _window("gaussian", M, form, dtype, layout, device, requires_grad, 1)


def kaiser(M, *, beta=12.0, sym=True, dtype=None, layout=torch.strided, device=None, requires_grad=False):
    if beta < 0:
        raise ValueError(f"beta must be non-negative, got: {beta} instead.")

    def form(points, options):
        width = torch.tensor(beta, dtype=options["dtype"], device=device)
        step = 2.0 * beta / (M if not sym else M - 1)
        k = points(-beta, min(beta, -beta + (M - 1) * step))
        return torch.i0(torch.sqrt(width * width - torch.pow(k, 2))) / torch.i0(width)

    return _window("kaiser", M, form, dtype, layout, device, requires_grad)


def hamming(M, *, sym=True, dtype=None, layout=torch.strided, device=None, requires_grad=False):
    return _cosines("general_cosine", M, [0.54, 0.46], sym, dtype, layout, device, requires_grad)


def hann(M, *, sym=True, dtype=None, layout=torch.strided, device=None, requires_grad=False):
    return _cosines("general_cosine", M, [0.5, 0.5], sym, dtype, layout, device, requires_grad)


def blackman(M, *, sym=True, dtype=None, layout=torch.strided, device=None, requires_grad=False):
    return _cosines("blackman", M, [0.42, 0.5, 0.08], sym, dtype, layout, device, requires_grad)


def bartlett(M, *, sym=True, dtype=None, layout=torch.strided, device=None, requires_grad=False):
    def form(points, options):
        step = 2 / (M if not sym else M - 1)
        return 1 - torch.abs(points(-1, -1 + (M - 1) * step))

    return _window("bartlett", M, form, dtype, layout, device, requires_grad)


def _cosines(name, m, a, sym, dtype, layout, device, requires_grad):
    """The sum of cosines whose weights, of alternating signs, are `a`."""

    def form(points, options):
        if not isinstance(a, Iterable):
            raise TypeError("Coefficients must be a list/tuple")
        if not a:
            raise ValueError("Coefficients cannot be empty")
        step = 2 * math.pi / (m if not sym else m - 1)
        k = points(0, (m - 1) * step)
        weights = torch.tensor([(-1) ** i * w for i, w in enumerate(a)], **options)
        i = torch.arange(len(a), dtype=options["dtype"], device=device)
        return (weights.unsqueeze(-1) * torch.cos(i.unsqueeze(-1) * k)).sum(0)

    return _window(name, m, form, dtype, layout, device, requires_grad)


def general_cosine(M, *, a, sym=True, dtype=None, layout=torch.strided, device=None, requires_grad=False):
    return _cosines("general_cosine", M, a, sym, dtype, layout, device, requires_grad)


def general_hamming(
    M, *, alpha=0.54, sym=True, dtype=None, layout=torch.strided, device=None, requires_grad=False
):
    return _cosines("general_hamming", M, [alpha, 1.0 - alpha], sym, dtype, layout, device, requires_grad)


def nuttall(M, *, sym=True, dtype=None, layout=torch.strided, device=None, requires_grad=False):
    return _cosines(
        "general_cosine", M, [0.3635819, 0.4891775, 0.1365995, 0.0106411], sym, dtype, layout, device, requires_grad
    )
