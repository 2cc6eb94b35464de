"""Linear algebra."""

import functools
from collections import namedtuple

import torch
from torch import _C

from numpy._array import _as_tensor, _given, _wrap, dot, matmul, result
from numpy._dtypes import finfo, int32, of_torch
from numpy._functions import outer as _outer_of_any, tensordot
from numpy._ops import _floats
from numpy._shapes import diagonal as _diagonal, trace as _trace

SlogdetResult = namedtuple("SlogdetResult", ["sign", "logabsdet"])
QRResult = namedtuple("QRResult", ["Q", "R"])
SVDResult = namedtuple("SVDResult", ["U", "S", "Vh"])
EigResult = namedtuple("EigResult", ["eigenvalues", "eigenvectors"])
EighResult = namedtuple("EighResult", ["eigenvalues", "eigenvectors"])
_Failed = torch.linalg.LinAlgError


class LinAlgError(ValueError):
    """What is asked of a matrix cannot be computed."""


def _as_numpy_says(text):
    """Of a function: where PyTorch's cannot do it, what NumPy says of that."""

    def decorate(function):
        @functools.wraps(function)
        def wrapped(*args, **kwargs):
            try:
                return function(*args, **kwargs)
            except _Failed:
                raise LinAlgError(text) from None

        return wrapped

    return decorate


def _matrices(a, square=False):
    """The tensor of matrices, of floats."""
    t = _floats(_as_tensor(a))
    if t.dim() < 2:
        raise LinAlgError(f"{t.dim()}-dimensional array given. Array must be at least two-dimensional")
    if square and t.shape[-1] != t.shape[-2]:
        raise LinAlgError("Last 2 dimensions of the array must be square")
    if t.dtype is torch.float16:
        raise TypeError("array type float16 is unsupported in linalg")
    return t


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


def vector_norm(x, /, *, axis=None, keepdims=False, ord=2):
    return result(torch.linalg.vector_norm(_floats(_as_tensor(x)), ord, axis, keepdims))


def matrix_norm(x, /, *, keepdims=False, ord="fro"):
    return result(torch.linalg.matrix_norm(_matrices(x), ord, (-2, -1), keepdims))


def _of_matrix(name):
    def function(a):
        return result(getattr(torch.linalg, name)(_matrices(a, square=True)))

    return function


inv = _as_numpy_says("Singular matrix")(_of_matrix("inv"))
det = _of_matrix("det")


@_as_numpy_says("Matrix is not positive definite")
def cholesky(a, /, *, upper=False):
    return _wrap(torch.linalg.cholesky(_matrices(a, square=True), upper=upper))


def slogdet(a):
    sign, size = torch.linalg.slogdet(_matrices(a, square=True))
    return SlogdetResult(result(sign), result(size))


@_as_numpy_says("Singular matrix")
def solve(a, b):
    a, b = _floats(_as_tensor(a)), _floats(_as_tensor(b))
    # Only what has one dimension is a vector; all else are matrices.
    if b.dim() > 1 and b.dim() != a.dim():
        b = b.expand(*a.shape[: a.dim() - b.dim()], *b.shape) if b.dim() < a.dim() else b
    return result(torch.linalg.solve(a, b))


@_as_numpy_says("Singular matrix")
def tensorsolve(a, b, axes=None):
    return _wrap(torch.linalg.tensorsolve(_floats(_as_tensor(a)), _floats(_as_tensor(b)), axes))


@_as_numpy_says("Singular matrix")
def tensorinv(a, ind=2):
    return _wrap(torch.linalg.tensorinv(_floats(_as_tensor(a)), ind))


def matrix_power(a, n):
    return result(torch.linalg.matrix_power(_as_tensor(a), n))


def multi_dot(arrays, *, out=None):
    if len(arrays) < 2:
        raise ValueError("Expecting at least two arrays.")
    product = arrays[0]
    for a in arrays[1:]:
        product = dot(product, a)
    return _given(_as_tensor(product), out)


# Factors


def qr(a, mode="reduced"):
    if mode not in ("reduced", "complete", "r", "raw"):
        raise ValueError(f"Unrecognized mode '{mode}'")
    t = _matrices(a)
    if mode == "raw":
        packed, tau = torch.geqrf(t)
        return _wrap(packed.transpose(-2, -1)), _wrap(tau)
    q, r = torch.linalg.qr(t, mode)
    return _wrap(r) if mode == "r" else QRResult(_wrap(q), _wrap(r))


