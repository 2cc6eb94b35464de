"""MixtureSameFamily."""

import torch
from torch.distributions import constraints
from torch.distributions.categorical import Categorical
from torch.distributions.distribution import Distribution


class MixtureSameFamily(Distribution):
    arg_constraints = {}
    has_rsample = False

    def __init__(self, mixture_distribution, component_distribution, validate_args=None):
        if not isinstance(mixture_distribution, Categorical):
            raise ValueError(
                " The Mixture distribution needs to be an  instance of torch.distributions.Categorical"
            )
        if not isinstance(component_distribution, Distribution):
            raise ValueError(
                "The Component distribution need to be an instance of torch.distributions.Distribution"
            )
        self._mixture_distribution = mixture_distribution
        self._component_distribution = component_distribution
        weights = mixture_distribution.batch_shape
        batch = component_distribution.batch_shape[:-1]
        for have, want in zip(reversed(weights), reversed(batch)):
            if have != 1 and want != 1 and have != want:
                raise ValueError(
                    f"`mixture_distribution.batch_shape` ({weights}) is not compatible with "
                    f"`component_distribution.batch_shape`({batch})"
                )
        categories = mixture_distribution.logits.shape[-1]
        components = component_distribution.batch_shape[-1]
        if categories != components:
            raise ValueError(
                f"`mixture_distribution component` ({categories}) does not"
                f" equal `component_distribution.batch_shape[-1]` ({components})"
            )
        self._event_ndims = len(component_distribution.event_shape)
        super().__init__(batch, component_distribution.event_shape, validate_args)

    def expand(self, batch_shape, _instance=None):
        batch_shape = torch.Size(batch_shape)
        new = self._get_checked_instance(MixtureSameFamily, _instance)
        new.__dict__.update(self.__dict__)
        count = self._component_distribution.batch_shape[-1]
        new._component_distribution = self._component_distribution.expand(batch_shape + (count,))
        new._mixture_distribution = self._mixture_distribution.expand(batch_shape)
        new._batch_shape = batch_shape
        return new

    def __repr__(self):
        return f"MixtureSameFamily(\n  {self.mixture_distribution},\n  {self.component_distribution})"

    @property
    def mixture_distribution(self):
        return self._mixture_distribution

    @property
    def component_distribution(self):
        return self._component_distribution

    @constraints.dependent_property
    def support(self):
        return constraints.MixtureSameFamilyConstraint(self.component_distribution.support)

    def _padded_probs(self):
        probs = self.mixture_distribution.probs
        own = len(self.mixture_distribution.batch_shape)
        missing = 0 if own == 1 else len(self._batch_shape) - own
        shape = tuple(probs.shape)
        return probs.reshape(shape[:-1] + (1,) * missing + shape[-1:] + (1,) * self._event_ndims)

    def _pad(self, x):
        return x.unsqueeze(-1 - self._event_ndims)

    @property
    def mean(self):
        return torch.sum(self._padded_probs() * self.component_distribution.mean, dim=-1 - self._event_ndims)

    @property
    def variance(self):
        probs, dim = self._padded_probs(), -1 - self._event_ndims
        inner = torch.sum(probs * self.component_distribution.variance, dim=dim)
        spread = (self.component_distribution.mean - self._pad(self.mean)).pow(2.0)
        return inner + torch.sum(probs * spread, dim=dim)

    def cdf(self, x):
        return torch.sum(self.component_distribution.cdf(self._pad(x)) * self.mixture_distribution.probs, dim=-1)

    def log_prob(self, x):
        if self._validate_args:
            self._validate_sample(x)
        log_prob_x = self.component_distribution.log_prob(self._pad(x))
        log_mix_prob = torch.log_softmax(self.mixture_distribution.logits, dim=-1)
        return torch.logsumexp(log_prob_x + log_mix_prob, dim=-1)

    def sample(self, sample_shape=()):
        with torch.no_grad():
            dim = len(sample_shape) + len(self._batch_shape)
            event = tuple(self._event_shape)
            picked = self.mixture_distribution.sample(sample_shape)
            drawn = self.component_distribution.sample(sample_shape)
            shape = tuple(picked.shape)
            picked = picked.reshape(shape + (1,) * (len(event) + 1))
            picked = picked.repeat((1,) * len(shape) + (1,) + event)
            return torch.gather(drawn, dim, picked).squeeze(dim)
