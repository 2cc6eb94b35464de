"""Poisson and mixtures."""

import torch
from torch.distributions.categorical import Categorical
from torch.distributions.distribution import Distribution, _check, _need_tensor


class Poisson(Distribution):
    def __init__(self, rate, validate_args=None):
        if not isinstance(rate, torch.Tensor):
            rate = torch.as_tensor(rate, dtype=torch.get_default_dtype())
        self.rate = rate
        super().__init__(rate.size())
        if validate_args is not False:
            _check("rate", rate, self, "GreaterThanEq(lower_bound=0.0)", rate >= 0)

    def __repr__(self):
        return f"Poisson(rate: {self.rate if self.rate.numel() == 1 else self.rate.size()})"

    @property
    def mean(self):
        return self.rate

    @property
    def mode(self):
        return self.rate.floor()

    @property
    def variance(self):
        return self.rate

    def sample(self, sample_shape=()):
        with torch.no_grad():
            return torch.poisson(self.rate.expand(self._extended_shape(sample_shape)))

    def log_prob(self, value):
        if self._validate_args:
            _need_tensor(value)
            ok = (value % 1 == 0) & (value >= 0)
            self._check_sample(value, "IntegerGreaterThan(lower_bound=0)", ok)
        return torch.xlogy(value, self.rate) - self.rate - (value + 1).lgamma()


class MixtureSameFamily(Distribution):
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
        self.mixture_distribution = mixture_distribution
        self.component_distribution = component_distribution
        categories = mixture_distribution.logits.shape[-1]
        components = component_distribution.batch_shape[-1]
        if categories != components:
            raise ValueError(
                f"`mixture_distribution component` ({categories}) does not"
                f" equal `component_distribution.batch_shape[-1]` ({components})"
            )
        self._event_ndims = len(component_distribution.event_shape)
        super().__init__(
            component_distribution.batch_shape[:-1], component_distribution.event_shape, validate_args
        )

    def __repr__(self):
        return f"MixtureSameFamily(\n  {self.mixture_distribution},\n  {self.component_distribution})"

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
