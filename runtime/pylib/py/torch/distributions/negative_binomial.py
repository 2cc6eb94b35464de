"""NegativeBinomial: how many trials succeed before so many have failed."""

import torch
from torch.distributions import constraints
from torch.distributions.bernoulli import _OfTrials
from torch.distributions.distribution import Distribution
from torch.distributions.gamma import Gamma
from torch.distributions.utils import broadcast_all
from torch.nn import functional as F


class NegativeBinomial(_OfTrials, Distribution):
    arg_constraints = {
        "total_count": constraints.greater_than_eq(0), "probs": constraints.half_open_interval(0.0, 1.0),
        "logits": constraints.real,
    }
    support = constraints.nonnegative_integer

    def __init__(self, total_count, probs=None, logits=None, validate_args=None):
        self._set(probs, logits)
        total_count, param = broadcast_all(total_count, self._param)
        self.__dict__["probs" if probs is not None else "logits"] = param
        self.total_count = total_count.type_as(param)
        super().__init__(param.size(), (), validate_args)

    @property
    def mean(self):
        return self.total_count * torch.exp(self.logits)

    @property
    def mode(self):
        return ((self.total_count - 1) * self.logits.exp()).floor().clamp(min=0.0)

    @property
    def variance(self):
        return self.mean / torch.sigmoid(-self.logits)

    def sample(self, sample_shape=()):
        with torch.no_grad():
            rates = Gamma(self.total_count, torch.exp(-self.logits), validate_args=False)
            return torch.poisson(rates.sample(sample_shape))

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        unnormalized = self.total_count * F.logsigmoid(-self.logits) + value * F.logsigmoid(self.logits)
        n = self.total_count
        normalizer = -torch.lgamma(n + value) + torch.lgamma(1.0 + value) + torch.lgamma(n)
        # No failure is waited for: all mass is at zero.
        return unnormalized - normalizer.masked_fill(n + value == 0.0, 0.0)
