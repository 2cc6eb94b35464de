"""Categorical."""

import torch
from torch.distributions import constraints
from torch.distributions.distribution import Distribution
from torch.distributions.utils import logits_to_probs, probs_to_logits


class Categorical(Distribution):
    arg_constraints = {"probs": constraints.simplex, "logits": constraints.real_vector}
    has_enumerate_support = True

    def __init__(self, probs=None, logits=None, validate_args=None):
        if (probs is None) == (logits is None):
            raise ValueError("Either `probs` or `logits` must be specified, but not both.")
        if probs is not None:
            if probs.dim() < 1:
                raise ValueError("`probs` parameter must be at least one-dimensional.")
            self._param = self.probs = probs / probs.sum(-1, keepdim=True)
        else:
            if logits.dim() < 1:
                raise ValueError("`logits` parameter must be at least one-dimensional.")
            self._param = self.logits = logits - logits.logsumexp(dim=-1, keepdim=True)
        self._num_events = self._param.size(-1)
        super().__init__(self._param.size()[:-1], (), validate_args)

    def __getattr__(self, name):
        # The other parameter is computed when it is first used.
        if name == "logits":
            self.logits = probs_to_logits(self.probs)
            return self.logits
        if name == "probs":
            self.probs = logits_to_probs(self.logits)
            return self.probs
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    @constraints.dependent_property(is_discrete=True, event_dim=0)
    def support(self):
        return constraints.integer_interval(0, self._num_events - 1)

    @property
    def param_shape(self):
        return self._param.size()

    def _new(self, *args, **kwargs):
        return self._param.new(*args, **kwargs)

    @property
    def mean(self):
        return torch.full(self._extended_shape(), float("nan"), dtype=self.probs.dtype, device=self.probs.device)

    @property
    def variance(self):
        return self.mean

    @property
    def mode(self):
        return self.probs.argmax(dim=-1)

    def sample(self, sample_shape=()):
        sample_shape = torch.Size(sample_shape)
        rows = self.probs.detach().reshape(-1, self._num_events)
        drawn = torch.multinomial(rows, sample_shape.numel(), True).t()
        return drawn.reshape(self._extended_shape(sample_shape))

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        value = value.long().unsqueeze(-1)
        value, logits = torch.broadcast_tensors(value, self.logits)
        value = value[..., :1]
        return logits.gather(-1, value).squeeze(-1)

    def entropy(self):
        smallest = torch.finfo(self.logits.dtype).min
        logits = torch.clamp(self.logits, min=smallest)
        return -(logits * self.probs).sum(-1)

    def enumerate_support(self, expand=True):
        return self._enumerated(torch.arange(self._num_events, dtype=torch.long, device=self._param.device), expand)
