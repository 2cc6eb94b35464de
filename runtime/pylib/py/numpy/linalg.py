"""Linear algebra."""

import torch
from torch import _C

from numpy._array import _as_tensor, _given, matmul, result
from numpy._ops import _floats

LinAlgError = torch.linalg.LinAlgError


def norm(x, ord=None, axis=None, keepdims=False):
    t = _floats(_as_tensor(x))
    if isinstance(axis, list):
        axis = tuple(axis)
    if ord is None:
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
    return result(sign), result(size)


def solve(a, b):
    return result(torch.linalg.solve(_floats(_as_tensor(a)), _floats(_as_tensor(b))))


def matrix_power(a, n):
    return result(torch.linalg.matrix_power(_as_tensor(a), n))


def multi_dot(arrays, *, out=None):
    product = arrays[0]
    for a in arrays[1:]:
        product = matmul(product, a)
    return _given(_as_tensor(product), out)


def __getattr__(name):
    return _C._missing_name("numpy.linalg", name)
