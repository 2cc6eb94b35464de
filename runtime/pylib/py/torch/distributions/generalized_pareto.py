"""GeneralizedPareto."""

import torch
from torch.distributions import constraints
from torch.distributions.distribution import Distribution
from torch.distributions.utils import broadcast_all


class GeneralizedPareto(Distribution):
    arg_constraints = {"loc": constraints.real, "scale": constraints.positive, "concentration": constraints.real}
    has_rsample = True

    def __init__(self, loc, scale, concentration, validate_args=None):
        self.loc, self.scale, self.concentration = broadcast_all(loc, scale, concentration)
        super().__init__(self.loc.size(), (), validate_args)

    def _shape(self):
        """Where the tail is exponential, and the concentration, with 1 there."""
        flat = torch.isclose(self.concentration, torch.zeros_like(self.concentration))
        return flat, torch.where(flat, torch.ones_like(self.concentration), self.concentration)

    @constraints.dependent_property(is_discrete=False, event_dim=0)
    def support(self):
        upper = torch.where(self.concentration < 0, self.loc - self.scale / self.concentration, float("inf"))
        return constraints.interval(self.loc, upper)

    @property
    def mean(self):
        valid = self.concentration < 1
        mean = self.loc + self.scale / (1 - torch.where(valid, self.concentration, 0.5))
        return torch.where(valid, mean, float("nan"))

    @property
    def mode(self):
        return self.loc

    @property
    def variance(self):
        valid = self.concentration < 0.5
        safe = torch.where(valid, self.concentration, 0.25)
        return torch.where(valid, self.scale**2 / ((1 - safe) ** 2 * (1 - 2 * safe)), float("nan"))

    def rsample(self, sample_shape=()):
        return self.icdf(torch.rand(self._extended_shape(sample_shape), dtype=self.loc.dtype, device=self.loc.device))

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        z = (value - self.loc) / self.scale
        flat, safe = self._shape()
        power = 1 / safe + torch.ones_like(z)
        curved = torch.where(power == 0, power, power * torch.log1p(safe * z))
        return -self.scale.log() - torch.where(flat, z, curved)

    def log_survival_function(self, value):
        if self._validate_args:
            self._validate_sample(value)
        z = (value - self.loc) / self.scale
        flat, safe = self._shape()
        return torch.where(flat, -z, -torch.log1p(safe * z) / safe)

    def log_cdf(self, value):
        return torch.log1p(-torch.exp(self.log_survival_function(value)))

    def cdf(self, value):
        return torch.exp(self.log_cdf(value))

    def icdf(self, value):
        flat, safe = self._shape()
        log_left = torch.log1p(-value)
        curved = self.loc + self.scale / safe * torch.expm1(-safe * log_left)
        return torch.where(flat, self.loc - self.scale * log_left, curved)

    def entropy(self):
        return torch.broadcast_to(torch.log(self.scale) + self.concentration + 1, self._batch_shape)
