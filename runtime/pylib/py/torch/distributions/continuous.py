"""Exponential, Laplace, Gamma, Beta, Dirichlet, MultivariateNormal; Independent and OneHotCategorical."""

import math

import torch
from torch.distributions.categorical import Categorical
from torch.distributions.distribution import Distribution, _check, _need_tensor
from torch.distributions.normal import _broadcast
from torch.nn import functional as F


def _refuse_gradient(name, concentration):
    if torch.is_grad_enabled() and concentration.requires_grad:
        raise NotImplementedError(
            f"torch.distributions.{name}: the gradient of a sample with respect to the concentration "
            "is not implemented in janus-jit yet"
        )


def _tensor(value):
    if isinstance(value, torch.Tensor):
        return value
    return torch.as_tensor(value, dtype=torch.get_default_dtype())


def _shown(name, *parameters):
    texts = [f"{key}: {value if value.numel() == 1 else value.size()}" for key, value in parameters]
    return f"{name}({', '.join(texts)})"


def _positive(owner, name, value):
    if owner._validate_args:
        _check(name, value, owner, "GreaterThan(lower_bound=0.0)", value > 0)


class Exponential(Distribution):
    has_rsample = True

    def __init__(self, rate, validate_args=None):
        self.rate = _tensor(rate)
        super().__init__(self.rate.size(), (), validate_args)
        _positive(self, "rate", self.rate)

    def __repr__(self):
        return _shown("Exponential", ("rate", self.rate))

    @property
    def mean(self):
        return self.rate.reciprocal()

    @property
    def mode(self):
        return torch.zeros_like(self.rate)

    @property
    def stddev(self):
        return self.rate.reciprocal()

    @property
    def variance(self):
        return self.rate.pow(-2)

    def rsample(self, sample_shape=()):
        shape = self._extended_shape(sample_shape)
        return torch.empty(shape, dtype=self.rate.dtype).exponential_() / self.rate

    def _check_not_negative(self, value):
        if self._validate_args:
            _need_tensor(value)
            self._check_sample(value, "GreaterThanEq(lower_bound=0.0)", value >= 0)

    def log_prob(self, value):
        self._check_not_negative(value)
        return self.rate.log() - self.rate * value

    def cdf(self, value):
        self._check_not_negative(value)
        return 1 - torch.exp(-self.rate * value)

    def icdf(self, value):
        return -torch.log1p(-value) / self.rate

    def entropy(self):
        return 1.0 - torch.log(self.rate)


class Laplace(Distribution):
    has_rsample = True

    def __init__(self, loc, scale, validate_args=None):
        self.loc, self.scale = _broadcast(loc, scale)
        super().__init__(self.loc.size(), (), validate_args)
        if self._validate_args:
            _check("loc", self.loc, self, "Real()", self.loc == self.loc)
        _positive(self, "scale", self.scale)

    def __repr__(self):
        return _shown("Laplace", ("loc", self.loc), ("scale", self.scale))

    @property
    def mean(self):
        return self.loc

    @property
    def mode(self):
        return self.loc

    @property
    def variance(self):
        return 2 * self.scale.pow(2)

    @property
    def stddev(self):
        return (2**0.5) * self.scale

    def rsample(self, sample_shape=()):
        shape = self._extended_shape(sample_shape)
        eps = torch.finfo(self.loc.dtype).eps
        u = torch.empty(shape, dtype=self.loc.dtype).uniform_(eps - 1, 1)
        return self.loc - self.scale * u.sign() * torch.log1p(-u.abs())

    def log_prob(self, value):
        if self._validate_args:
            _need_tensor(value)
            self._check_sample(value, "Real()", value == value)
        return -torch.log(2 * self.scale) - torch.abs(value - self.loc) / self.scale

    def cdf(self, value):
        d = value - self.loc
        return 0.5 - 0.5 * d.sign() * torch.expm1(-d.abs() / self.scale)

    def icdf(self, value):
        term = value - 0.5
        return self.loc - self.scale * term.sign() * torch.log1p(-2 * term.abs())

    def entropy(self):
        return 1 + torch.log(2 * self.scale)


