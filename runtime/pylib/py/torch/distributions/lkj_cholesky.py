"""LKJCholesky: factors of matrices of correlations (Lewandowski, Kurowicka and Joe, 2009; the onion method)."""

import math

import torch
from torch.distributions import constraints
from torch.distributions.beta import Beta
from torch.distributions.distribution import Distribution
from torch.distributions.utils import broadcast_all


class LKJCholesky(Distribution):
    arg_constraints = {"concentration": constraints.positive}
    support = constraints.corr_cholesky

    def __init__(self, dim, concentration=1.0, validate_args=None):
        if dim < 2:
            raise ValueError(f"Expected dim to be an integer greater than or equal to 2. Found dim={dim}.")
        self.dim = dim
        (self.concentration,) = broadcast_all(concentration)
        marginal = self.concentration + 0.5 * (dim - 2)
        rows = torch.arange(dim - 1, dtype=self.concentration.dtype, device=self.concentration.device)
        rows = torch.cat([rows.new_zeros((1,)), rows])
        # How long the part of each row left of the diagonal is.
        self._beta = Beta(rows + 0.5, marginal.unsqueeze(-1) - 0.5 * rows)
        super().__init__(self.concentration.size(), (dim, dim), validate_args)

    def sample(self, sample_shape=()):
        y = self._beta.sample(sample_shape).unsqueeze(-1)
        shape = self._extended_shape(sample_shape)
        directions = torch.randn(shape, dtype=y.dtype, device=y.device).tril(-1)
        directions = directions / directions.norm(dim=-1, keepdim=True)
        directions[..., 0, :] = 0.0
        w = torch.sqrt(y) * directions
        left = torch.clamp(1 - torch.sum(w**2, dim=-1), min=torch.finfo(w.dtype).tiny).sqrt()
        return w + torch.diag_embed(left)

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        diagonal = value.diagonal(dim1=-1, dim2=-2)[..., 1:]
        order = torch.arange(2, self.dim + 1, device=self.concentration.device)
        order = 2 * (self.concentration - 1).unsqueeze(-1) + self.dim - order
        rows = self.dim - 1
        alpha = self.concentration + 0.5 * rows
        normalizer = 0.5 * rows * math.log(math.pi) + torch.mvlgamma(alpha - 0.5, rows) - torch.lgamma(alpha) * rows
        return torch.sum(order * diagonal.log(), dim=-1) - normalizer
