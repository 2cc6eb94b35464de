"""`numpy.pad`: what stands around an array."""

import torch

from numpy._array import _as_tensor, _wrap
from numpy._ops import _missing

# The options of each mode, with their defaults.
_OPTIONS = {
    "constant": {"constant_values": 0}, "edge": {}, "wrap": {}, "empty": {}, "linear_ramp": {"end_values": 0},
    "reflect": {"reflect_type": "even"}, "symmetric": {"reflect_type": "even"}, "maximum": {"stat_length": None},
    "mean": {"stat_length": None}, "median": {"stat_length": None}, "minimum": {"stat_length": None},
}


def pad(array, pad_width, mode="constant", **kwargs):
    t = _as_tensor(array)
    if isinstance(pad_width, dict):
        widths = [[0, 0] for _ in range(t.dim())]
        for d, width in pad_width.items():
            widths[d] = [width, width] if isinstance(width, int) else list(width)
    else:
        widths = _as_tensor(pad_width).expand(t.dim(), 2).tolist()
    if any(n < 0 for pair in widths for n in pair):
        raise ValueError("index can't contain negative values")
    if callable(mode):
        raise _missing("pad with a function")
    if mode not in _OPTIONS:
        raise ValueError(f"mode '{mode}' is not supported")
    unknown = set(kwargs) - set(_OPTIONS[mode])
    if unknown:
        raise ValueError(f"unsupported keyword arguments for mode '{mode}': {unknown}")
    options = {**_OPTIONS[mode], **kwargs}
    if mode in ("constant", "empty"):
        return _constant(t, widths, options.get("constant_values", 0))
    for d, pair in enumerate(widths):
        if t.shape[d] == 0 and sum(pair) > 0:
            raise ValueError(f"can't extend empty axis {d} using modes other than 'constant' or 'empty'")
        t = _along(t, d, pair, mode, options)
    return _wrap(t)


def _constant(t, widths, value):
    if isinstance(value, (int, float)):
        flat = [n for pair in reversed(widths) for n in pair]
        return _wrap(torch.nn.functional.pad(t, flat, value=value))
    # The values of a later axis are over those of an earlier one.
    values = _as_tensor(value).to(t.dtype).expand(t.dim(), 2)
    for d, pair in enumerate(widths):
        ends = [values[d, i].expand(_with_extent(t, d, n)) for i, n in enumerate(pair)]
        t = torch.cat([ends[0], t, ends[1]], d)
    return _wrap(t)


def _with_extent(t, d, n):
    return [n if i == d else m for i, m in enumerate(t.shape)]


def _along(t, d, pair, mode, options):
    before, after = pair
    n = t.shape[d]
    if mode == "linear_ramp":
        return _ramps(t, d, pair, options["end_values"])
    if "stat_length" in options:
        return _statistics(t, d, pair, mode, options["stat_length"])
    at = torch.arange(-before, n + after)
    if mode == "edge":
        at = at.clamp(0, n - 1)
    elif mode == "wrap":
        at = at % n
    elif options["reflect_type"] == "odd":
        return _turned(t, d, pair, mode)
    elif mode == "reflect":
        at = at % max(2 * (n - 1), 1)
        at = torch.where(at >= n, 2 * (n - 1) - at, at)
    else:
        at = at % (2 * n)
        at = torch.where(at >= n, 2 * n - 1 - at, at)
    return t.index_select(d, at)


def _turned(t, d, pair, mode):
    """Reflected at the ends, and turned around their values, piece by piece."""
    before, after = pair
    edge = 1 if mode == "reflect" else 0
    while before or after:
        n = t.shape[d]
        if n == 1 and edge:
            # There is nothing to reflect.
            return t.index_select(d, torch.arange(-before, n + after).clamp(0, 0))
        most = n - edge
        front, back = min(before, most), min(after, most)
        first, last = t.narrow(d, 0, 1), t.narrow(d, n - 1, 1)
        head = 2 * first - t.narrow(d, edge, front).flip(d)
        tail = 2 * last - t.narrow(d, n - edge - back, back).flip(d)
        t = torch.cat([head, t, tail], d)
        before, after = before - front, after - back
    return t


def _ramps(t, d, pair, end_values):
    ends = _as_tensor(end_values).to(t.dtype).expand(t.dim(), 2)
    parts = []
    for i, n in enumerate(pair):
        edge = t.narrow(d, 0 if i == 0 else t.shape[d] - 1, 1)
        shape = [-1 if k == d else 1 for k in range(t.dim())]
        share = (torch.arange(n, dtype=torch.float64) / max(n, 1)).reshape(shape)
        end = ends[d, i].to(torch.float64)
        part = end + (edge.to(torch.float64) - end) * share
        part = part if t.is_floating_point() else torch.floor(part)
        parts.append((part if i == 0 else part.flip(d)).to(t.dtype))
    return torch.cat([parts[0], t, parts[1]], d)


def _statistics(t, d, pair, mode, lengths):
    n = t.shape[d]
    lengths = [n, n] if lengths is None else _as_tensor(lengths).expand(t.dim(), 2)[d].tolist()
    parts = []
    for i, (width, length) in enumerate(zip(pair, lengths)):
        length = min(length, n)
        if length < 1:
            raise ValueError("stat_length of 0 yields no value for padding")
        part = t.narrow(d, 0 if i == 0 else n - length, length)
        if mode in ("maximum", "minimum"):
            value = part.amax(d, keepdim=True) if mode == "maximum" else part.amin(d, keepdim=True)
        elif mode == "mean":
            value = part.to(torch.float64).mean(d, keepdim=True)
        else:
            ordered = part.to(torch.float64).sort(d).values
            low, high = ordered.narrow(d, (length - 1) // 2, 1), ordered.narrow(d, length // 2, 1)
            value = (low + high) / 2
        value = value if t.is_floating_point() or mode in ("maximum", "minimum") else torch.round(value)
        parts.append(value.to(t.dtype).expand(_with_extent(t, d, width)))
    return torch.cat([parts[0], t, parts[1]], d)
