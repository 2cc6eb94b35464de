"""The base of all distributions."""

import torch


class Distribution:
    has_rsample = False
    _validate_args = True

    @staticmethod
    def set_default_validate_args(value):
        if value not in (True, False):
            raise ValueError
        Distribution._validate_args = value

    def __init__(self, batch_shape=(), event_shape=(), validate_args=None):
        self._batch_shape = torch.Size(batch_shape)
        self._event_shape = torch.Size(event_shape)
        if validate_args is not None:
            self._validate_args = validate_args

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

    def _check_sample(self, value, support, ok):
        """PyTorch's complaints about a value that cannot be one of this distribution's."""
        event = tuple(self._event_shape)
        if tuple(value.size()[value.dim() - len(event):]) != event:
            raise ValueError(
                f"The right-most size of value must match event_shape: {value.size()} vs {self._event_shape}."
            )
        expected = self._batch_shape + self._event_shape
        if value.size() != expected:
            for have, want in zip(reversed(value.size()), reversed(expected)):
                if have != 1 and want != 1 and have != want:
                    raise ValueError(
                        f"Value is not broadcastable with batch_shape+event_shape: {value.size()} vs {expected}."
                    )
        if not bool(ok.all()):
            raise ValueError(
                f"Expected value argument ({type(value).__name__} of shape {tuple(value.shape)}) to be within the "
                f"support ({support}) of the distribution {self!r}, but found invalid values:\n{value}"
            )


def _need_tensor(value):
    if not isinstance(value, torch.Tensor):
        raise ValueError("The value argument to log_prob must be a Tensor")


def _check(name, value, owner, constraint, ok):
    """PyTorch's complaint about a parameter outside its domain."""
    if not bool(ok.all()):
        raise ValueError(
            f"Expected parameter {name} ({type(value).__name__} of shape {tuple(value.shape)}) of distribution "
            f"{owner!r} to satisfy the constraint {constraint}, but found invalid values:\n{value}"
        )
