"""Linear algebra."""

from collections import namedtuple

import torch
from torch import _C

from numpy._array import _as_tensor, _given, dot, result
from numpy._ops import _floats

SlogdetResult = namedtuple("SlogdetResult", ["sign", "logabsdet"])
LinAlgError = torch.linalg.LinAlgError


def norm(x, ord=None, axis=None, keepdims=False):
    t = _floats(_as_tensor(x))
    if isinstance(axis, list):
        axis = tuple(axis)
    if ord is None:
        t = t.abs() if t.dtype.is_complex else t
        if axis is None:
            r = (t * t).sum().sqrt()
            return result(r.reshape([1] * t.dim()) if keepdims else r)
        return result((t * t).sum(dim=axis, keepdim=keepdims).sqrt())
    if axis is None and t.dim() == 2 or isinstance(axis, tuple):
        return result(torch.linalg.matrix_norm(t, ord, (-2, -1) if axis is None else axis, keepdims))
    return result(torch.linalg.vector_norm(t, ord, axis, keepdims))


def _of_matrix(name):
    def function(a):
        return result(getattr(torch.linalg, name)(_floats(_as_tensor(a))))

    return function


inv = _of_matrix("inv")
det = _of_matrix("det")
cholesky = _of_matrix("cholesky")


def slogdet(a):
    sign, size = torch.linalg.slogdet(_floats(_as_tensor(a)))
    return SlogdetResult(result(sign), result(size))


def solve(a, b):
    a, b = _floats(_as_tensor(a)), _floats(_as_tensor(b))
    # Only what has one dimension is a vector; all else are matrices.
    if b.dim() > 1 and b.dim() != a.dim():
        b = b.expand(*a.shape[: a.dim() - b.dim()], *b.shape) if b.dim() < a.dim() else b
    return result(torch.linalg.solve(a, b))


def matrix_power(a, n):
    return result(torch.linalg.matrix_power(_as_tensor(a), n))


def multi_dot(arrays, *, out=None):
    if len(arrays) < 2:
        raise ValueError("Expecting at least two arrays.")
    product = arrays[0]
    for a in arrays[1:]:
        product = dot(product, a)
    return _given(_as_tensor(product), out)


def __getattr__(name):
    return _C._missing_name("numpy.linalg", name)
