"""Wishart: covariances of samples."""

import math
import warnings

import torch
from torch.distributions import constraints
from torch.distributions.chi2 import Chi2
from torch.distributions.exp_family import ExponentialFamily
from torch.distributions.multivariate_normal import _factor_of, _given_form, _log_diagonal
from torch.distributions.utils import lazy_property


def _mvdigamma(x, p):
    if not x.gt((p - 1) / 2).all():
        raise AssertionError("Wrong domain for multivariate digamma function.")
    return torch.digamma(x.unsqueeze(-1) - torch.arange(p, dtype=x.dtype, device=x.device).div(2)).sum(-1)


class Wishart(ExponentialFamily):
    support = constraints.positive_definite
    has_rsample = True
    _mean_carrier_measure = 0
    _unbatched = ("_unbroadcasted_scale_tril",)

    def __init__(self, df, covariance_matrix=None, precision_matrix=None, scale_tril=None, validate_args=None):
        name, matrix = _given_form(
            AssertionError, scale_tril=scale_tril, covariance_matrix=covariance_matrix, precision_matrix=precision_matrix,
        )
        if matrix.dim() < 2:
            raise ValueError("scale_tril must be at least two-dimensional, with optional leading batch dimensions")
        if isinstance(df, torch.Tensor):
            batch = torch.broadcast_shapes(matrix.shape[:-2], df.shape)
        else:
            batch = matrix.shape[:-2]
            df = torch.tensor(df, dtype=matrix.dtype, device=matrix.device)
        self.df = df.expand(batch)
        event = matrix.shape[-2:]
        n = event[-1]
        if self.df.le(n - 1).any():
            raise ValueError(f"Value of df={df} expected to be greater than ndim - 1 = {n - 1}.")
        setattr(self, name, matrix.expand(batch + (-1, -1)))
        if self.df.lt(n).any():
            warnings.warn(
                "Low df values detected. Singular samples are highly likely to occur for ndim - 1 < df < ndim.",
                stacklevel=2,
            )
        super().__init__(batch, event, validate_args)
        self._unbroadcasted_scale_tril = factor = _factor_of(name, matrix)
        self._dist_chi2 = Chi2(self.df.unsqueeze(-1) - torch.arange(n, dtype=factor.dtype, device=factor.device))

    @property
    def arg_constraints(self):
        return {
            "covariance_matrix": constraints.positive_definite, "precision_matrix": constraints.positive_definite,
            "scale_tril": constraints.lower_cholesky, "df": constraints.greater_than(self._event_shape[-1] - 1),
        }

    @lazy_property
    def scale_tril(self):
        return self._unbroadcasted_scale_tril.expand(self._batch_shape + self._event_shape)

    @lazy_property
    def covariance_matrix(self):
        factor = self._unbroadcasted_scale_tril
        return (factor @ factor.mT).expand(self._batch_shape + self._event_shape)

    @lazy_property
    def precision_matrix(self):
        return torch.cholesky_inverse(self._unbroadcasted_scale_tril).expand(self._batch_shape + self._event_shape)

    @property
    def mean(self):
        return self.df[..., None, None] * self.covariance_matrix

    @property
    def mode(self):
        factor = self.df - self._event_shape[-1] - 1
        factor = torch.where(factor <= 0, float("nan"), factor)
        return factor[..., None, None] * self.covariance_matrix

    @property
    def variance(self):
        covariance = self.covariance_matrix
        diagonal = covariance.diagonal(dim1=-2, dim2=-1)
        outer = diagonal.unsqueeze(-1) * diagonal.unsqueeze(-2)
        return self.df[..., None, None] * (covariance.pow(2) + outer)

    def _bartlett(self, sample_shape):
        """A sample by Bartlett's decomposition."""
        n = self._event_shape[-1]
        roots = self._dist_chi2.rsample(sample_shape).sqrt()
        noise = roots.clamp(min=torch.finfo(roots.dtype).eps).diag_embed(dim1=-2, dim2=-1)
        i, j = torch.tril_indices(n, n, offset=-1)
        shape = tuple(sample_shape) + tuple(self._batch_shape) + (n * (n - 1) // 2,)
        noise[..., i, j] = torch.randn(shape, dtype=noise.dtype, device=noise.device)
        factor = self._unbroadcasted_scale_tril @ noise
        return factor @ factor.mT

    def rsample(self, sample_shape=(), max_try_correction=None):
        """A sample. PyTorch draws anew what was regular the first time, and warns, so that its numbers come from there."""
        sample_shape = torch.Size(sample_shape)
        sample = self._bartlett(sample_shape)
        anew = self._any_of_batch(self.support.check(sample))
        if not anew.any():
            return sample
        warnings.warn("Singular sample detected.", stacklevel=2)
        for _ in range(10 if max_try_correction is None else max_try_correction):
            drawn = self._bartlett(anew[anew].shape)
            sample[anew] = drawn
            anew[anew.clone()] = self._any_of_batch(~self.support.check(drawn))
            if not anew.any():
                break
        return sample

    def _any_of_batch(self, found):
        return found.amax([-(k + 1) for k in range(len(self._batch_shape))]) if self._batch_shape else found

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        nu, p = self.df, self._event_shape[-1]
        factor = self._unbroadcasted_scale_tril
        return (
            -nu * (p * math.log(2) / 2 + _log_diagonal(factor))
            - torch.mvlgamma(nu / 2, p=p)
            + (nu - p - 1) / 2 * torch.linalg.slogdet(value).logabsdet
            - torch.cholesky_solve(value, factor).diagonal(dim1=-2, dim2=-1).sum(dim=-1) / 2
        )

    def entropy(self):
        nu, p = self.df, self._event_shape[-1]
        return (
            (p + 1) * (p * math.log(2) / 2 + _log_diagonal(self._unbroadcasted_scale_tril))
            + torch.mvlgamma(nu / 2, p=p)
            - (nu - p - 1) / 2 * _mvdigamma(nu / 2, p=p)
            + nu * p / 2
        )

    @property
    def _natural_params(self):
        return -self.precision_matrix / 2, (self.df - self._event_shape[-1] - 1) / 2

    def _log_normalizer(self, x, y):
        p = self._event_shape[-1]
        shifted = y + (p + 1) / 2
        return shifted * (-torch.linalg.slogdet(-2 * x).logabsdet + math.log(2) * p) + torch.mvlgamma(shifted, p=p)