class Gamma(Distribution):
    has_rsample = True

    def __init__(self, concentration, rate, validate_args=None):
        self.concentration, self.rate = _broadcast(concentration, rate)
        super().__init__(self.concentration.size(), (), validate_args)
        _positive(self, "concentration", self.concentration)
        _positive(self, "rate", self.rate)

    def __repr__(self):
        return _shown("Gamma", ("concentration", self.concentration), ("rate", self.rate))

    @property
    def mean(self):
        return self.concentration / self.rate

    @property
    def mode(self):
        return ((self.concentration - 1) / self.rate).clamp(min=0)

    @property
    def variance(self):
        return self.concentration / self.rate.pow(2)

    def rsample(self, sample_shape=()):
        _refuse_gradient("Gamma", self.concentration)
        shape = self._extended_shape(sample_shape)
        value = torch._standard_gamma(self.concentration.expand(shape)) / self.rate.expand(shape)
        value.detach().clamp_(min=torch.finfo(value.dtype).tiny)
        return value

    def log_prob(self, value):
        value = torch.as_tensor(value, dtype=self.rate.dtype)
        if self._validate_args:
            self._check_sample(value, "GreaterThanEq(lower_bound=0.0)", value >= 0)
        return (
            torch.xlogy(self.concentration, self.rate)
            + torch.xlogy(self.concentration - 1, value)
            - self.rate * value
            - torch.lgamma(self.concentration)
        )

    def entropy(self):
        return (
            self.concentration
            - torch.log(self.rate)
            + torch.lgamma(self.concentration)
            + (1.0 - self.concentration) * torch.digamma(self.concentration)
        )


class Dirichlet(Distribution):
    has_rsample = True

    def __init__(self, concentration, validate_args=None):
        if concentration.dim() < 1:
            raise ValueError("`concentration` parameter must be at least one-dimensional.")
        self.concentration = concentration
        super().__init__(concentration.shape[:-1], concentration.shape[-1:], validate_args)
        if self._validate_args:
            constraint = "IndependentConstraint(GreaterThan(lower_bound=0.0), 1)"
            _check("concentration", concentration, self, constraint, concentration > 0)

    def __repr__(self):
        return _shown("Dirichlet", ("concentration", self.concentration))

    @property
    def mean(self):
        return self.concentration / self.concentration.sum(-1, True)

    @property
    def variance(self):
        total = self.concentration.sum(-1, True)
        return self.concentration * (total - self.concentration) / (total.pow(2) * (total + 1))

    def rsample(self, sample_shape=()):
        _refuse_gradient("Dirichlet", self.concentration)
        shape = self._extended_shape(sample_shape)
        return torch._sample_dirichlet(self.concentration.expand(shape))

    def log_prob(self, value):
        if self._validate_args:
            _need_tensor(value)
            ok = (value >= 0).all(-1) & ((value.sum(-1) - 1).abs() < 1e-6)
            self._check_sample(value, "Simplex()", ok)
        return (
            torch.xlogy(self.concentration - 1.0, value).sum(-1)
            + torch.lgamma(self.concentration.sum(-1))
            - torch.lgamma(self.concentration).sum(-1)
        )

    def entropy(self):
        k = self.concentration.size(-1)
        total = self.concentration.sum(-1)
        return (
            torch.lgamma(self.concentration).sum(-1)
            - torch.lgamma(total)
            - (k - total) * torch.digamma(total)
            - ((self.concentration - 1.0) * torch.digamma(self.concentration)).sum(-1)
        )


