"""The base of all distributions."""

import torch


class Distribution:
    has_rsample = False

    def __init__(self, batch_shape=(), event_shape=(), validate_args=None):
        self._batch_shape = torch.Size(batch_shape)
        self._event_shape = torch.Size(event_shape)

    @property
    def batch_shape(self):
        return self._batch_shape

    @property
    def event_shape(self):
        return self._event_shape

    @property
    def stddev(self):
        return self.variance.sqrt()

    def _extended_shape(self, sample_shape=()):
        return torch.Size(tuple(sample_shape) + tuple(self._batch_shape) + tuple(self._event_shape))

    def sample(self, sample_shape=()):
        with torch.no_grad():
            return self.rsample(sample_shape)

    def rsample(self, sample_shape=()):
        raise NotImplementedError

    def log_prob(self, value):
        raise NotImplementedError

    def entropy(self):
        raise NotImplementedError


def _check(name, value, owner, constraint, ok):
    """PyTorch's complaint about a parameter outside its domain."""
    if not bool(ok.all()):
        raise ValueError(
            f"Expected parameter {name} (Tensor of shape {tuple(value.shape)}) of distribution "
            f"{owner!r} to satisfy the constraint {constraint}, but found invalid values:\n{value}"
        )
