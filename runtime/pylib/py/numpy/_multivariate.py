"""Draws of normal distributions of several dimensions: independent ones, and a factor of the covariance."""

import math

import torch

from numpy import _errors
from numpy._array import _as_tensor, _wrap
from numpy._draws import extents


def _checked(mean, cov):
    mean, cov = _as_tensor(mean).to(torch.float64), _as_tensor(cov).to(torch.float64)
    if mean.dim() != 1:
        raise ValueError("mean must be 1 dimensional")
    if cov.dim() != 2 or cov.shape[0] != cov.shape[1]:
        raise ValueError("cov must be 2 dimensional and square")
    if mean.shape[0] != cov.shape[0]:
        raise ValueError("mean and cov must have same length")
    return mean, cov


def _factor(cov, method, check_valid, tol, silent):
    """What standard draws are multiplied by."""
    from numpy import linalg

    if method == "cholesky":
        return torch.linalg.cholesky(cov).t()
    if method == "eigh":
        values, vectors = linalg._eigh(cov)
        again, valid = (vectors * values) @ vectors.t(), not bool((values < -tol).any())
        made = (vectors * values.abs().sqrt()).t()
    else:
        u, values, vh = linalg._svd(cov, True)
        again, valid = (vh.t() * values) @ vh, True
        made = values.sqrt().unsqueeze(1) * vh if silent else (u * values.sqrt()).t()
    if check_valid != "ignore" and not (valid and torch.allclose(again, cov, rtol=tol, atol=tol)):
        if check_valid == "raise":
            raise ValueError("covariance is not symmetric positive-semidefinite.")
        _errors.warn("covariance is not symmetric positive-semidefinite.")
    return made


def multivariate_normal(generator, mean, cov, size, check_valid, tol, method, older=False):
    """`older`: as RandomState draws."""
    if method not in ("svd", "eigh", "cholesky"):
        raise ValueError("method must be one of {'eigh', 'svd', 'cholesky'}")
    mean, cov = _checked(mean, cov)
    if check_valid not in ("warn", "raise", "ignore"):
        raise ValueError("check_valid must equal 'warn', 'raise', or 'ignore'")
    shape = [*([] if size is None else extents(size)), mean.shape[0]]
    x = _as_tensor(generator.standard_normal(tuple(shape))).reshape(-1, mean.shape[0])
    if math.prod(shape) == 0:
        return _wrap(x.reshape(shape))
    return _wrap((mean + x @ _factor(cov, method, check_valid, tol, older)).reshape(shape))
