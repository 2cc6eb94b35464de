"""Distributions over finitely many outcomes."""

import torch
from torch.distributions.distribution import Distribution, _check, _need_tensor
from torch.nn import functional as F


def _clamp_probs(probs):
    eps = torch.finfo(probs.dtype).eps
    return probs.clamp(min=eps, max=1 - eps)


def _logits_of(probs):
    return torch.log(_clamp_probs(probs))


class Categorical(Distribution):
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
        if self._validate_args:
            param = self._param
            if probs is not None:
                ok = torch.all(param >= 0, dim=-1) & ((param.sum(-1) - 1).abs() < 1e-6)
                _check("probs", param, self, "Simplex()", ok)
            else:
                _check("logits", param, self, "IndependentConstraint(Real(), 1)", param == param)

    def __getattr__(self, name):
        # The other parameter is computed when it is first used.
        if name == "logits":
            self.logits = _logits_of(self.probs)
            return self.logits
        if name == "probs":
            self.probs = F.softmax(self.logits, dim=-1)
            return self.probs
        raise AttributeError(f"'Categorical' object has no attribute '{name}'")

    def __repr__(self):
        known = [name for name in ("probs", "logits") if name in self.__dict__]
        texts = [f"{name}: {self.__dict__[name].size()}" for name in known]
        return f"Categorical({', '.join(texts)})"

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
            _need_tensor(value)
            last = self._num_events - 1
            ok = (value % 1 == 0) & (value >= 0) & (value <= last)
            self._check_sample(value, f"IntegerInterval(lower_bound=0, upper_bound={last})", ok)
        value = value.long().unsqueeze(-1)
        value, logits = torch.broadcast_tensors(value, self.logits)
        value = value[..., :1]
        return logits.gather(-1, value).squeeze(-1)

    def entropy(self):
        smallest = torch.finfo(self.logits.dtype).min
        logits = torch.clamp(self.logits, min=smallest)
        return -(logits * self.probs).sum(-1)


class Bernoulli(Distribution):
    def __init__(self, probs=None, logits=None, validate_args=None):
        if (probs is None) == (logits is None):
            raise ValueError("Either `probs` or `logits` must be specified, but not both.")
        if probs is not None:
            self.probs = torch.as_tensor(probs, dtype=torch.get_default_dtype())
            clamped = _clamp_probs(self.probs)
            self.logits = torch.log(clamped) - torch.log1p(-clamped)
            self._name, self._param = "probs", self.probs
        else:
            self.logits = torch.as_tensor(logits, dtype=torch.get_default_dtype())
            self.probs = torch.sigmoid(self.logits)
            self._name, self._param = "logits", self.logits
        super().__init__(self._param.size(), (), validate_args)
        if self._validate_args:
            param = self._param
            if probs is not None:
                text = "Interval(lower_bound=0.0, upper_bound=1.0)"
                _check("probs", param, self, text, (param >= 0) & (param <= 1))
            else:
                _check("logits", param, self, "Real()", param == param)

    def __repr__(self):
        if self._param.numel() == 1:
            return f"Bernoulli({self._name}: {self._param})"
        return f"Bernoulli({self._name}: {self._param.size()})"

    @property
    def mean(self):
        return self.probs

    @property
    def variance(self):
        return self.probs * (1 - self.probs)

    def sample(self, sample_shape=()):
        with torch.no_grad():
            return torch.bernoulli(self.probs.expand(self._extended_shape(sample_shape)))

    def log_prob(self, value):
        if self._validate_args:
            _need_tensor(value)
            self._check_sample(value, "Boolean()", (value == 0) | (value == 1))
        logits, value = torch.broadcast_tensors(self.logits, value)
        return -F.binary_cross_entropy_with_logits(logits, value, reduction="none")

    def entropy(self):
        return F.binary_cross_entropy_with_logits(self.logits, self.probs, reduction="none")
