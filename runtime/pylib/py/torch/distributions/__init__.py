"""torch.distributions."""

import torch
from torch.distributions.distribution import Distribution
from torch.distributions.categorical import Bernoulli, Categorical
from torch.distributions.continuous import (
    Beta, Dirichlet, Exponential, Gamma, Independent, Laplace, MultivariateNormal, OneHotCategorical,
)
from torch.distributions.mixture import MixtureSameFamily, Poisson
from torch.distributions.normal import Normal, Uniform, kl_divergence
from torch.distributions.transformed import Gumbel, LogNormal, TransformedDistribution
from torch.distributions.transforms import (
    AbsTransform, AffineTransform, ComposeTransform, ExpTransform, PowerTransform, SigmoidTransform,
    SoftplusTransform, TanhTransform, Transform,
)


def __getattr__(name):
    return torch._C._missing_name("torch.distributions", name)
