"""Multinomial."""

import torch
from torch.distributions import constraints
from torch.distributions.binomial import Binomial
from torch.distributions.categorical import Categorical
from torch.distributions.distribution import Distribution
from torch.distributions.utils import broadcast_all


class Multinomial(Distribution):
    arg_constraints = {"probs": constraints.simplex, "logits": constraints.real_vector}

    def __init__(self, total_count=1, probs=None, logits=None, validate_args=None):
        if not isinstance(total_count, int):
            raise NotImplementedError("inhomogeneous total_count is not supported")
        self.total_count = total_count
        self._categorical = Categorical(probs, logits)
        super().__init__(self._categorical.batch_shape, self._categorical.param_shape[-1:], validate_args)

    @constraints.dependent_property(is_discrete=True, event_dim=1)
    def support(self):
        return constraints.multinomial(self.total_count)

    @property
    def probs(self):
        return self._categorical.probs

    @property
    def logits(self):
        return self._categorical.logits

    @property
    def param_shape(self):
        return self._categorical.param_shape

    @property
    def mean(self):
        return self.probs * self.total_count

    @property
    def variance(self):
        return self.total_count * self.probs * (1 - self.probs)

    def sample(self, sample_shape=()):
        drawn = self._categorical.sample((self.total_count,) + tuple(sample_shape)).movedim(0, -1)
        counts = drawn.new_zeros(self._extended_shape(sample_shape))
        return counts.scatter_add(-1, drawn, torch.ones_like(drawn)).type_as(self.probs)

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        # 0 * log(0): what never comes, and did not.
        logits = logits.masked_fill((value == 0) & (logits == -float("inf")), 0)
        arrangements = torch.lgamma(value.sum(-1) + 1) - torch.lgamma(value + 1).sum(-1)
        return arrangements + (logits * value).sum(-1)

    def entropy(self):
        n = torch.tensor(self.total_count)
        counts = Binomial(self.total_count, probs=self.probs)
        some = counts.enumerate_support(expand=False)[1:]
        ties = (torch.exp(counts.log_prob(some)) * torch.lgamma(some + 1)).sum([0, -1])
        return n * self._categorical.entropy() - torch.lgamma(n + 1) + ties
