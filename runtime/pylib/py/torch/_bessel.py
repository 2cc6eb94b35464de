"""Bessel functions, by their integrals: the trapezoid rule converges for these faster than any power of its step."""

import math

import torch
from torch._results import as_float, differentiated, in_double, into

_FAR = 30.0
_EULER = 0.5772156649015329


def _angles(count, like):
    return (torch.arange(count, dtype=like.dtype, device=like.device) + 0.5) * (math.pi / count)


def _circular(x, order):
    """J of an order, of arguments up to 30."""
    angle = _angles(80, x)
    return torch.cos(order * angle - x.unsqueeze(-1) * torch.sin(angle)).mean(-1)


def _first_order(x, sign):
    """J (-1) or I (1) of order 1 near 0, where an integral has no digits left, by its power series."""
    square = sign * x * x
    return x * 0.5 * (1 + square / 8 * (1 + square / 24 * (1 + square / 48 * (1 + square / 80))))


def _hankel(x, order):
    """The two sums of the expansion for large arguments."""
    m = 4.0 * order * order
    p, q, term = torch.ones_like(x), torch.zeros_like(x), torch.ones_like(x)
    for k in range(1, 24):
        term = term * (m - (2 * k - 1) ** 2) / (k * 8 * x)
        sign = -1 if k // 2 % 2 else 1
        p, q = (p, q + sign * term) if k % 2 else (p + sign * term, q)
    return p, q


def _far(x, order, of_sine):
    p, q = _hankel(x, order)
    angle = x - (order * 0.5 + 0.25) * math.pi
    c, s = torch.cos(angle), torch.sin(angle)
    return torch.sqrt(2 / (math.pi * x)) * (p * s + q * c if of_sine else p * c - q * s)


def _finite(x, near, far):
    """A function by one form up to 30 and by another one beyond."""
    is_near = x < _FAR
    return torch.where(
        is_near, near(torch.where(is_near, x, 1.0)), far(torch.where(is_near, _FAR, torch.where(torch.isinf(x), _FAR, x)))
    )


def _j(x, order):
    size = x.abs()
    result = _finite(size, lambda x: _circular(x, order), lambda x: _far(x, order, False))
    result = torch.where(torch.isfinite(x), result, math.nan)
    if order:
        result = torch.where(size < 0.1, _first_order(size, -1.0), result)
    return torch.where(x == 0, x, torch.where(x < 0, -result, result)) if order else result


def _y_near(x, order):
    """Neumann's series of J of higher orders."""
    total = torch.zeros_like(x)
    for k in range(1, 32):
        weight = (-1) ** k * (1 / k if order == 0 else (k + 0.5) / (k * (k + 1)))
        total = total + weight * _circular(x, 2 * k + order)
    log = torch.log(x * 0.5) + _EULER
    result = (2 * (log - order) * _circular(x, order) - 4 * total) / math.pi
    return result - 2 / (math.pi * x) * _circular(x, 0) if order else result


def _y(x, order):
    positive = torch.where(x > 0, x, 1.0)
    result = _finite(positive, lambda x: _y_near(x, order), lambda x: _far(x, order, True))
    result = torch.where(torch.isinf(x), math.nan, result)
    return torch.where(x > 0, result, torch.where(x == 0, -math.inf, math.nan))


def _growing(x, order):
    """I of an order over exp(|x|)."""
    size = x.abs()

    def near(x):
        angle = _angles(80, x)
        return (torch.exp(x.unsqueeze(-1) * (torch.cos(angle) - 1)) * torch.cos(order * angle)).mean(-1)

    def far(x):
        m = 4.0 * order * order
        total, term = torch.ones_like(x), torch.ones_like(x)
        for k in range(1, 24):
            term = term * -(m - (2 * k - 1) ** 2) / (k * 8 * x)
            total = total + term
        return total / torch.sqrt(2 * math.pi * x)

    result = torch.where(torch.isinf(x), 0.0, _finite(size, near, far))
    result = torch.where(torch.isnan(x), x, result)
    if order:
        result = torch.where(size < 0.1, _first_order(size, 1.0) * torch.exp(-size), result)
    return torch.where(x == 0, x, torch.where(x < 0, -result, result)) if order else torch.where(x == 0, 1.0, result)


def _k_scaled(x, order):
    """K of an order times exp(x)."""
    ok = torch.where((x > 0) & torch.isfinite(x), x, 1.0)
    step = torch.where(ok > 4, 0.25 / torch.sqrt(ok), 0.125)
    t = torch.arange(0, 400, dtype=x.dtype, device=x.device) * step.unsqueeze(-1)
    # cosh(t) - 1, with its digits where t is small.
    rise = 2 * torch.sinh(t * 0.5).square()
    terms = torch.exp(-ok.unsqueeze(-1) * rise) * torch.cosh(order * t)
    result = (terms.sum(-1) - 0.5) * step
    small = torch.exp(ok) * (1 / ok if order else -torch.log(ok * 0.5) - _EULER)
    result = torch.where(ok < 1e-12, small, torch.where(torch.isinf(x), 0.0, result))
    return torch.where(x > 0, result, torch.where(x == 0, math.inf, math.nan))


