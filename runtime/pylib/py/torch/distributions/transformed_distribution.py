"""TransformedDistribution."""

import torch
from torch.distributions import constraints
from torch.distributions.distribution import Distribution
from torch.distributions.independent import Independent
from torch.distributions.transforms import ComposeTransform, Transform
from torch.distributions.utils import _sum_rightmost


class TransformedDistribution(Distribution):
    arg_constraints = {}

    def __init__(self, base_distribution, transforms, validate_args=None):
        if isinstance(transforms, Transform):
            transforms = [transforms]
        elif not isinstance(transforms, list):
            raise ValueError(f"transforms must be a Transform or list, but was {transforms}")
        elif not all([isinstance(t, Transform) for t in transforms]):
            raise ValueError("transforms must be a Transform or a list of Transforms")
        self.transforms = transforms
        shape = base_distribution.batch_shape + base_distribution.event_shape
        base_dims = len(base_distribution.event_shape)
        composed = ComposeTransform(transforms)
        taken, given = composed.domain.event_dim, composed.codomain.event_dim
        if len(shape) < taken:
            raise ValueError(
                f"base_distribution needs to have shape with size at least {taken}, but got {shape}."
            )
        forward = torch.Size(composed.forward_shape(shape))
        # The base distribution draws one number for each element of what transforms widen to.
        wanted = torch.Size(composed.inverse_shape(forward))
        if wanted != shape:
            base_distribution = base_distribution.expand(wanted[: len(wanted) - base_dims])
        if taken > base_dims:
            base_distribution = Independent(base_distribution, taken - base_dims)
        self.base_dist = base_distribution
        cut = len(forward) - max(given, base_dims + given - taken)
        super().__init__(forward[:cut], forward[cut:], validate_args)

    def _base_batch(self, batch_shape):
        shape = torch.Size(tuple(batch_shape) + tuple(self._event_shape))
        for transform in reversed(self.transforms):
            shape = transform.inverse_shape(shape)
        return torch.Size(shape[: len(shape) - len(self.base_dist.event_shape)])

    def expand(self, batch_shape, _instance=None):
        new = super().expand(batch_shape, _instance)
        new.base_dist = self.base_dist.expand(self._base_batch(batch_shape))
        return new

    def __repr__(self):
        return Distribution.__repr__(self)

    @constraints.dependent_property(is_discrete=False)
    def support(self):
        if not self.transforms:
            return self.base_dist.support
        support = self.transforms[-1].codomain
        more = len(self._event_shape) - support.event_dim
        return constraints.independent(support, more) if more > 0 else support

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
        if self._validate_args:
            self._validate_sample(value)
        dims = len(self._event_shape)
        log_prob = 0.0
        y = value
        for transform in reversed(self.transforms):
            x = transform.inv(y)
            taken = transform.domain.event_dim
            dims += taken - transform.codomain.event_dim
            log_prob = log_prob - _sum_rightmost(transform.log_abs_det_jacobian(x, y), dims - taken)
            y = x
        return log_prob + _sum_rightmost(self.base_dist.log_prob(y), dims - len(self.base_dist.event_shape))

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
        if self._validate_args:
            self.base_dist._validate_sample(value)
        return self._monotonized(self.base_dist.cdf(value))

    def icdf(self, value):
        return self._transformed(self.base_dist.icdf(self._monotonized(value)))
