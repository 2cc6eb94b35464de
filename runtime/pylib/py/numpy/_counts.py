"""Counts: histograms, and which elements there are."""

import math as _math
import torch as _torch

from numpy._dtypes import NotNumbers as _NotNumbers
from numpy._array import _as_tensor, _common, _wrap, asarray as _asarray, is_unsigned as _is_unsigned
from numpy._creation import linspace as _linspace
from numpy._dtypes import of_torch as _of_torch
from numpy._ops import _floats, _missing, normalized as _normalized


def _width(rule, x, low, high):
    """The width of bins by a rule, for numbers in a range; 0 where it has none."""
    n, spread = x.numel(), high - low
    x = x.to(_torch.float64)
    if rule == "sqrt":
        return spread / _math.sqrt(n)
    if rule == "sturges":
        return spread / (_math.log2(n) + 1.0)
    if rule == "rice":
        return spread / (2.0 * n ** (1.0 / 3))
    if rule == "scott":
        return (24.0 * _math.sqrt(_math.pi) / n) ** (1.0 / 3.0) * x.std(correction=0).item()
    if rule == "fd":
        quarters = _torch.quantile(x, _torch.tensor([0.25, 0.75], dtype=_torch.float64))
        return 2.0 * (quarters[1] - quarters[0]).item() * n ** (-1.0 / 3.0)
    if rule == "doane":
        if n < 3 or not x.std(correction=0).item():
            return 0.0
        skew = (((x - x.mean()) / x.std(correction=0)) ** 3).mean().item()
        sigma = _math.sqrt(6.0 * (n - 2) / ((n + 1.0) * (n + 3)))
        return spread / (1.0 + _math.log2(n) + _math.log2(1.0 + abs(skew) / sigma))
    if rule == "auto":
        by_quarters, by_count = _width("fd", x, low, high), _width("sturges", x, low, high)
        by_root = _width("sqrt", x, low, high)
        return min(max(by_quarters, by_root / 2), by_count)
    raise _missing(f"histogram(bins='{rule}')") if rule == "stone" else ValueError(f"{rule!r} is not a valid estimator for `bins`")


def _edges(a, bins, range, weights):
    x = _as_tensor(a).reshape(-1)
    t = _floats(x)
    if not isinstance(bins, (int, str)) and _asarray(bins).ndim == 1:
        edges = _asarray(bins)
        if bool((edges._t[:-1] > edges._t[1:]).any()):
            raise ValueError("`bins` must increase monotonically, when an array")
        return edges
    if not isinstance(bins, str):
        if int(bins) < 1:
            raise ValueError("`bins` must be positive, when an integer")
    if range is not None:
        low, high = range
        if low > high:
            raise ValueError("max must be larger than min in range parameter.")
        if not (_math.isfinite(low) and _math.isfinite(high)):
            raise ValueError(f"supplied range of [{low}, {high}] is not finite")
    else:
        low, high = (t.min().item(), t.max().item()) if t.numel() else (0.0, 1.0)
        if not (_math.isfinite(low) and _math.isfinite(high)):
            raise ValueError(f"autodetected range of [{low}, {high}] is not finite")
    if low == high:
        low, high = low - 0.5, high + 0.5
    if isinstance(bins, str):
        if weights is not None:
            raise TypeError("Automated estimation of the number of bins is not supported for weighted data")
        kept = t if range is None else t[(t >= low) & (t <= high)]
        width = _width(bins, kept, kept.min().item(), kept.max().item()) if kept.numel() else 0.0
        if kept.numel() == 0:
            bins = 1
        else:
            if width and not x.is_floating_point() and width < 1:
                width = 1
            bins = int(_math.ceil((high - low) / width)) if width else 1
    edges = _linspace(low, high, int(bins) + 1)
    return edges.astype(_of_torch(t.dtype)) if x.is_floating_point() else edges


