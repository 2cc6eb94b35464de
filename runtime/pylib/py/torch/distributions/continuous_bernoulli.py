"""ContinuousBernoulli: the density p**x * (1-p)**(1-x) on the unit interval, normalized."""

import math

import torch
from torch.distributions import constraints
from torch.distributions.bernoulli import _OfTrials
from torch.distributions.exp_family import ExponentialFamily
from torch.distributions.utils import broadcast_all, clamp_probs, probs_to_logits
from torch.nn import functional as F


class ContinuousBernoulli(_OfTrials, ExponentialFamily):
    arg_constraints = {"probs": constraints.unit_interval, "logits": constraints.real}
    support = constraints.unit_interval
    has_rsample = True
    _mean_carrier_measure = 0

    def __init__(self, probs=None, logits=None, lims=(0.499, 0.501), validate_args=None):
        self._set(probs, logits)
        if probs is not None:
            if validate_args is not None and not constraints.unit_interval.check(self.probs).all():
                raise ValueError("The parameter probs has invalid values")
            self.probs = clamp_probs(self.probs)
        # Between these the closed forms divide by almost zero; Taylor series stand for them.
        self._lims = lims
        super().__init__(self._param.size(), (), validate_args)

    def _far(self):
        return (self.probs <= self._lims[0]) | (self.probs > self._lims[1])

    def _cut(self):
        return torch.where(self._far(), self.probs, self._lims[0] * torch.ones_like(self.probs))

    def _log_constant(self):
        cut = self._cut()
        below = torch.where(cut <= 0.5, cut, torch.zeros_like(cut))
        above = torch.where(cut >= 0.5, cut, torch.ones_like(cut))
        width = torch.where(cut <= 0.5, torch.log1p(-2.0 * below), torch.log(2.0 * above - 1.0))
        constant = torch.log(torch.abs(torch.log1p(-cut) - torch.log(cut))) - width
        x = torch.pow(self.probs - 0.5, 2)
        return torch.where(self._far(), constant, math.log(2.0) + (4.0 / 3.0 + 104.0 / 45.0 * x) * x)

    @property
    def mean(self):
        cut = self._cut()
        exact = cut / (2.0 * cut - 1.0) + 1.0 / (torch.log1p(-cut) - torch.log(cut))
        x = self.probs - 0.5
        return torch.where(self._far(), exact, 0.5 + (1.0 / 3.0 + 16.0 / 45.0 * torch.pow(x, 2)) * x)

    @property
    def stddev(self):
        return torch.sqrt(self.variance)

    @property
    def variance(self):
        cut = self._cut()
        exact = cut * (cut - 1.0) / torch.pow(1.0 - 2.0 * cut, 2) + 1.0 / torch.pow(torch.log1p(-cut) - torch.log(cut), 2)
        x = torch.pow(self.probs - 0.5, 2)
        return torch.where(self._far(), exact, 1.0 / 12.0 - (1.0 / 15.0 - 128.0 / 945.0 * x) * x)

    def _drawn(self, sample_shape):
        u = torch.rand(self._extended_shape(sample_shape), dtype=self.probs.dtype, device=self.probs.device)
        return self.icdf(u)

    def sample(self, sample_shape=()):
        with torch.no_grad():
            return self._drawn(sample_shape)

    def rsample(self, sample_shape=()):
        return self._drawn(sample_shape)

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        return -F.binary_cross_entropy_with_logits(logits, value, reduction="none") + self._log_constant()

    def cdf(self, value):
        if self._validate_args:
            self._validate_sample(value)
        cut = self._cut()
        exact = (torch.pow(cut, value) * torch.pow(1.0 - cut, 1.0 - value) + cut - 1.0) / (2.0 * cut - 1.0)
        inside = torch.where(self._far(), exact, value)
        return torch.where(
            torch.le(value, 0.0), torch.zeros_like(value),
            torch.where(torch.ge(value, 1.0), torch.ones_like(value), inside),
        )

    def icdf(self, value):
        cut = self._cut()
        exact = (torch.log1p(-cut + value * (2.0 * cut - 1.0)) - torch.log1p(-cut)) / (torch.log(cut) - torch.log1p(-cut))
        return torch.where(self._far(), exact, value)

    def entropy(self):
        log0, log1 = torch.log1p(-self.probs), torch.log(self.probs)
        return self.mean * (log0 - log1) - self._log_constant() - log0

    @property
    def _natural_params(self):
        return (self.logits,)

    def _log_normalizer(self, x):
        far = (x <= self._lims[0] - 0.5) | (x > self._lims[1] - 0.5)
        cut = torch.where(far, x, (self._lims[0] - 0.5) * torch.ones_like(x))
        exact = torch.log(torch.abs(torch.special.expm1(cut))) - torch.log(torch.abs(cut))
        return torch.where(far, exact, 0.5 * x + torch.pow(x, 2) / 24.0 - torch.pow(x, 4) / 2880.0)