class Beta(Distribution):
    has_rsample = True

    def __init__(self, concentration1, concentration0, validate_args=None):
        concentration1, concentration0 = _broadcast(concentration1, concentration0)
        self._dirichlet = Dirichlet(torch.stack([concentration1, concentration0], -1), validate_args)
        super().__init__(self._dirichlet._batch_shape, (), validate_args)

    def __repr__(self):
        return "Beta()"

    @property
    def concentration1(self):
        return self._dirichlet.concentration[..., 0]

    @property
    def concentration0(self):
        return self._dirichlet.concentration[..., 1]

    @property
    def mean(self):
        return self.concentration1 / (self.concentration1 + self.concentration0)

    @property
    def variance(self):
        total = self.concentration1 + self.concentration0
        return self.concentration1 * self.concentration0 / (total.pow(2) * (total + 1))

    def rsample(self, sample_shape=()):
        return self._dirichlet.rsample(sample_shape).select(-1, 0)

    def log_prob(self, value):
        if self._validate_args:
            _need_tensor(value)
            ok = (value >= 0) & (value <= 1)
            self._check_sample(value, "Interval(lower_bound=0.0, upper_bound=1.0)", ok)
        value = _tensor(value)
        return self._dirichlet.log_prob(torch.stack([value, 1.0 - value], -1))

    def entropy(self):
        return self._dirichlet.entropy()


class OneHotCategorical(Distribution):
    def __init__(self, probs=None, logits=None, validate_args=None):
        self._categorical = Categorical(probs, logits, validate_args)
        super().__init__(self._categorical.batch_shape, self._categorical._param.size()[-1:], validate_args)

    def __repr__(self):
        return "OneHotCategorical()"

    @property
    def probs(self):
        return self._categorical.probs

    @property
    def logits(self):
        return self._categorical.logits

    @property
    def mean(self):
        return self._categorical.probs

    @property
    def mode(self):
        probs = self.probs
        return F.one_hot(probs.argmax(dim=-1), probs.shape[-1]).to(probs.dtype)

    @property
    def variance(self):
        return self.probs * (1 - self.probs)

    def sample(self, sample_shape=()):
        indices = self._categorical.sample(torch.Size(sample_shape))
        return F.one_hot(indices, self._categorical._num_events).to(self.probs.dtype)

    def log_prob(self, value):
        if self._validate_args:
            _need_tensor(value)
            ok = ((value == 0) | (value == 1)).all(-1) & (value.sum(-1) == 1)
            self._check_sample(value, "OneHot()", ok)
        return self._categorical.log_prob(value.max(-1)[1])

    def entropy(self):
        return self._categorical.entropy()


class Independent(Distribution):
    def __init__(self, base_distribution, reinterpreted_batch_ndims, validate_args=None):
        n = reinterpreted_batch_ndims
        batch = base_distribution.batch_shape
        if n > len(batch):
            raise ValueError(
                "Expected reinterpreted_batch_ndims <= len(base_distribution.batch_shape), "
                f"actual {n} vs {len(batch)}"
            )
        cut = len(batch) - n
        event = tuple(batch)[cut:] + tuple(base_distribution.event_shape)
        super().__init__(tuple(batch)[:cut], event, validate_args)
        self.base_dist = base_distribution
        self.reinterpreted_batch_ndims = n

    def __repr__(self):
        return f"Independent({self.base_dist}, {self.reinterpreted_batch_ndims})"

    @property
    def has_rsample(self):
        return self.base_dist.has_rsample

    @property
    def mean(self):
        return self.base_dist.mean

    @property
    def mode(self):
        return self.base_dist.mode

    @property
    def variance(self):
        return self.base_dist.variance

    def sample(self, sample_shape=()):
        return self.base_dist.sample(sample_shape)

    def rsample(self, sample_shape=()):
        return self.base_dist.rsample(sample_shape)

    def _summed(self, values):
        n = self.reinterpreted_batch_ndims
        if n == 0:
            return values
        return values.sum(tuple([-i for i in range(1, n + 1)]))

    def log_prob(self, value):
        return self._summed(self.base_dist.log_prob(value))

    def entropy(self):
        return self._summed(self.base_dist.entropy())