def _is_small(t):
    """Whether the signs of LAPACK's vectors are known."""
    return not t.dtype.is_complex and bool(torch.isfinite(t).all())


def _svd(t, full):
    if not _is_small(t):
        return torch.linalg.svd(t, full_matrices=full)
    return [x.to(t.dtype) for x in _C._svd(t.to(torch.float64), bool(full), True)]


def _eigh(t, side="L"):
    if not _is_small(t):
        return torch.linalg.eigh(t, UPLO=side)
    t64 = t.to(torch.float64)
    return [x.to(t.dtype) for x in _C._eigh(t64 if side == "L" else t64.transpose(-2, -1).contiguous(), True)]


@_as_numpy_says("SVD did not converge")
def svd(a, full_matrices=True, compute_uv=True, hermitian=False):
    t = _matrices(a, square=hermitian)
    if not compute_uv:
        if hermitian:
            return _wrap(torch.linalg.eigvalsh(t).abs().sort(descending=True).values)
        return _wrap(torch.linalg.svdvals(t))
    if hermitian:
        return _svd_of_hermitian(t)
    u, s, vh = _svd(t, full_matrices)
    return SVDResult(_wrap(u), _wrap(s), _wrap(vh))


def _svd_of_hermitian(t):
    """From the eigenvalues: the larger first, whatever their signs, which go to the right side."""
    values, u = _eigh(t)
    sizes, order = values.abs().sort(descending=True)
    at = order.unsqueeze(-2).expand(u.shape)
    u = u.gather(-1, at)
    vh = (u * values.gather(-1, order).sign().unsqueeze(-2).to(u.dtype)).transpose(-2, -1).conj()
    return SVDResult(_wrap(u), _wrap(sizes), _wrap(vh.resolve_conj()))


def svdvals(x, /):
    return svd(x, compute_uv=False)


def _real_if_possible(t):
    """Eigenvalues and their vectors are real numbers in NumPy where none has an imaginary part."""
    return t.real.clone() if t.dtype.is_complex else t


def eig(a):
    t = _finite(_matrices(a, square=True))
    values, vectors = torch.linalg.eig(t)
    if not t.dtype.is_complex and bool((values.imag == 0).all()):
        values, vectors = _real_if_possible(values), _real_if_possible(vectors)
    return EigResult(_wrap(values), _wrap(vectors))


def eigvals(a):
    t = _finite(_matrices(a, square=True))
    values = torch.linalg.eigvals(t)
    if not t.dtype.is_complex and bool((values.imag == 0).all()):
        values = _real_if_possible(values)
    return _wrap(values)


def _finite(t):
    if not bool(torch.isfinite(t).all()):
        raise LinAlgError("Array must not contain infs or NaNs")
    return t


def _side(UPLO):
    side = UPLO.upper()
    if side not in ("L", "U"):
        raise ValueError("UPLO argument must be 'L' or 'U'")
    return side


@_as_numpy_says("Eigenvalues did not converge")
def eigh(a, UPLO="L"):
    side = _side(UPLO)
    values, vectors = _eigh(_matrices(a, square=True), side)
    return EighResult(_wrap(values), _wrap(vectors))


@_as_numpy_says("Eigenvalues did not converge")
def eigvalsh(a, UPLO="L"):
    side = _side(UPLO)
    return _wrap(torch.linalg.eigvalsh(_matrices(a, square=True), UPLO=side))


# What is made of factors


def _eps(t):
    return float(finfo(of_torch(t.dtype)).eps)


def _values_of(t, hermitian):
    return torch.linalg.eigvalsh(t).abs().sort(descending=True).values if hermitian else torch.linalg.svdvals(t)


def matrix_rank(A, tol=None, hermitian=False, *, rtol=None):
    if tol is not None and rtol is not None:
        raise ValueError("`tol` and `rtol` can't be both set.")
    t = _as_tensor(A)
    if t.dim() < 2:
        return int(bool((t != 0).any()))
    s = _values_of(_matrices(A), hermitian)
    if tol is None:
        share = max(t.shape[-2:]) * _eps(s) if rtol is None else _as_tensor(rtol).unsqueeze(-1)
        tol = s.amax(-1, keepdim=True) * share
    else:
        tol = _as_tensor(tol)
        tol = tol.unsqueeze(-1) if tol.dim() else tol
    return result((s > tol).sum(-1))


