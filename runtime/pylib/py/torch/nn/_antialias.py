"""Interpolation whose filters are stretched where a picture becomes smaller, and that of pictures of bytes."""

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


def _taps(x, mode):
    """The weights of the pixels around a place: from that before it, or from the one before that."""
    if mode == "bilinear":
        return [1.0 - x, x]
    a = -0.75

    def near(d):
        return ((a + 2.0) * d - (a + 3.0)) * d * d + 1.0

    def far(d):
        return ((a * d - 5.0 * a) * d + 8.0 * a) * d - 4.0 * a

    return [far(x + 1.0), near(x), near(1.0 - x), far(2.0 - x)]


def _plain_weights(n, size, factor, mode, align_corners):
    """The same as `_weights` of filters that are as wide as they are."""
    places = torch.arange(size, dtype=torch.float64)
    if align_corners:
        at = places * ((n - 1) / (size - 1) if size > 1 else 0.0)
    else:
        at = (places + 0.5) * (1.0 / factor if factor else n / size) - 0.5
        if mode == "bilinear":
            at = at.clamp(min=0.0)
    first = at.floor()
    w = torch.zeros(size, n, dtype=torch.float64)
    taps = _taps(at - first, mode)
    for i, tap in enumerate(taps):
        pixel = (first.to(torch.int64) + i + 1 - len(taps) // 2).clamp(0, n - 1)
        w = w.scatter_add(1, pixel.unsqueeze(1), tap.unsqueeze(1))
    return w


def _in_bytes(w):
    """Weights as whole numbers of 16 bits, and of how many of these one is."""
    bits, largest = 0, w.max().item()
    while bits < 22 and int(0.5 + largest * 2.0 ** (bits + 1)) < 2**15:
        bits += 1
    scaled = w * 2.0**bits
    return torch.where(scaled < 0, scaled - 0.5, scaled + 0.5).trunc(), 2.0**bits


def resized_bytes(input, size, factors, mode, align_corners, antialias):
    """A batch of pictures of bytes with other rows and columns: columns first, and each step rounded to bytes."""
    like = torch.empty(0, dtype=torch.float64)
    out = input.to(torch.float64)
    for d in (1, 0):
        n, wanted, factor = input.shape[2 + d], int(size[d]), factors[d] if factors else None
        if n == wanted and not factor:
            continue
        if antialias:
            w = _weights(n, wanted, factor, mode, align_corners, like)
        else:
            w = _plain_weights(n, wanted, factor, mode, align_corners)
        w, one = _in_bytes(w)
        sums = torch.matmul(out, w.T) if d else torch.matmul(w, out)
        out = ((sums + one / 2) / one).floor().clamp(0, 255)
    return out.to(torch.uint8)