def histogram(a, bins=10, range=None, density=None, weights=None):
    edges = _edges(a, bins, range, weights)
    t = _floats(_as_tensor(a)).reshape(-1)
    e = edges._t.to(t.dtype)
    if weights is None:
        ordered = t.sort().values
        below = _torch.searchsorted(ordered, e[:-1])
        counts = _torch.diff(_torch.cat([below, _torch.searchsorted(ordered, e[-1:], right=True)]))
    else:
        w = _as_tensor(weights)
        if w.shape != _as_tensor(a).shape:
            raise ValueError("weights should have the same shape as a.")
        at = _torch.searchsorted(e, t, right=True) - 1
        at = _torch.where(t == e[-1], e.numel() - 2, at)
        inside = (at >= 0) & (at < e.numel() - 1)
        counts = _torch.zeros(e.numel() - 1, dtype=w.dtype).index_add(0, at[inside], w.reshape(-1)[inside])
    if density:
        counts = counts.to(_torch.float64)
        return _wrap(counts / (e.diff().to(_torch.float64) * counts.sum())), edges
    return _wrap(counts), edges


def _unique_rows(t, axis):
    """Rows in the order of their elements: the rows, where each first stands, which each is, how often it is."""
    moved = t.movedim(axis, 0)
    rows = moved.reshape(moved.shape[0], -1)
    found, inverse, counts = _torch.unique(rows, return_inverse=True, return_counts=True, dim=0)
    first = _torch.full((found.shape[0],), rows.shape[0], dtype=_torch.int64)
    first = first.scatter_reduce(0, inverse, _torch.arange(rows.shape[0]), "amin")
    found = found.reshape(found.shape[0], *moved.shape[1:]).movedim(0, axis)
    return found, first, inverse, counts


def unique(ar, return_index=False, return_inverse=False, return_counts=False, axis=None, *, equal_nan=True):
    if _is_unsigned(ar):
        from numpy._unsigned import of_ordered, ordered

        found = unique(ordered(_asarray(ar)), return_index, return_inverse, return_counts, axis)
        if isinstance(found, tuple):
            return (of_ordered(found[0]._t, ar.dtype), *found[1:])
        return of_ordered(found._t, ar.dtype)
    try:
        t = _as_tensor(ar)
    except _NotNumbers:
        from numpy._items import unique as of_items

        return of_items(ar, return_index, return_inverse, return_counts, axis)
    if axis is not None:
        made = _unique_rows(t, _normalized(axis, t.dim()))
        chosen = [m for m, wanted in zip(made, (True, return_index, return_inverse, return_counts)) if wanted]
        chosen = [_wrap(m.contiguous()) for m in chosen]
        return chosen[0] if len(chosen) == 1 else tuple(chosen)
    flat = t.reshape(-1)
    order = _torch.sort(flat, stable=True)
    s = order.values
    first = _torch.ones(s.numel(), dtype=_torch.bool)
    if s.numel() > 1:
        first[1:] = s[1:] != s[:-1]
        if s.is_floating_point() and equal_nan:
            first[1:] &= ~(s[1:].isnan() & s[:-1].isnan())
    found = [_wrap(s[first])]
    if return_index:
        found.append(_wrap(order.indices[first]))
    if return_inverse:
        inverse = _torch.empty_like(order.indices)
        inverse[order.indices] = first.cumsum(0) - 1
        found.append(_wrap(inverse.reshape(t.shape)))
    if return_counts:
        at = _torch.cat([first.nonzero().reshape(-1), _torch.tensor([s.numel()])])
        found.append(_wrap(at.diff()))
    return found[0] if len(found) == 1 else tuple(found)


def intersect1d(ar1, ar2, assume_unique=False, return_indices=False):
    try:
        a, b = _common(ar1, ar2)
    except _NotNumbers:
        if return_indices:
            raise
        from numpy._items import isin as of_items

        a = unique(ar1)
        return a[of_items(a, ar2, False)]
    a, b = a.reshape(-1), b.reshape(-1)
    at_a, at_b = _torch.arange(a.numel()), _torch.arange(b.numel())
    if not assume_unique:
        (a, at_a), (b, at_b) = [(u._t, i._t) for u, i in (unique(_wrap(a), True), unique(_wrap(b), True))]
    # What stands beside its like in the order of both is in both.
    both = _torch.cat([a, b]).sort(stable=True)
    twice = both.values[1:] == both.values[:-1]
    values = _wrap(both.values[:-1][twice])
    if not return_indices:
        return values
    return values, _wrap(at_a[both.indices[:-1][twice]]), _wrap(at_b[both.indices[1:][twice] - a.numel()])
