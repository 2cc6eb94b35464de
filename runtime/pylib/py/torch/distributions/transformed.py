"""TransformedDistribution; LogNormal and Gumbel."""

import math

import torch
from torch.distributions.distribution import Distribution, _need_tensor
from torch.distributions.normal import Normal, Uniform, _broadcast
from torch.distributions.transforms import AffineTransform, ExpTransform, Transform

_EULER = 0.57721566490153286060


def _sum_rightmost(value, n):
    return value if n == 0 else value.reshape(tuple(value.shape)[:-n] + (-1,)).sum(-1)


class TransformedDistribution(Distribution):
    def __init__(self, base_distribution, transforms, validate_args=None):
        if isinstance(transforms, Transform):
            transforms = [transforms]
        elif not isinstance(transforms, list) or not all(isinstance(t, Transform) for t in transforms):
            raise ValueError(f"transforms must be a Transform or list, but was {transforms}")
        self.transforms = list(transforms)
        self.base_dist = base_distribution
        shape = tuple(base_distribution.batch_shape) + tuple(base_distribution.event_shape)
        for transform in self.transforms:
            shape = tuple(transform.forward_shape(shape))
        cut = len(shape) - len(base_distribution.event_shape)
        self._missing = cut - len(base_distribution.batch_shape)
        super().__init__(shape[:cut], shape[cut:], validate_args)
        if shape[:cut] != tuple(base_distribution.batch_shape):
            self._widen(shape[:cut])

    def _widen(self, batch_shape):
        """The base distribution draws one number for each element of the batch."""
        base = self.base_dist
        if isinstance(base, Normal):
            self.base_dist = Normal(base.loc.expand(batch_shape), base.scale.expand(batch_shape), False)
        elif isinstance(base, Uniform):
            self.base_dist = Uniform(base.low.expand(batch_shape), base.high.expand(batch_shape), False)
        else:
            raise NotImplementedError(
                f"transforms that widen a {type(base).__name__} are not implemented in janus-jit yet"
            )

    def __repr__(self):
        return f"{type(self).__name__}()"

    @property
    def has_rsample(self):
        return self.base_dist.has_rsample

    def _transformed(self, x):
        for transform in self.transforms:
            x = transform(x)
        return x

    def sample(self, sample_shape=()):
        with torch.no_grad():
            return self._transformed(self.base_dist.sample(sample_shape))

    def rsample(self, sample_shape=()):
        return self._transformed(self.base_dist.rsample(sample_shape))

    def log_prob(self, value):
        event_dim = len(self._event_shape)
        log_prob = 0.0
        y = value
        for transform in reversed(self.transforms):
            x = transform.inv(y)
            log_prob = log_prob - _sum_rightmost(transform.log_abs_det_jacobian(x, y), event_dim)
            y = x
        return log_prob + self.base_dist.log_prob(y)

    def _monotonized(self, value):
        sign = 1
        for transform in self.transforms:
            sign = sign * transform.sign
        if isinstance(sign, int) and sign == 1:
            return value
        return sign * (value - 0.5) + 0.5

    def cdf(self, value):
        for transform in self.transforms[::-1]:
            value = transform.inv(value)
        return self._monotonized(self.base_dist.cdf(value))

    def icdf(self, value):
        return self._transformed(self.base_dist.icdf(self._monotonized(value)))


class LogNormal(TransformedDistribution):
    def __init__(self, loc, scale, validate_args=None):
        super().__init__(Normal(loc, scale, validate_args), ExpTransform())

    @property
    def loc(self):
        return self.base_dist.loc

    @property
    def scale(self):
        return self.base_dist.scale

    @property
    def mean(self):
        return (self.loc + self.scale.pow(2) / 2).exp()

    @property
    def mode(self):
        return (self.loc - self.scale.square()).exp()

    @property
    def variance(self):
        scale_sq = self.scale.pow(2)
        return scale_sq.expm1() * (2 * self.loc + scale_sq).exp()

    def entropy(self):
        return self.base_dist.entropy() + self.loc


class Gumbel(TransformedDistribution):
    def __init__(self, loc, scale, validate_args=None):
        self.loc, self.scale = _broadcast(loc, scale)
        finfo = torch.finfo(self.loc.dtype)
        low, high = torch.full_like(self.loc, finfo.tiny), torch.full_like(self.loc, 1 - finfo.eps)
        transforms = [
            ExpTransform().inv,
            AffineTransform(0, -torch.ones_like(self.scale)),
            ExpTransform().inv,
            AffineTransform(loc, -self.scale),
        ]
        super().__init__(Uniform(low, high, validate_args), transforms)

    def __repr__(self):
        if self.loc.numel() == 1:
            return f"Gumbel(loc: {self.loc}, scale: {self.scale})"
        return f"Gumbel(loc: {self.loc.size()}, scale: {self.scale.size()})"

    def log_prob(self, value):
        if self._validate_args:
            _need_tensor(value)
            self._check_sample(value, "Real()", value == value)
        y = (self.loc - value) / self.scale
        return (y - y.exp()) - self.scale.log()

    @property
    def mean(self):
        return self.loc + self.scale * _EULER

    @property
    def mode(self):
        return self.loc

    @property
    def stddev(self):
        return (math.pi / math.sqrt(6)) * self.scale

    @property
    def variance(self):
        return self.stddev.pow(2)

    def entropy(self):
        return self.scale.log() + (1 + _EULER)
