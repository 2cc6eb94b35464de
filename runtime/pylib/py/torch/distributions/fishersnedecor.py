"""FisherSnedecor: the F distribution."""

import torch
from torch.distributions import constraints
from torch.distributions.distribution import Distribution
from torch.distributions.gamma import Gamma
from torch.distributions.utils import broadcast_all


class FisherSnedecor(Distribution):
    arg_constraints = {"df1": constraints.positive, "df2": constraints.positive}
    support = constraints.positive
    has_rsample = True

    def __init__(self, df1, df2, validate_args=None):
        self.df1, self.df2 = broadcast_all(df1, df2)
        self._gamma1 = Gamma(self.df1 * 0.5, self.df1)
        self._gamma2 = Gamma(self.df2 * 0.5, self.df2)
        super().__init__(self.df1.size(), (), validate_args)

    def _beyond(self, least, value):
        return torch.where(self.df2 > least, value, float("nan"))

    @property
    def mean(self):
        return self._beyond(2, self.df2 / (self.df2 - 2))

    @property
    def mode(self):
        mode = (self.df1 - 2) / self.df1 * self.df2 / (self.df2 + 2)
        return torch.where(self.df1 > 2, mode, float("nan"))

    @property
    def variance(self):
        df1, df2 = self.df1, self.df2
        return self._beyond(4, 2 * df2.pow(2) * (df1 + df2 - 2) / (df1 * (df2 - 2).pow(2) * (df2 - 4)))

    def rsample(self, sample_shape=()):
        shape = self._extended_shape(sample_shape)
        tiny = torch.finfo(self.df2.dtype).tiny
        above = self._gamma1.rsample(sample_shape).view(shape)
        below = self._gamma2.rsample(sample_shape).view(shape).clamp(min=tiny)
        return (above / below).clamp(min=tiny)

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        half1, half2 = self.df1 * 0.5, self.df2 * 0.5
        ratio = self.df1 / self.df2
        normalizer = (half1 + half2).lgamma() - half1.lgamma() - half2.lgamma()
        return normalizer + half1 * ratio.log() + (half1 - 1) * torch.log(value) - (half1 + half2) * torch.log1p(ratio * value)
