"""kl_divergence, and which pairs of distributions have one.

Of two different families it is -H(p) - E[log q(x)], in which log q is a sum of few statistics of x: what p expects of each of these
stands in one table, how q's density is made of them in another.
"""

import functools
import math
import warnings

import torch
from torch.distributions.bernoulli import Bernoulli
from torch.distributions.beta import Beta
from torch.distributions.binomial import Binomial
from torch.distributions.categorical import Categorical
from torch.distributions.cauchy import Cauchy
from torch.distributions.continuous_bernoulli import ContinuousBernoulli
from torch.distributions.dirichlet import Dirichlet
from torch.distributions.distribution import Distribution
from torch.distributions.exp_family import ExponentialFamily
from torch.distributions.exponential import Exponential
from torch.distributions.gamma import Gamma
from torch.distributions.geometric import Geometric
from torch.distributions.gumbel import Gumbel
from torch.distributions.half_normal import HalfNormal
from torch.distributions.independent import Independent
from torch.distributions.laplace import Laplace
from torch.distributions.lowrank_multivariate_normal import LowRankMultivariateNormal
from torch.distributions.multivariate_normal import MultivariateNormal, _batch_mahalanobis, _log_diagonal
from torch.distributions.normal import Normal
from torch.distributions.one_hot_categorical import OneHotCategorical
from torch.distributions.pareto import Pareto
from torch.distributions.poisson import Poisson
from torch.distributions.transformed_distribution import TransformedDistribution
from torch.distributions.uniform import Uniform
from torch.distributions.utils import _sum_rightmost, euler_constant
from torch.nn import functional as F

_registry = {}
_found = {}


def register_kl(type_p, type_q):
    """A decorator for the function of a pair of classes; subclasses have it, too."""
    for name, kind in (("type_p", type_p), ("type_q", type_q)):
        if not isinstance(kind, type) or not issubclass(kind, Distribution):
            raise TypeError(f"Expected {name} to be a Distribution subclass but got {kind}")

    def decorator(fun):
        _registry[type_p, type_q] = fun
        _found.clear()
        return fun

    return decorator


def _closest(pairs, order):
    """The pair of which no other is a special case, the classes compared in this order."""

    def compare(a, b):
        for k in order:
            if a[k] is not b[k]:
                return -1 if issubclass(a[k], b[k]) else 1
        return 0

    return min(pairs, key=functools.cmp_to_key(compare))


def _dispatch(type_p, type_q):
    pairs = [pair for pair in _registry if issubclass(type_p, pair[0]) and issubclass(type_q, pair[1])]
    if not pairs:
        return None
    left, right = _closest(pairs, (0, 1)), _closest(pairs, (1, 0))
    if _registry[left] is not _registry[right]:
        warnings.warn(
            f"Ambiguous kl_divergence({type_p.__name__}, {type_q.__name__}). Please register_kl({left[0].__name__}, "
            f"{right[1].__name__})",
            RuntimeWarning, stacklevel=3,
        )
    return _registry[left]


def kl_divergence(p, q):
    pair = (type(p), type(q))
    if pair not in _found:
        _found[pair] = _dispatch(*pair)
    fun = _found[pair]
    if fun is None:
        raise NotImplementedError(
            f"No KL(p || q) is implemented for p type {type(p).__name__} and q type {type(q).__name__}"
        )
    return fun(p, q)


# Of one family.


@register_kl(Normal, Normal)
def _normal(p, q):
    ratio = (p.scale / q.scale).pow(2)
    return 0.5 * (ratio + ((p.loc - q.loc) / q.scale).pow(2) - 1 - ratio.log())


@register_kl(HalfNormal, HalfNormal)
def _half_normal(p, q):
    return _normal(p.base_dist, q.base_dist)


@register_kl(Bernoulli, Bernoulli)
def _bernoulli(p, q):
    def side(share, other, p_logits, q_logits):
        term = share * (F.softplus(q_logits) - F.softplus(p_logits))
        return term.masked_fill(other == 0, float("inf")).masked_fill(share == 0, 0)

    return side(p.probs, q.probs, -p.logits, -q.logits) + side(1 - p.probs, 1 - q.probs, p.logits, q.logits)


@register_kl(Binomial, Binomial)
def _binomial(p, q):
    if (p.total_count < q.total_count).any():
        raise NotImplementedError("KL between Binomials where q.total_count > p.total_count is not implemented")
    kl = p.total_count * (p.probs * (p.logits - q.logits) + (-p.probs).log1p() - (-q.probs).log1p())
    return kl.masked_fill(p.total_count > q.total_count, float("inf"))


@register_kl(Categorical, Categorical)
def _categorical(p, q):
    terms = p.probs * (p.logits - q.logits)
    return terms.masked_fill(q.probs == 0, float("inf")).masked_fill(p.probs == 0, 0).sum(-1)


