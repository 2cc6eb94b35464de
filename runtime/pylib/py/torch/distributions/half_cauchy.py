"""HalfCauchy: what lies above zero of a cauchy distribution."""

from torch.distributions.cauchy import Cauchy
from torch.distributions.half_normal import _Half


class HalfCauchy(_Half):
    _base = Cauchy

    @property
    def mean(self):
        return self.base_dist._everywhere(float("inf"))

    @property
    def variance(self):
        return self.base_dist.variance