def _function(name, value, slope=None):
    """A function of one number; what has no slope has no gradient, as in PyTorch."""

    def function(input, *, out=None):
        x = as_float(input)
        if slope is None:
            return into(name, in_double(value, x), out, input)
        return into(name, differentiated(lambda x: in_double(value, x), [slope], x), out, input)

    function.__name__ = function.__qualname__ = name
    return function


def _safe(x):
    return torch.where(x == 0, 1.0, x)


i0 = _function("i0", lambda x: _growing(x, 0) * torch.exp(x.abs()), lambda x: i1(x))
i0e = _function("special_i0e", lambda x: _growing(x, 0), lambda x: i1e(x) - torch.sgn(x) * i0e(x))
i1 = _function(
    "special_i1", lambda x: _growing(x, 1) * torch.exp(x.abs()),
    lambda x: torch.where(x == 0, 0.5, i0(x) - i1(x) / _safe(x)),
)
i1e = _function(
    "special_i1e", lambda x: _growing(x, 1),
    lambda x: torch.where(x == 0, 0.5, i0e(x) - i1e(x) * (torch.sgn(x) + 1 / _safe(x))),
)
bessel_j0 = _function("special_bessel_j0", lambda x: _j(x, 0))
bessel_j1 = _function("special_bessel_j1", lambda x: _j(x, 1))
bessel_y0 = _function("special_bessel_y0", lambda x: _y(x, 0))
bessel_y1 = _function("special_bessel_y1", lambda x: _y(x, 1))
modified_bessel_i0 = _function("special_modified_bessel_i0", lambda x: _growing(x, 0) * torch.exp(x.abs()))
modified_bessel_i1 = _function("special_modified_bessel_i1", lambda x: _growing(x, 1) * torch.exp(x.abs()))
modified_bessel_k0 = _function("special_modified_bessel_k0", lambda x: _k_scaled(x, 0) * torch.exp(-x))
modified_bessel_k1 = _function("special_modified_bessel_k1", lambda x: _k_scaled(x, 1) * torch.exp(-x))
scaled_modified_bessel_k0 = _function("special_scaled_modified_bessel_k0", lambda x: _k_scaled(x, 0))
scaled_modified_bessel_k1 = _function("special_scaled_modified_bessel_k1", lambda x: _k_scaled(x, 1))


def _spherical(x):
    square = x * x
    near = 1 - square / 6 * (1 - square / 20 * (1 - square / 42 * (1 - square / 72 * (1 - square / 110))))
    far = torch.sin(x) / torch.where(x == 0, 1.0, x)
    return torch.where(x.abs() < 0.5, near, torch.where(torch.isinf(x), 0.0, far))


spherical_bessel_j0 = _function("special_spherical_bessel_j0", _spherical)


def _airy_far(size):
    """Airy's function far from 0 by its expansions: of the number, and of its negative."""
    angle = size * torch.sqrt(size) * (2 / 3)
    falling = even = torch.ones_like(size)
    term, odd = falling, torch.zeros_like(size)
    for k in range(1, 16):
        term = term * ((6 * k - 5) * (6 * k - 3) * (6 * k - 1) / (216 * k * (2 * k - 1))) / angle
        falling = falling + (-1) ** k * term
        sign = (-1) ** (k // 2)
        even, odd = (even, odd + sign * term) if k % 2 else (even + sign * term, odd)
    front = 1 / (math.sqrt(math.pi) * torch.sqrt(torch.sqrt(size)))
    turned = angle + math.pi / 4
    above = 0.5 * front * torch.exp(-angle) * falling
    return above, front * (torch.sin(turned) * even - torch.cos(turned) * odd)


def _airy(x):
    above, below = _airy_far(torch.clamp(x.abs(), min=12.0))
    result = _airy_near(torch.clamp(x, -12.0, 12.0))
    result = torch.where(x > 12, above, torch.where(x < -12, below, result))
    return torch.where(torch.isinf(x), math.nan, result)


def _airy_near(x):
    """Its integral along a line above the real axis, through the saddle where there is one."""
    height = torch.where(x > 0, torch.sqrt(x.abs()), torch.rsqrt(torch.clamp(-x, min=1.0)))
    # The integrand falls off as exp(-height * t * t) and turns as fast as t * t + |x|.
    reach = torch.sqrt(40 / torch.clamp(height, min=0.1))
    height = torch.clamp(height, min=0.1)
    t = torch.linspace(-1, 1, 4001, dtype=x.dtype, device=x.device) * reach.unsqueeze(-1)
    c, z = height.unsqueeze(-1), x.unsqueeze(-1)
    size = -c * t * t + c**3 / 3 - z * c
    turn = t**3 / 3 - t * c * c + z * t
    return (torch.exp(size) * torch.cos(turn)).sum(-1) * reach / 2000 / (2 * math.pi)


airy_ai = _function("special_airy_ai", _airy)
