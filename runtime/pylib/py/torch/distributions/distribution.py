"""The base of all distributions: shapes, what is checked, how one is widened."""

import warnings

import torch
from torch.distributions import constraints


class Distribution:
    has_rsample = False
    has_enumerate_support = False
    _validate_args = True
    # Attributes that have not the shape of the batch, so that `expand` leaves them alone.
    _unbatched = ()

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
        if self._validate_args:
            self._check_parameters()

    def _check_parameters(self):
        try:
            domains = self.arg_constraints
        except NotImplementedError:
            warnings.warn(
                f"{self.__class__} does not define `arg_constraints`. Please set `arg_constraints = {{}}` or initialize "
                "the distribution with `validate_args=False` to turn off validation."
            )
            return
        for name, domain in domains.items():
            # Of parameters that follow from one another, the one that was given is checked.
            if name in self.__dict__ and not constraints.is_dependent(domain):
                value = self.__dict__[name]
                if not domain.check(value).all():
                    raise ValueError(
                        f"Expected parameter {name} ({type(value).__name__} of shape {tuple(value.shape)}) of "
                        f"distribution {self!r} to satisfy the constraint {domain!r}, but found invalid values:\n{value}"
                    )

    @property
    def batch_shape(self):
        return self._batch_shape

    @property
    def event_shape(self):
        return self._event_shape

    @property
    def arg_constraints(self):
        raise NotImplementedError

    @property
    def support(self):
        raise NotImplementedError

    @property
    def mean(self):
        raise NotImplementedError

    @property
    def mode(self):
        raise NotImplementedError(f"{self.__class__} does not implement mode")

    @property
    def variance(self):
        raise NotImplementedError

    @property
    def stddev(self):
        return self.variance.sqrt()

    def expand(self, batch_shape, _instance=None):
        """The same with another batch shape: what has the old one is expanded, and so are distributions inside."""
        new = self._get_checked_instance(self._family(), _instance)
        batch_shape, known = torch.Size(batch_shape), len(self._batch_shape)
        for name, value in self.__dict__.items():
            if name not in self._unbatched:
                if isinstance(value, torch.Tensor):
                    value = value.expand(batch_shape + value.shape[known:])
                elif isinstance(value, Distribution):
                    value = value.expand(batch_shape + value.batch_shape[known:])
            new.__dict__[name] = value
        new._batch_shape = batch_shape
        return new

    def _family(self):
        """The class of PyTorch's own that this is one of."""
        return next(c for c in type(self).__mro__ if c.__module__.startswith("torch.distributions."))

    def _get_checked_instance(self, cls, _instance=None):
        if _instance is not None:
            return _instance
        if type(self).__init__ != cls.__init__:
            raise NotImplementedError(
                f"Subclass {type(self).__name__} of {cls.__name__} that defines a custom __init__ method must also define "
                "a custom .expand() method."
            )
        return type(self).__new__(type(self))

    def sample(self, sample_shape=()):
        with torch.no_grad():
            return self.rsample(sample_shape)

    def sample_n(self, n):
        warnings.warn("`sample_n(n)` will be deprecated. Use `sample((n,))` instead.", FutureWarning, stacklevel=2)
        return self.sample(torch.Size((n,)))

    def rsample(self, sample_shape=()):
        raise NotImplementedError

    def log_prob(self, value):
        raise NotImplementedError

    def cdf(self, value):
        raise NotImplementedError

    def icdf(self, value):
        raise NotImplementedError

    def enumerate_support(self, expand=True):
        raise NotImplementedError

    def _enumerated(self, values, expand):
        """Values of scalar events, in front of the dimensions of the batch."""
        values = values.view((-1,) + (1,) * len(self._batch_shape))
        return values.expand((-1,) + self._batch_shape) if expand else values

    def entropy(self):
        raise NotImplementedError

    def perplexity(self):
        return torch.exp(self.entropy())

    def _extended_shape(self, sample_shape=()):
        return torch.Size(tuple(sample_shape) + tuple(self._batch_shape) + tuple(self._event_shape))

    def _validate_sample(self, value):
        """PyTorch's complaints about a value that cannot be one of this distribution's."""
        if not isinstance(value, torch.Tensor):
            raise ValueError("The value argument to log_prob must be a Tensor")
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
        try:
            support = self.support
        except NotImplementedError:
            warnings.warn(
                f"{self.__class__} does not define `support` to enable sample validation. Please initialize the "
                "distribution with `validate_args=False` to turn off validation."
            )
            return
        if not support.check(value).all():
            raise ValueError(
                f"Expected value argument ({type(value).__name__} of shape {tuple(value.shape)}) to be within the "
                f"support ({support!r}) of the distribution {self!r}, but found invalid values:\n{value}"
            )

    def __repr__(self):
        known = [(name, self.__dict__[name]) for name in self.arg_constraints if name in self.__dict__]
        texts = [f"{name}: {value if value.numel() == 1 else value.size()}" for name, value in known]
        return f"{type(self).__name__}({', '.join(texts)})"