def _cholesky(a):
    """The lower factor, column by column."""
    n = a.shape[-1]
    rows = [[None] * n for _ in range(n)]
    for j in range(n):
        for i in range(j, n):
            s = a[..., i, j]
            for k in range(j):
                s = s - rows[i][k] * rows[j][k]
            rows[i][j] = torch.sqrt(s) if i == j else s / rows[j][j]
    zero = torch.zeros_like(a[..., 0, 0])
    return torch.stack([torch.stack([zero if v is None else v for v in row], -1) for row in rows], -2)


class MultivariateNormal(Distribution):
    has_rsample = True

    def __init__(self, loc, covariance_matrix=None, precision_matrix=None, scale_tril=None, validate_args=None):
        if loc.dim() < 1:
            raise ValueError("loc must be at least one-dimensional.")
        given = [m for m in (covariance_matrix, precision_matrix, scale_tril) if m is not None]
        if len(given) != 1:
            raise ValueError(
                "Exactly one of covariance_matrix or precision_matrix or scale_tril may be specified."
            )
        matrix = given[0]
        if matrix.dim() < 2:
            raise ValueError(
                "covariance_matrix must be at least two-dimensional, with optional leading batch dimensions"
            )
        batch = torch.broadcast_shapes(matrix.shape[:-2], loc.shape[:-1])
        self.loc = loc.expand(tuple(batch) + (-1,))
        super().__init__(batch, self.loc.shape[-1:], validate_args)
        if scale_tril is not None:
            factor = scale_tril
        elif covariance_matrix is not None:
            factor = _cholesky(covariance_matrix)
        else:
            factor = _cholesky(torch.linalg.inv(precision_matrix))
        self._factor = factor.expand(tuple(batch) + (-1, -1))
        name = "scale_tril"
        if covariance_matrix is not None:
            name = "covariance_matrix"
        elif precision_matrix is not None:
            name = "precision_matrix"
        self.__dict__[name] = matrix.expand(tuple(batch) + (-1, -1))

    def __getattr__(self, name):
        # The other forms of the matrix are computed when they are first used.
        if name == "scale_tril":
            self.scale_tril = self._factor
        elif name == "covariance_matrix":
            self.covariance_matrix = self._factor @ self._factor.mT
        elif name == "precision_matrix":
            self.precision_matrix = torch.linalg.inv(self._factor @ self._factor.mT)
        else:
            raise AttributeError(f"'MultivariateNormal' object has no attribute '{name}'")
        return self.__dict__[name]

    def __repr__(self):
        names = ("loc", "covariance_matrix", "precision_matrix", "scale_tril")
        texts = [f"{name}: {self.__dict__[name].size()}" for name in names if name in self.__dict__]
        return f"MultivariateNormal({', '.join(texts)})"

    @property
    def mean(self):
        return self.loc

    @property
    def mode(self):
        return self.loc

    @property
    def variance(self):
        return self._factor.pow(2).sum(-1)

    def rsample(self, sample_shape=()):
        shape = self._extended_shape(sample_shape)
        eps = torch.empty(shape, dtype=self.loc.dtype).normal_()
        return self.loc + (self._factor @ eps.unsqueeze(-1)).squeeze(-1)

    def _half_log_det(self):
        return self._factor.diagonal(dim1=-2, dim2=-1).log().sum(-1)

    def log_prob(self, value):
        if self._validate_args:
            _need_tensor(value)
            self._check_sample(value, "IndependentConstraint(Real(), 1)", (value == value).all(-1))
        d = (value - self.loc).unsqueeze(-1)
        factor = self._factor.expand(tuple(d.shape[:-2]) + (-1, -1))
        m = torch.linalg.solve(factor, d).squeeze(-1).pow(2).sum(-1)
        return -0.5 * (self._event_shape[0] * math.log(2 * math.pi) + m) - self._half_log_det()

    def entropy(self):
        return 0.5 * self._event_shape[0] * (1.0 + math.log(2 * math.pi)) + self._half_log_det()