@register_kl(OneHotCategorical, OneHotCategorical)
def _one_hot(p, q):
    return _categorical(p._categorical, q._categorical)


@register_kl(Beta, Beta)
def _beta(p, q):
    return _dirichlet(p._dirichlet, q._dirichlet)


@register_kl(Dirichlet, Dirichlet)
def _dirichlet(p, q):
    a, b = p.concentration, q.concentration
    expected = a.digamma() - a.sum(-1, keepdim=True).digamma()
    return a.sum(-1).lgamma() - b.sum(-1).lgamma() - (a.lgamma() - b.lgamma()).sum(-1) + ((a - b) * expected).sum(-1)


@register_kl(ContinuousBernoulli, ContinuousBernoulli)
def _continuous_bernoulli(p, q):
    constants = p._log_constant() + torch.log1p(-p.probs) - q._log_constant() - torch.log1p(-q.probs)
    return p.mean * (p.logits - q.logits) + constants


@register_kl(Exponential, Exponential)
def _exponential(p, q):
    ratio = q.rate / p.rate
    return -ratio.log() + ratio - 1


@register_kl(ExponentialFamily, ExponentialFamily)
def _exponential_family(p, q):
    """The Bregman divergence of the log normalizer."""
    if type(p) is not type(q):
        raise NotImplementedError(
            "The cross KL-divergence between different exponential families cannot be computed using Bregman divergences"
        )
    of_p = [value.detach().requires_grad_() for value in p._natural_params]
    normalizer = p._log_normalizer(*of_p)
    slopes = torch.autograd.grad(normalizer.sum(), of_p, create_graph=True)
    result = q._log_normalizer(*q._natural_params) - normalizer
    for a, b, slope in zip(of_p, q._natural_params, slopes):
        result = result - _sum_rightmost((b - a) * slope, len(q.event_shape))
    return result


@register_kl(Gamma, Gamma)
def _gamma(p, q):
    a, b = p.concentration, q.concentration
    logs = b * (p.rate / q.rate).log() + torch.lgamma(b) - torch.lgamma(a)
    return logs + (a - b) * torch.digamma(a) + (q.rate - p.rate) * (a / p.rate)


@register_kl(Gumbel, Gumbel)
def _gumbel(p, q):
    ratio, shift = p.scale / q.scale, (q.loc - p.loc) / q.scale
    return -ratio.log() - shift + ratio * euler_constant + torch.exp(shift + (1 + ratio).lgamma()) - (1 + euler_constant)


@register_kl(Geometric, Geometric)
def _geometric(p, q):
    return -p.entropy() - torch.log1p(-q.probs) / p.probs - q.logits


@register_kl(Laplace, Laplace)
def _laplace(p, q):
    ratio, distance = p.scale / q.scale, (p.loc - q.loc).abs()
    return -ratio.log() + distance / q.scale + ratio * torch.exp(-distance / p.scale) - 1


@register_kl(Cauchy, Cauchy)
def _cauchy(p, q):
    return ((p.scale + q.scale).pow(2) + (p.loc - q.loc).pow(2)).log() - (4 * p.scale * q.scale).log()


@register_kl(Pareto, Pareto)
def _pareto(p, q):
    ratio = q.alpha / p.alpha
    kl = q.alpha * (p.scale / q.scale).log() - ratio.log() + ratio - 1
    return kl.masked_fill(p.scale < q.scale, float("inf"))


@register_kl(Poisson, Poisson)
def _poisson(p, q):
    return p.rate * (p.rate.log() - q.rate.log()) - (p.rate - q.rate)


@register_kl(Uniform, Uniform)
def _uniform(p, q):
    kl = ((q.high - q.low) / (p.high - p.low)).log()
    return kl.masked_fill((q.low > p.low) | (q.high < p.high), float("inf"))


@register_kl(Independent, Independent)
def _independent(p, q):
    if p.reinterpreted_batch_ndims != q.reinterpreted_batch_ndims:
        raise NotImplementedError
    return _sum_rightmost(kl_divergence(p.base_dist, q.base_dist), p.reinterpreted_batch_ndims)


@register_kl(TransformedDistribution, TransformedDistribution)
def _transformed(p, q):
    if p.transforms != q.transforms or p.event_shape != q.event_shape:
        raise NotImplementedError
    return kl_divergence(p.base_dist, q.base_dist)


# Normal distributions of vectors: log determinants, a trace and a distance.


def _squares(matrix):
    return matrix.pow(2).sum((-2, -1))


def _log_det(d):
    return d._log_det() if isinstance(d, LowRankMultivariateNormal) else 2 * _log_diagonal(d._unbroadcasted_scale_tril)


