"""How samples of the gamma and Dirichlet distributions move with their parameters.

A sample x of a distribution function F(x; a) stays at its place in the distribution where a moves, so that its derivative is
-dF/da over dF/dx. Both come of the series and the continued fractions of F, in float64."""

import torch
from torch._gammas import ROUNDING, _MOST_TERMS, _upper
from torch._results import in_double

# Of the differences that stand for a derivative.
_STEP = 1e-5
_TINY = 1e-300


def _by_series(a, x):
    """The derivative where x is small: of the power series, term by term."""
    term = torch.ones_like(x)
    total, slope, shrinking, n = term, torch.zeros_like(x), torch.zeros_like(x), a
    for _ in range(_MOST_TERMS):
        n = n + 1
        term = term * x / n
        shrinking = shrinking + 1 / n
        total, slope = total + term, slope - term * shrinking
        if not (term * shrinking > total * 1e-17).any():
            break
    return -x / a * (total * (torch.log(x) - torch.digamma(a + 1)) + slope)


def _by_fraction(a, x):
    """The derivative where x is large: of the upper part, which is not near 1."""
    step = _STEP * a.clamp(min=1.0)
    difference = torch.log(_upper(a + step, x)) - torch.log(_upper(a - step, x))
    density = torch.exp((a - 1) * torch.log(x) - x - torch.lgamma(a))
    return _upper(a, x) * difference / (2 * step) / density


def _gamma_slope(a, x):
    x = x.clamp(min=_TINY)
    low = x < a + 1
    below = _by_series(a, torch.where(low, x, a))
    above = _by_fraction(a, torch.where(low, a + 1, x))
    return torch.where(low, below, above)


def _standard_gamma_grad(input, output):
    """The derivative of a sample of the gamma distribution by its concentration."""
    return in_double(_gamma_slope, *torch.broadcast_tensors(input, output))


def _fraction(a, b, x):
    """The continued fraction of the incomplete beta function, by Lentz's method."""
    c = torch.ones_like(x)
    d = 1 - (a + b) * x / (a + 1)
    d = 1 / torch.where(d.abs() < _TINY, _TINY, d)
    h = d
    for m in range(1, _MOST_TERMS):
        for factor in (m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
                       -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))):
            d = 1 + factor * d
            d = 1 / torch.where(d.abs() < _TINY, _TINY, d)
            c = 1 + factor / c
            c = torch.where(c.abs() < _TINY, _TINY, c)
            step = d * c
            h = h * step
        if not ((step - 1).abs() > ROUNDING).any():
            break
    return h


def _dirichlet_slope(x, a, total):
    b = total - a
    x = x.clamp(min=_TINY)
    low = x < (a + 1) / (a + b + 2)
    moved = torch.log(x) - torch.digamma(a) + torch.digamma(a + b)
    step = _STEP * a
    inner, outer = torch.where(low, x, 0.0), torch.where(low, 0.0, 1 - x)

    def slope_of_log(fraction):
        return (torch.log(fraction(a + step)) - torch.log(fraction(a - step))) / (2 * step)

    below, above = (lambda a: _fraction(a, b, inner)), (lambda a: _fraction(b, a, outer))
    return torch.where(
        low, -x / a * below(a) * (moved - 1 / a + slope_of_log(below)), x / b * above(a) * (moved + slope_of_log(above))
    )


def _dirichlet_grad(x, alpha, total):
    """The derivative of a component of a sample by its concentration, over what the others have."""
    return in_double(_dirichlet_slope, *torch.broadcast_tensors(x, alpha, total))


class _StandardGamma(torch.autograd.Function):
    _grad_fn = "StandardGammaBackward0"

    @staticmethod
    def forward(ctx, concentration):
        sample = torch._C._standard_gamma(concentration)
        ctx.save_for_backward(concentration, sample)
        return sample

    @staticmethod
    def backward(ctx, grad):
        return grad * _standard_gamma_grad(*ctx.saved_tensors)


class _Dirichlet(torch.autograd.Function):
    @staticmethod
    def forward(ctx, concentration):
        sample = torch._C._sample_dirichlet(concentration)
        ctx.save_for_backward(sample, concentration)
        return sample

    @staticmethod
    def backward(ctx, grad):
        x, concentration = ctx.saved_tensors
        total = concentration.sum(-1, True).expand_as(concentration)
        slope = _dirichlet_grad(x, concentration, total)
        return slope * (grad - (x * grad).sum(-1, True))


def _wanted(concentration):
    return torch.is_grad_enabled() and concentration.requires_grad


def standard_gamma(concentration):
    """Samples of the gamma distribution of rate 1, with their gradients."""
    return _StandardGamma.apply(concentration) if _wanted(concentration) else torch._C._standard_gamma(concentration)


def dirichlet(concentration):
    """Samples of the Dirichlet distribution, with their gradients."""
    return _Dirichlet.apply(concentration) if _wanted(concentration) else torch._C._sample_dirichlet(concentration)
