"""torch.distributions."""

import torch
from torch.distributions.distribution import Distribution
from torch.distributions.categorical import Bernoulli, Categorical
from torch.distributions.continuous import (
    Beta, Dirichlet, Exponential, Gamma, Independent, Laplace, MultivariateNormal, OneHotCategorical,
)
from torch.distributions.normal import Normal, Uniform, kl_divergence


def __getattr__(name):
    return torch._C._missing_name("torch.distributions", name)
