"""Where numbers stand among others that are in order."""

import torch

from numpy import _short
from numpy._array import _as_tensor, asarray, result

__all__ = ["digitize", "interp", "searchsorted"]


def interp(x, xp, fp, left=None, right=None, period=None):
    x, xp, fp = (_as_tensor(v) for v in (x, xp, fp))
    for points in (x, xp):
        if points.is_complex():
            kind = "complex64" if points.dtype == torch.complex64 else "complex128"
            raise TypeError(f"Cannot cast array data from dtype('{kind}') to dtype('float64') according to the rule 'safe'")
    x, xp = x.to(torch.float64), xp.to(torch.float64)
    fp = fp.to(torch.complex128 if fp.is_complex() else torch.float64)
    if xp.shape[0] == 0:
        raise ValueError("array of sample points is empty")
    if xp.shape != fp.shape:
        raise ValueError("fp and xp are not of the same length.")
    if period is not None:
        if period == 0:
            raise ValueError("period must be a non-zero value")
        period, left, right = abs(period), None, None
        x, xp = x % period, xp % period
        xp, order = xp.sort(stable=True)
        fp = fp[order]
        xp, fp = torch.cat([xp[-1:] - period, xp, xp[:1] + period]), torch.cat([fp[-1:], fp, fp[:1]])
    last = xp.shape[0] - 1
    at = (torch.searchsorted(xp, x, right=True) - 1).clamp(0, last)
    after = (at + 1).clamp(0, last)
    slope = (fp[after] - fp[at]) / (xp[after] - xp[at])
    y = slope * (x - xp[at]) + fp[at]
    # Beside an infinity: from the other end, or where both are the same.
    y = torch.where(y.isnan(), slope * (x - xp[after]) + fp[after], y)
    y = torch.where(y.isnan() & (fp[at] == fp[after]), fp[at], y)
    y = torch.where(x.isnan(), x, torch.where((x == xp[at]) | (x >= xp[-1]), fp[at], y))
    y = torch.where(x < xp[0], fp[0] if left is None else torch.tensor(left, dtype=fp.dtype), y)
    if right is not None:
        y = torch.where(x > xp[-1], torch.tensor(right, dtype=fp.dtype), y)
    return result(y)


@_short.of_function
def digitize(x, bins, right=False):
    e, t = _as_tensor(bins), _as_tensor(x)
    if t.is_complex():
        raise TypeError("x may not be complex")
    if e.dim() != 1:
        few = e.dim() == 0
        raise ValueError("object of too small depth for desired array" if few else "object too deep for desired array")
    e, t = e.to(torch.float64), t.to(torch.float64)
    steps = e[1:] - e[:-1]
    if (steps >= 0).all():
        return result(torch.searchsorted(e, t, right=not right))
    if not (steps <= 0).all():
        raise ValueError("bins must be monotonically increasing or decreasing")
    return result(e.numel() - torch.searchsorted(e.flip(0), t, right=not right))


@_short.of_function
def searchsorted(a, v, side="left", sorter=None):
    return asarray(a).searchsorted(v, side, sorter)
