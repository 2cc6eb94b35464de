"""numpy.fft: transforms in double precision, or in single precision of what is single."""

import torch

from numpy._array import _as_tensor, _given, _wrap


def _operand(a):
    t = _as_tensor(a)
    if t.dtype.is_complex or t.dtype in (torch.float32, torch.float64):
        return t
    return t.to(torch.float32 if t.dtype is torch.float16 else torch.float64)


def _norm(norm):
    if norm not in (None, "backward", "ortho", "forward"):
        raise ValueError(f'Invalid norm value {norm}; should be "backward", "ortho" or "forward".')
    return "backward" if norm is None else norm


def _one(name, real=False):
    function = getattr(torch.fft, name)

    def transform(a, n=None, axis=-1, norm=None, out=None):
        t = _operand(a)
        if real and t.dtype.is_complex:
            raise TypeError(f"ufunc '{name}_n_even' did not contain a loop with signature matching types")
        if n is not None and n < 1:
            raise ValueError(f"Invalid number of FFT data points ({n}) specified.")
        return _given(function(t, n=n, dim=axis, norm=_norm(norm)), out)

    transform.__name__ = transform.__qualname__ = name
    return transform


def _several(name, default):
    function = getattr(torch.fft, name)

    def transform(a, s=None, axes=default, norm=None, out=None):
        s = None if s is None else tuple(s)
        axes = None if axes is None else tuple(axes)
        return _given(function(_operand(a), s=s, dim=axes, norm=_norm(norm)), out)

    transform.__name__ = transform.__qualname__ = name
    return transform


fft, ifft = _one("fft"), _one("ifft")
rfft, irfft = _one("rfft", True), _one("irfft")
hfft, ihfft = _one("hfft"), _one("ihfft", True)
fft2, ifft2 = _several("fft2", (-2, -1)), _several("ifft2", (-2, -1))
rfft2, irfft2 = _several("rfft2", (-2, -1)), _several("irfft2", (-2, -1))
fftn, ifftn = _several("fftn", None), _several("ifftn", None)
rfftn, irfftn = _several("rfftn", None), _several("irfftn", None)


def _on(device):
    if device is not None and device != "cpu":
        raise ValueError(f'Device not understood. Only "cpu" is allowed, but received: {device}')


def fftfreq(n, d=1.0, *, device=None):
    _on(device)
    i = torch.arange(n)
    return _wrap(torch.where(i < (n + 1) // 2, i, i - n).to(torch.float64) * (1.0 / (n * d)))


def rfftfreq(n, d=1.0, *, device=None):
    _on(device)
    return _wrap(torch.arange(n // 2 + 1).to(torch.float64) * (1.0 / (n * d)))


def fftshift(x, axes=None):
    return _wrap(torch.fft.fftshift(_as_tensor(x), axes))


def ifftshift(x, axes=None):
    return _wrap(torch.fft.ifftshift(_as_tensor(x), axes))
