"""VonMises: angles around a direction."""

import math

import torch
from torch.distributions import constraints
from torch.distributions.distribution import Distribution
from torch.distributions.utils import broadcast_all


def _log_bessel(x, order):
    """The logarithm of the modified Bessel function of order 0 or 1: scaled, so that nothing is too large for it."""
    scaled = torch.special.i0e(x) if order == 0 else torch.special.i1e(x)
    return scaled.log() + x


class VonMises(Distribution):
    arg_constraints = {"loc": constraints.real, "concentration": constraints.positive}
    support = constraints.real
    has_rsample = False

    def __init__(self, loc, concentration, validate_args=None):
        self.loc, self.concentration = broadcast_all(loc, concentration)
        super().__init__(self.loc.shape, (), validate_args)

    def expand(self, batch_shape, _instance=None):
        if _instance is None and type(self).__init__ is not VonMises.__init__:
            # A subclass of a script's own is made as this class is.
            loc, concentration = self.loc.expand(batch_shape), self.concentration.expand(batch_shape)
            return type(self)(loc, concentration, validate_args=self.__dict__.get("_validate_args"))
        return super().expand(batch_shape, _instance)

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        log_prob = self.concentration * torch.cos(value - self.loc)
        return log_prob - math.log(2 * math.pi) - _log_bessel(self.concentration, 0)

    def _proposal(self, kappa):
        """The parameter of the wrapped Cauchy distribution that angles are proposed from (Best and Fisher, 1979)."""
        tau = 1 + (1 + 4 * kappa**2).sqrt()
        rho = (tau - (2 * tau).sqrt()) / (2 * kappa)
        return torch.where(kappa < 1e-5, 1 / kappa + kappa, (1 + rho**2) / (2 * rho))

    def sample(self, sample_shape=()):
        with torch.no_grad():
            loc, kappa = self.loc.double(), self.concentration.double()
            r = self._proposal(kappa)
            x = torch.zeros(self._extended_shape(sample_shape), dtype=loc.dtype, device=loc.device)
            done = torch.zeros(x.shape, dtype=torch.bool, device=loc.device)
            while not done.all():
                u1, u2, u3 = torch.rand((3,) + tuple(x.shape), dtype=loc.dtype, device=loc.device).unbind()
                z = torch.cos(math.pi * u1)
                f = (1 + r * z) / (r + z)
                c = kappa * (r - f)
                accepted = (c * (2 - c) - u2 > 0) | ((c / u2).log() + 1 - c >= 0)
                x = torch.where(accepted, (u3 - 0.5).sign() * f.acos(), x)
                done = done | accepted
            return ((x + math.pi + loc) % (2 * math.pi) - math.pi).to(self.loc.dtype)

    @property
    def mean(self):
        return self.loc

    @property
    def mode(self):
        return self.loc

    @property
    def variance(self):
        return 1 - (_log_bessel(self.concentration, 1) - _log_bessel(self.concentration, 0)).exp()
