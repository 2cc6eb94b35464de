"""Continuous distributions."""

import math

import torch
from torch.distributions.distribution import Distribution, _check, _need_tensor


def _broadcast(a, b):
    a = torch.as_tensor(a, dtype=torch.get_default_dtype()) if not isinstance(a, torch.Tensor) else a
    b = torch.as_tensor(b, dtype=torch.get_default_dtype()) if not isinstance(b, torch.Tensor) else b
    return torch.broadcast_tensors(a, b)


class Normal(Distribution):
    has_rsample = True

    def __init__(self, loc, scale, validate_args=None):
        self.loc, self.scale = _broadcast(loc, scale)
        super().__init__(self.loc.size(), (), validate_args)
        if self._validate_args:
            _check("loc", self.loc, self, "Real()", self.loc == self.loc)
            _check("scale", self.scale, self, "GreaterThan(lower_bound=0.0)", self.scale > 0)

    def __repr__(self):
        if self.loc.numel() == 1:
            return f"Normal(loc: {self.loc}, scale: {self.scale})"
        return f"Normal(loc: {self.loc.size()}, scale: {self.scale.size()})"

    @property
    def mean(self):
        return self.loc

    @property
    def mode(self):
        return self.loc

    @property
    def stddev(self):
        return self.scale

    @property
    def variance(self):
        return self.stddev.pow(2)

    def sample(self, sample_shape=()):
        shape = self._extended_shape(sample_shape)
        with torch.no_grad():
            return torch.normal(self.loc.expand(shape), self.scale.expand(shape))

    def rsample(self, sample_shape=()):
        shape = self._extended_shape(sample_shape)
        eps = torch.empty(shape, dtype=self.loc.dtype).normal_()
        return self.loc + eps * self.scale

    def _check_real(self, value):
        if self._validate_args:
            _need_tensor(value)
            self._check_sample(value, "Real()", value == value)

    def log_prob(self, value):
        self._check_real(value)
        var = self.scale**2
        return (
            -((value - self.loc) ** 2) / (2 * var)
            - self.scale.log()
            - math.log(math.sqrt(2 * math.pi))
        )

    def cdf(self, value):
        self._check_real(value)
        return 0.5 * (1 + torch.erf((value - self.loc) * self.scale.reciprocal() / math.sqrt(2)))

    def icdf(self, value):
        return self.loc + self.scale * torch.erfinv(2 * value - 1) * math.sqrt(2)

    def entropy(self):
        return 0.5 + 0.5 * math.log(2 * math.pi) + torch.log(self.scale)


class Uniform(Distribution):
    has_rsample = True

    def __init__(self, low, high, validate_args=None):
        self.low, self.high = _broadcast(low, high)
        super().__init__(self.low.size(), (), validate_args)
        if self._validate_args:
            ordered = self.low < self.high
            if not bool(ordered.all()):
                _check("low", self.low, self, f"LessThan(upper_bound={self.high})", ordered)

    def __repr__(self):
        if self.low.numel() == 1:
            return f"Uniform(low: {self.low}, high: {self.high})"
        return f"Uniform(low: {self.low.size()}, high: {self.high.size()})"

    def _check_inside(self, value):
        if self._validate_args:
            _need_tensor(value)
            inside = (self.low <= value) & (value <= self.high)
            text = ""
            if not bool(inside.all()):
                text = f"Interval(lower_bound={self.low}, upper_bound={self.high})"
            self._check_sample(value, text, inside)

    @property
    def mean(self):
        return (self.high + self.low) / 2

    @property
    def variance(self):
        return (self.high - self.low).pow(2) / 12

    def rsample(self, sample_shape=()):
        shape = self._extended_shape(sample_shape)
        return self.low + torch.rand(shape, dtype=self.low.dtype) * (self.high - self.low)

    def log_prob(self, value):
        self._check_inside(value)
        inside = self.low.le(value).type_as(self.low) * self.high.gt(value).type_as(self.low)
        return torch.log(inside) - torch.log(self.high - self.low)

    def cdf(self, value):
        self._check_inside(value)
        return ((value - self.low) / (self.high - self.low)).clamp(min=0, max=1)

    def icdf(self, value):
        return value * (self.high - self.low) + self.low

    def entropy(self):
        return torch.log(self.high - self.low)


def kl_divergence(p, q):
    if isinstance(p, Normal) and isinstance(q, Normal):
        ratio = (p.scale / q.scale).pow(2)
        t1 = ((p.loc - q.loc) / q.scale).pow(2)
        return 0.5 * (ratio + t1 - 1 - ratio.log())
    if hasattr(p, "_num_events") and hasattr(q, "_num_events"):
        return (p.probs * (p.logits - q.logits)).sum(-1)
    raise NotImplementedError(
        f"No KL(p || q) is implemented for p type {type(p).__name__} and q type {type(q).__name__}"
    )