def _roots(d):
    """Matrices whose products with themselves add up to the covariance."""
    if isinstance(d, LowRankMultivariateNormal):
        return [d._unbroadcasted_cov_factor, torch.diag_embed(d._unbroadcasted_cov_diag.sqrt())]
    return [d._unbroadcasted_scale_tril]


def _trace(q, root):
    """The trace of q's precision with the product of a matrix with itself."""
    if not isinstance(q, LowRankMultivariateNormal):
        factor = q._unbroadcasted_scale_tril
        shape = torch.broadcast_shapes(factor.shape[:-2], root.shape[:-2])
        factor, root = factor.expand(shape + factor.shape[-2:]), root.expand(shape + root.shape[-2:])
        return _squares(torch.linalg.solve_triangular(factor, root, upper=False))
    across = torch.linalg.solve_triangular(q._capacitance_tril, q._scaled(), upper=False)
    return _squares(root * q._unbroadcasted_cov_diag.rsqrt().unsqueeze(-1)) - _squares(across.matmul(root))


def _vectors(p, q):
    if p.event_shape != q.event_shape:
        raise ValueError(
            "KL-divergence between two (Low Rank) Multivariate Normals with different event shapes cannot be computed"
        )
    d = q.loc - p.loc
    if isinstance(q, LowRankMultivariateNormal):
        distance = q._distance(d)
    else:
        distance = _batch_mahalanobis(q._unbroadcasted_scale_tril, d)
    trace = sum([_trace(q, root) for root in _roots(p)])
    return 0.5 * (_log_det(q) - _log_det(p) + trace + distance - p.event_shape[0])


for _p in (MultivariateNormal, LowRankMultivariateNormal):
    for _q in (MultivariateNormal, LowRankMultivariateNormal):
        register_kl(_p, _q)(_vectors)


# Of two families. What p expects: of x and x**2 by its mean and variance, of log x, log(1-x) and exp(-x/s) here.


def _x_log_x(x):
    return torch.xlogy(x, x)


def _mean_log_of_uniform(low, high):
    return (_x_log_x(high) - _x_log_x(low)) / (high - low) - 1


def _beta_log(a, b):
    return a.digamma() - (a + b).digamma()


_LOG = {
    Beta: lambda p: _beta_log(p.concentration1, p.concentration0),
    Exponential: lambda p: -euler_constant - p.rate.log(),
    Gamma: lambda p: p.concentration.digamma() - p.rate.log(),
    Pareto: lambda p: p.scale.log() + p.alpha.reciprocal(),
    Uniform: lambda p: _mean_log_of_uniform(p.low, p.high),
}
_LOG_OF_REST = {
    Beta: lambda p: _beta_log(p.concentration0, p.concentration1),
    Uniform: lambda p: _mean_log_of_uniform(1 - p.high, 1 - p.low),
}
_LAPLACE = {
    Exponential: lambda p, s: p.rate * s / (p.rate * s + 1),
    Gamma: lambda p, s: (1 + (p.rate * s).reciprocal()).pow(-p.concentration),
    Normal: lambda p, s: torch.exp(-p.loc / s + 0.5 * (p.scale / s).pow(2)),
    Uniform: lambda p, s: s / (p.high - p.low) * (torch.exp(-p.low / s) - torch.exp(-p.high / s)),
}


def _mean(p):
    if isinstance(p, Pareto):
        return torch.where(p.alpha <= 1, float("inf"), p.alpha * p.scale / (p.alpha - 1))
    return p.mean


def _square(p):
    if isinstance(p, Pareto):
        return torch.where(p.alpha <= 2, float("inf"), p.alpha * p.scale.pow(2) / (p.alpha - 2))
    return p.variance + p.mean.pow(2)


def _of(table, p):
    return table[next(kind for kind in type(p).__mro__ if kind in table)]


# Minus what p expects of log q.
def _under_exponential(p, q):
    return -q.rate.log() + q.rate * _mean(p)


def _under_gamma(p, q):
    a = q.concentration
    return a.lgamma() - a * q.rate.log() - (a - 1) * _of(_LOG, p)(p) + q.rate * _mean(p)


def _under_normal(p, q):
    variance = q.scale.pow(2)
    return 0.5 * (2 * math.pi * variance).log() + 0.5 * (_square(p) - 2 * q.loc * _mean(p) + q.loc.pow(2)) / variance


def _under_gumbel(p, q):
    return q.scale.log() + (_mean(p) - q.loc) / q.scale + torch.exp(q.loc / q.scale) * _of(_LAPLACE, p)(p, q.scale)


def _under_beta(p, q):
    a, b = q.concentration1, q.concentration0
    logs = (a - 1) * _of(_LOG, p)(p) + (b - 1) * _of(_LOG_OF_REST, p)(p)
    return a.lgamma() + b.lgamma() - (a + b).lgamma() - logs


