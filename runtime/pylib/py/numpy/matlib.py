"""numpy.matlib: numpy's names, and `repmat`. Matrices of two dimensions as a class of their own are not there."""

from numpy import *
from numpy import _C, asanyarray


def repmat(a, m, n):
    """An array of two dimensions at most, m times below each other and n times beside."""
    a = asanyarray(a)
    if a.ndim == 0:
        a = a.reshape(1, 1)
    elif a.ndim == 1:
        a = a.reshape(1, -1)
    rows, columns = a.shape
    by_rows = a.reshape(1, a.size).repeat(m, 0).reshape(rows * m, columns)
    return by_rows.reshape(-1, 1, columns).repeat(n, 1).reshape(rows * m, columns * n)


# These make matrices there, where numpy's own make arrays.
del empty, eye, identity, ones, zeros


def __getattr__(name):
    return _C._missing_name("numpy.matlib", name)
