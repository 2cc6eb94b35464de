"""LowRankMultivariateNormal: the covariance is a product of a thin matrix with itself, and a diagonal."""

import math

import torch
from torch.distributions import constraints
from torch.distributions.distribution import Distribution
from torch.distributions.multivariate_normal import _batch_mahalanobis, _batch_mv, _log_diagonal
from torch.distributions.utils import _standard_normal, lazy_property


def _with_ones(matrix):
    return matrix + torch.eye(matrix.shape[-1], dtype=matrix.dtype, device=matrix.device)


class LowRankMultivariateNormal(Distribution):
    arg_constraints = {
        "loc": constraints.real_vector, "cov_factor": constraints.independent(constraints.real, 2),
        "cov_diag": constraints.independent(constraints.positive, 1),
    }
    support = constraints.real_vector
    has_rsample = True
    _unbatched = ("_unbroadcasted_cov_factor", "_unbroadcasted_cov_diag", "_capacitance_tril")

    def __init__(self, loc, cov_factor, cov_diag, validate_args=None):
        if loc.dim() < 1:
            raise ValueError("loc must be at least one-dimensional.")
        event = loc.shape[-1:]
        if cov_factor.dim() < 2:
            raise ValueError("cov_factor must be at least two-dimensional, with optional leading batch dimensions")
        if cov_factor.shape[-2:-1] != event:
            raise ValueError(f"cov_factor must be a batch of matrices with shape {event[0]} x m")
        if cov_diag.shape[-1:] != event:
            raise ValueError(f"cov_diag must be a batch of vectors with shape {event}")
        try:
            batch = torch.broadcast_shapes(loc.shape[:-1], cov_factor.shape[:-2], cov_diag.shape[:-1])
        except RuntimeError as e:
            raise ValueError(
                f"Incompatible batch shapes: loc {loc.shape}, cov_factor {cov_factor.shape}, cov_diag {cov_diag.shape}"
            ) from e
        self.loc = loc.expand(batch + event)
        self.cov_factor = cov_factor.expand(batch + cov_factor.shape[-2:])
        self.cov_diag = cov_diag.expand(batch + event)
        self._unbroadcasted_cov_factor, self._unbroadcasted_cov_diag = cov_factor, cov_diag
        self._capacitance_tril = torch.linalg.cholesky(_with_ones(torch.matmul(self._scaled(), cov_factor)))
        super().__init__(batch, event, validate_args)

    def _scaled(self):
        """The thin matrix, transposed, over the diagonal."""
        return self._unbroadcasted_cov_factor.mT / self._unbroadcasted_cov_diag.unsqueeze(-2)

    def _log_det(self):
        return 2 * _log_diagonal(self._capacitance_tril) + self._unbroadcasted_cov_diag.log().sum(-1)

    def _distance(self, x):
        # Woodbury's identity: only a matrix of the thin side is inverted.
        across = _batch_mahalanobis(self._capacitance_tril, _batch_mv(self._scaled(), x))
        return (x.pow(2) / self._unbroadcasted_cov_diag).sum(-1) - across

    def _whole(self, matrix):
        return matrix.expand(self._batch_shape + self._event_shape + self._event_shape)

    @property
    def mean(self):
        return self.loc

    @property
    def mode(self):
        return self.loc

    @lazy_property
    def variance(self):
        variance = self._unbroadcasted_cov_factor.pow(2).sum(-1) + self._unbroadcasted_cov_diag
        return variance.expand(self._batch_shape + self._event_shape)

    @lazy_property
    def scale_tril(self):
        root = self._unbroadcasted_cov_diag.sqrt().unsqueeze(-1)
        thin = self._unbroadcasted_cov_factor / root
        return self._whole(root * torch.linalg.cholesky(_with_ones(torch.matmul(thin, thin.mT))))

    @lazy_property
    def covariance_matrix(self):
        thin = self._unbroadcasted_cov_factor
        return self._whole(torch.matmul(thin, thin.mT) + torch.diag_embed(self._unbroadcasted_cov_diag))

    @lazy_property
    def precision_matrix(self):
        a = torch.linalg.solve_triangular(self._capacitance_tril, self._scaled(), upper=False)
        return self._whole(torch.diag_embed(self._unbroadcasted_cov_diag.reciprocal()) - a.mT @ a)

    def rsample(self, sample_shape=()):
        shape = self._extended_shape(sample_shape)
        thin = _standard_normal(shape[:-1] + self.cov_factor.shape[-1:], self.loc.dtype, self.loc.device)
        own = _standard_normal(shape, self.loc.dtype, self.loc.device)
        return self.loc + _batch_mv(self._unbroadcasted_cov_factor, thin) + self._unbroadcasted_cov_diag.sqrt() * own

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        distance = self._distance(value - self.loc)
        return -0.5 * (self._event_shape[0] * math.log(2 * math.pi) + self._log_det() + distance)

    def entropy(self):
        entropy = 0.5 * (self._event_shape[0] * (1.0 + math.log(2 * math.pi)) + self._log_det())
        return entropy.expand(self._batch_shape) if self._batch_shape else entropy
