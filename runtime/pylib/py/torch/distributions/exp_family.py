"""Families whose densities are exponentials of products of parameters and statistics."""

import torch
from torch.distributions.distribution import Distribution


class ExponentialFamily(Distribution):
    @property
    def _natural_params(self):
        raise NotImplementedError

    def _log_normalizer(self, *natural_params):
        raise NotImplementedError

    @property
    def _mean_carrier_measure(self):
        raise NotImplementedError

    def entropy(self):
        """The log normalizer less the products of each natural parameter and its derivative."""
        parameters = [value.detach().requires_grad_() for value in self._natural_params]
        normalizer = self._log_normalizer(*parameters)
        slopes = torch.autograd.grad(normalizer.sum(), parameters, create_graph=True)
        result = normalizer - self._mean_carrier_measure
        for value, slope in zip(parameters, slopes):
            result = result - (value * slope).reshape(self._batch_shape + (-1,)).sum(-1)
        return result
