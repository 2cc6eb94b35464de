"""Differences of neighbours, and slopes by them."""

import torch as _torch

from numpy._array import _as_tensor, _wrap, array as _array, asarray as _asarray, binary as _binary
from numpy._ops import _floats, normalized as _normalized
from numpy._shapes import broadcast_to as _broadcast_to, concatenate as _concatenate

_NOT_GIVEN = object()


def _beside(end, a, d):
    """What stands before or behind an array, of extent 1 where it is a number."""
    end = _asarray(end)
    return _broadcast_to(end, [1 if k == d else n for k, n in enumerate(a.shape)]) if end.ndim == 0 else end


def diff(a, n=1, axis=-1, prepend=_NOT_GIVEN, append=_NOT_GIVEN):
    if n == 0:
        return a
    if n < 0:
        raise ValueError(f"order must be non-negative but got {n!r}")
    a = _asarray(a)
    if a.ndim == 0:
        raise ValueError("diff requires input that is at least one dimensional")
    d = _normalized(axis, a.ndim)
    parts = [] if prepend is _NOT_GIVEN else [_beside(prepend, a, d)]
    parts.append(a)
    if append is not _NOT_GIVEN:
        parts.append(_beside(append, a, d))
    if len(parts) > 1:
        a = _concatenate(parts, d)
    for _ in range(n):
        last = max(a.shape[d] - 1, 0)
        name = "not_equal" if a._t.dtype is _torch.bool else "subtract"
        first = min(1, a.shape[d])
        a = _binary(name, a._like(a._t.narrow(d, first, last)), a._like(a._t.narrow(d, 0, last)))
    return a


def ediff1d(ary, to_end=None, to_begin=None):
    ary = _asarray(ary).ravel()
    found = diff(ary)
    ends = []
    for end, name in ((to_begin, "to_begin"), (to_end, "to_end")):
        if end is None:
            ends.append([])
            continue
        end = _asarray(end).ravel()
        if end.dtype != ary.dtype and not _torch.can_cast(end._t.dtype, ary._t.dtype):
            raise TypeError(f"dtype of `{name}` must be compatible with input `ary` under the `same_kind` rule.")
        ends.append([end.astype(ary.dtype)])
    return _concatenate([*ends[0], found, *ends[1]]) if ends[0] or ends[1] else found


def gradient(f, *varargs, axis=None, edge_order=1):
    f = _asarray(f)
    t = _floats(_as_tensor(f))
    axes = range(t.dim()) if axis is None else axis if isinstance(axis, (tuple, list)) else (axis,)
    axes = [_normalized(d, t.dim()) for d in axes]
    if len(varargs) == 0:
        steps = [1.0] * len(axes)
    elif len(varargs) == 1 and _asarray(varargs[0]).ndim == 0:
        steps = [float(varargs[0])] * len(axes)
    elif len(varargs) == len(axes):
        steps = [_spacing(v, t.shape[d]) for v, d in zip(varargs, axes)]
    else:
        raise TypeError("invalid number of arguments")
    if edge_order > 2:
        raise ValueError("'edge_order' greater than 2 not supported")
    found = []
    for d, step in zip(axes, steps):
        if t.shape[d] < edge_order + 1:
            raise ValueError(
                "Shape of array too small to calculate a numerical gradient, at least (edge_order + 1) elements are required."
            )
        found.append(_wrap(_slope(t, d, step, edge_order)))
    return found[0] if len(found) == 1 else tuple(found)


def _spacing(v, n):
    """A step, or a step of each pair of neighbours."""
    v = _asarray(v)
    if v.ndim == 0:
        return float(v)
    if v.ndim != 1:
        raise ValueError("distances must be either scalars or 1d")
    if v.shape[0] != n:
        raise ValueError("when 1d, distances must match the length of the corresponding dimension")
    steps = _floats(_as_tensor(v)).diff()
    return steps[0].item() if bool((steps == steps[0]).all()) else steps


def _slope(t, d, step, edge_order):
    n = t.shape[d]
    at = lambda k, count=1: t.narrow(d, k if k >= 0 else n + k, count)
    even = isinstance(step, float)
    if even:
        inner = (at(2, n - 2) - at(0, n - 2)) / (2.0 * step)
        ends = (step, step, step, step)
    else:
        shape = [-1 if k == d else 1 for k in range(t.dim())]
        before, after = step[:-1].reshape(shape), step[1:].reshape(shape)
        total = before + after
        inner = (
            -after / (before * total) * at(0, n - 2) + (after - before) / (before * after) * at(1, n - 2)
            + before / (after * total) * at(2, n - 2)
        )
        ends = (step[0], step[1] if n > 2 else None, step[-2] if n > 2 else None, step[-1])
    if edge_order == 1:
        first, last = (at(1) - at(0)) / ends[0], (at(-1) - at(-2)) / ends[3]
    elif even:
        first = (-1.5 * at(0) + 2.0 * at(1) - 0.5 * at(2)) / step
        last = (0.5 * at(-3) - 2.0 * at(-2) + 1.5 * at(-1)) / step
    else:
        h, k = ends[0], ends[1]
        first = -(2 * h + k) / (h * (h + k)) * at(0) + (h + k) / (h * k) * at(1) - h / (k * (h + k)) * at(2)
        h, k = ends[2], ends[3]
        last = k / (h * (h + k)) * at(-3) - (k + h) / (h * k) * at(-2) + (2 * k + h) / (k * (h + k)) * at(-1)
    return _torch.cat([first, inner, last], d)
