"""Interpolation whose filters are stretched where a picture becomes smaller."""

import torch


def _bilinear(x):
    x = x.abs()
    return torch.where(x < 1.0, 1.0 - x, torch.zeros_like(x))


def _bicubic(x):
    a = -0.5
    x = x.abs()
    near = ((a + 2.0) * x - (a + 3.0)) * x * x + 1.0
    far = (((x - 5.0) * x + 8.0) * x - 4.0) * a
    return torch.where(x < 1.0, near, torch.where(x < 2.0, far, torch.zeros_like(x)))


_FILTERS = {"bilinear": (_bilinear, 2), "bicubic": (_bicubic, 4)}


def _weights(n, size, factor, mode, align_corners, like):
    """A row for each place of the result, a column for each pixel."""
    filter_, width = _FILTERS[mode]
    if align_corners:
        scale = (n - 1) / (size - 1) if size > 1 else 0.0
    else:
        scale = 1.0 / factor if factor else n / size
    dtype, device = like.dtype, like.device
    scale = torch.tensor(scale, dtype=dtype, device=device)
    stretch = torch.clamp(scale, min=1.0)
    support = width * 0.5 * stretch
    center = (scale * (torch.arange(size, dtype=dtype, device=device) + 0.5)).unsqueeze(1)
    first = (center - support + 0.5).to(torch.int64).clamp(min=0)
    last = (center + support + 0.5).to(torch.int64).clamp(max=n)
    pixels = torch.arange(n, device=device).unsqueeze(0)
    w = filter_((pixels.to(dtype) - center + 0.5) * (1.0 / stretch))
    w = torch.where((pixels >= first) & (pixels < last), w, torch.zeros_like(w))
    return w / w.sum(1, keepdim=True)


def resized(input, size, factors, mode, align_corners):
    """A batch of pictures with other rows and columns."""
    if input.dim() != 4 or mode not in _FILTERS:
        raise ValueError("Anti-alias option is restricted to bilinear and bicubic modes and requires a 4-D tensor as input")
    height, width = (int(s) for s in size)
    rows, columns = input.shape[-2:]
    fy, fx = factors if factors else (None, None)
    out = input
    if width != columns or fx:
        out = torch.matmul(out, _weights(columns, width, fx, mode, align_corners, input).T)
    if height != rows or fy:
        out = torch.matmul(_weights(rows, height, fy, mode, align_corners, input), out)
    return out if out is not input else input.clone()