def pinv(a, rcond=None, hermitian=False, *, rtol=None):
    if rcond is not None and rtol is not None:
        raise ValueError("`rtol` and `rcond` can't be both set.")
    t = _matrices(a)
    share = rcond if rcond is not None else rtol
    if share is None:
        share = max(t.shape[-2:]) * _eps(t) if rcond is None and rtol is not None else 1e-15
    u, s, vh = [x._t for x in svd(_wrap(t.conj().resolve_conj()), full_matrices=False, hermitian=hermitian)]
    share = _as_tensor(share).to(s.dtype)
    large = s > share.unsqueeze(-1) * s.amax(-1, keepdim=True)
    s = torch.where(large, 1 / torch.where(large, s, torch.ones_like(s)), torch.zeros_like(s))
    return _wrap(vh.transpose(-2, -1) @ (s.unsqueeze(-1).to(u.dtype) * u.transpose(-2, -1)))


def lstsq(a, b, rcond=None):
    t, y = _floats(_as_tensor(a)), _floats(_as_tensor(b))
    if t.dim() != 2:
        raise LinAlgError(f"{t.dim()}-dimensional array given. Array must be two-dimensional")
    single = y.dim() == 1
    if single:
        y = y.unsqueeze(-1)
    if y.dim() != 2 or y.shape[0] != t.shape[0]:
        raise LinAlgError("Incompatible dimensions")
    kind = torch.promote_types(t.dtype, y.dtype)
    t, y = t.to(kind), y.to(kind)
    m, n = t.shape
    u, s, vh = torch.linalg.svd(t, full_matrices=False)
    share = max(m, n) * _eps(t) if rcond is None else rcond
    large = s > share * (s[0] if s.numel() else 0)
    rank = int(large.sum())
    inverse = torch.where(large, 1 / torch.where(large, s, torch.ones_like(s)), torch.zeros_like(s))
    x = vh.mH @ (inverse.unsqueeze(-1).to(kind) * (u.mH @ y))
    rest = torch.empty(0, dtype=s.dtype)
    if rank == n and m > n:
        left = y - t @ x
        rest = (left * left.conj()).real.sum(0) if left.is_complex() else (left * left).sum(0)
    return _wrap(x.squeeze(-1) if single else x), _wrap(rest), int32(rank), _wrap(s)


def cond(x, p=None):
    t = _matrices(x)
    if p is None or p == 2 or p == -2:
        s = torch.linalg.svdvals(t)
        r = s[..., -1] / s[..., 0] if p == -2 else s[..., 0] / s[..., -1]
    else:
        _matrices(x, square=True)
        r = torch.linalg.matrix_norm(t, p) * torch.linalg.matrix_norm(torch.linalg.inv(t), p)
    return result(r)


# Names of the array standard


def outer(x1, x2, /):
    a, b = _as_tensor(x1), _as_tensor(x2)
    if a.dim() != 1 or b.dim() != 1:
        raise ValueError(f"Input arrays must be one-dimensional, but they are x1.ndim={a.dim()} and x2.ndim={b.dim()}.")
    return _outer_of_any(x1, x2)


def cross(x1, x2, /, *, axis=-1):
    from numpy._functions import cross as of_any

    if _as_tensor(x1).shape[axis] != 3 or _as_tensor(x2).shape[axis] != 3:
        raise ValueError(
            "Both input arrays must be (arrays of) 3-dimensional vectors, but they are "
            f"{_as_tensor(x1).shape[axis]} and {_as_tensor(x2).shape[axis]} dimensional instead."
        )
    return of_any(x1, x2, axis=axis)


def diagonal(x, /, *, offset=0):
    return _diagonal(x, offset, -2, -1)


def trace(x, /, *, offset=0, dtype=None):
    return _trace(x, offset, -2, -1, dtype)


def matrix_transpose(x, /):
    t = _as_tensor(x)
    if t.dim() < 2:
        raise ValueError(f"Input array must be at least 2-dimensional, but it is {t.dim()}")
    return _wrap(t.transpose(-2, -1))


def vecdot(x1, x2, /, *, axis=-1):
    from numpy._further import vecdot as of_any

    return of_any(x1, x2, axis=axis)


def __getattr__(name):
    return _C._missing_name("numpy.linalg", name)