def _under_continuous_bernoulli(p, q):
    return -_mean(p) * q.logits - torch.log1p(-q.probs) - q._log_constant()


def _under_uniform(p, q):
    return (q.high - q.low).log()


def _under_pareto(p, q):
    return (q.alpha + 1) * _of(_LOG, p)(p) - (q.alpha * q.scale.pow(q.alpha)).log()


def _under_poisson(p, q):
    # Of what is 0 or 1 alone: the logarithm of the factorial is 0.
    return q.rate - _mean(p) * q.rate.log()


def _across(under, outside=None):
    """The function of a pair: infinite where p has values that q has not."""

    def kl(p, q):
        result = -p.entropy() + under(p, q)
        return result if outside is None else result.masked_fill(outside(p, q), float("inf"))

    return kl


def _beyond_unit(p, q):
    return (p.high > 1) | (p.low < 0)


def _below_zero(p, q):
    return p.low < 0


def _unit_outside(p, q):
    return (q.low > 0) | (q.high < 1)


for _p, _q, _kl in (
    (Bernoulli, Poisson, _across(_under_poisson)),
    (Beta, ContinuousBernoulli, _across(_under_continuous_bernoulli)),
    (Beta, Exponential, _across(_under_exponential)),
    (Beta, Gamma, _across(_under_gamma)),
    (Beta, Normal, _across(_under_normal)),
    (Beta, Uniform, _across(_under_uniform, _unit_outside)),
    (ContinuousBernoulli, Exponential, _across(_under_exponential)),
    (ContinuousBernoulli, Normal, _across(_under_normal)),
    # PyTorch's condition, which holds for a unit interval, too.
    (ContinuousBernoulli, Uniform, _across(_under_uniform, lambda p, q: (q.low >= 0) | (q.high <= 1))),
    (Exponential, Gamma, _across(_under_gamma)),
    (Exponential, Gumbel, _across(_under_gumbel)),
    (Exponential, Normal, _across(_under_normal)),
    (Gamma, Exponential, _across(_under_exponential)),
    (Gamma, Gumbel, _across(_under_gumbel)),
    (Gamma, Normal, _across(_under_normal)),
    (Gumbel, Normal, _across(_under_normal)),
    (Laplace, Normal, _across(_under_normal)),
    (Normal, Gumbel, _across(_under_gumbel)),
    (Pareto, Exponential, _across(_under_exponential)),
    (Pareto, Gamma, _across(_under_gamma)),
    (Pareto, Normal, _across(_under_normal, lambda p, q: p.alpha <= 2)),
    (Uniform, Beta, _across(_under_beta, _beyond_unit)),
    (Uniform, ContinuousBernoulli, _across(_under_continuous_bernoulli, lambda p, q: (p.high >= 1) | (p.low <= 0))),
    (Uniform, Exponential, _across(_under_exponential, _below_zero)),
    (Uniform, Gamma, _across(_under_gamma, _below_zero)),
    (Uniform, Gumbel, _across(_under_gumbel)),
    (Uniform, Normal, _across(_under_normal)),
    (Uniform, Pareto, _across(_under_pareto, lambda p, q: p.low < q.scale)),
):
    register_kl(_p, _q)(_kl)


@register_kl(Normal, Laplace)
def _normal_laplace(p, q):
    d = (p.loc - q.loc) / p.scale
    distance = math.sqrt(2 / math.pi) * torch.exp(-0.5 * d.pow(2)) + d * torch.erf(math.sqrt(0.5) * d)
    return -p.entropy() + (2 * q.scale).log() + p.scale / q.scale * distance


def _everywhere_infinite(p, q):
    return torch.full_like(p.entropy() if not isinstance(p, Poisson) else p.rate, float("inf"))


# Families of which one always has values that the other one has not.
for _p, _others in (
    (Beta, (Pareto,)),
    (ContinuousBernoulli, (Pareto,)),
    (Exponential, (Beta, ContinuousBernoulli, Pareto, Uniform)),
    (Gamma, (Beta, ContinuousBernoulli, Pareto, Uniform)),
    (Gumbel, (Beta, ContinuousBernoulli, Exponential, Gamma, Pareto, Uniform)),
    (Laplace, (Beta, ContinuousBernoulli, Exponential, Gamma, Pareto, Uniform)),
    (Normal, (Beta, ContinuousBernoulli, Exponential, Gamma, Pareto, Uniform)),
    (Pareto, (Beta, ContinuousBernoulli, Uniform)),
    (Poisson, (Bernoulli, Binomial)),
):
    for _q in _others:
        register_kl(_p, _q)(_everywhere_infinite)
