"""Views with strides of one's own."""

import torch
from _refused import refused

from numpy._array import _as_tensor, _wrap
from numpy._shapes import broadcast_arrays, broadcast_shapes, broadcast_to


def as_strided(x, shape=None, strides=None, subok=False, writeable=True):
    if not writeable:
        raise refused("numpy.lib.stride_tricks.as_strided", "writeable")
    if subok:
        raise refused("numpy.lib.stride_tricks.as_strided", "subok")
    t = _as_tensor(x)
    size = t.element_size()
    shape = list(t.shape) if shape is None else [shape] if isinstance(shape, int) else list(shape)
    if strides is None:
        steps = list(t.stride())
    else:
        strides = [strides] if isinstance(strides, int) else list(strides)
        if any([s % size for s in strides]) or any([s < 0 for s in strides]):
            raise refused("numpy.lib.stride_tricks.as_strided", "strides")
        steps = [s // size for s in strides]
    return _wrap(torch.as_strided(t, shape, steps, t.storage_offset()))


def sliding_window_view(x, window_shape, axis=None, *, subok=False, writeable=False):
    if subok:
        raise refused("numpy.lib.stride_tricks.sliding_window_view", "subok")
    if writeable:
        raise refused("numpy.lib.stride_tricks.sliding_window_view", "writeable")
    t = _as_tensor(x)
    window = (window_shape,) if isinstance(window_shape, int) else tuple(window_shape)
    if any([n < 0 for n in window]):
        raise ValueError("`window_shape` cannot contain negative values")
    if axis is None:
        axes = tuple(torch.arange(t.dim()).tolist())
        if len(window) != len(axes):
            raise ValueError(
                "Since axis is None, must provide window_shape for all dimensions of `x`; got "
                f"{len(window)} window_shape elements and `x.ndim` is {t.dim()}."
            )
    else:
        axes = tuple([a % t.dim() for a in ((axis,) if isinstance(axis, int) else axis)])
        if len(window) != len(axes):
            raise ValueError(
                f"Must provide matching length window_shape and axis; got {len(window)} window_shape elements and "
                f"{len(axes)} axes elements."
            )
    for d, n in zip(axes, window):
        if t.shape[d] < n:
            raise ValueError("window shape cannot be larger than input array shape")
        t = t.unfold(d, n, 1)
    return _wrap(t)
