"""Binomial."""

import torch
from torch.distributions import constraints
from torch.distributions.bernoulli import _OfTrials
from torch.distributions.distribution import Distribution
from torch.distributions.utils import broadcast_all


class Binomial(_OfTrials, Distribution):
    arg_constraints = {
        "total_count": constraints.nonnegative_integer, "probs": constraints.unit_interval, "logits": constraints.real,
    }
    has_enumerate_support = True

    def __init__(self, total_count=1, probs=None, logits=None, validate_args=None):
        self._set(probs, logits)
        total_count, param = broadcast_all(total_count, self._param)
        self.__dict__["probs" if probs is not None else "logits"] = param
        self.total_count = total_count.type_as(param)
        super().__init__(param.size(), (), validate_args)

    @constraints.dependent_property(is_discrete=True, event_dim=0)
    def support(self):
        return constraints.integer_interval(0, self.total_count)

    @property
    def mean(self):
        return self.total_count * self.probs

    @property
    def mode(self):
        return ((self.total_count + 1) * self.probs).floor().clamp(max=self.total_count)

    @property
    def variance(self):
        return self.total_count * self.probs * (1 - self.probs)

    def sample(self, sample_shape=()):
        shape = self._extended_shape(sample_shape)
        with torch.no_grad():
            return torch.binomial(self.total_count.expand(shape), self.probs.expand(shape))

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        n, logits = self.total_count, self.logits
        # log(1 - p) as n * (max(logit, 0) + log(1 + exp(-|logit|))), which no logit is too large for.
        above_zero = (logits.clamp(min=0) + logits - logits.clamp(max=0)) / 2
        normalizer = n * above_zero + n * torch.log1p(torch.exp(-torch.abs(logits))) - torch.lgamma(n + 1)
        return value * logits - torch.lgamma(value + 1) - torch.lgamma(n - value + 1) - normalizer

    def entropy(self):
        total = int(self.total_count.max())
        if not self.total_count.min() == total:
            raise NotImplementedError("Inhomogeneous total count not supported by `entropy`.")
        log_prob = self.log_prob(self.enumerate_support(False))
        return -(torch.exp(log_prob) * log_prob).sum(0)

    def enumerate_support(self, expand=True):
        total = int(self.total_count.max())
        if not self.total_count.min() == total:
            raise NotImplementedError("Inhomogeneous total count not supported by `enumerate_support`.")
        return self._enumerated(torch.arange(1 + total, dtype=self._param.dtype, device=self._param.device), expand)
