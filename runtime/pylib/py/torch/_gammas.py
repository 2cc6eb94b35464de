"""Functions about the gamma function and the normal distribution, and the parts of floats."""

import math

import torch
from torch._results import as_float, differentiated, in_double, into, kind

# The even Bernoulli numbers over the factorials of their indices.
_BERNOULLI = (
    1 / 12, -1 / 720, 1 / 30240, -1 / 1209600, 1 / 47900160, -691 / 1307674368000, 1 / 74724249600,
    -3617 / 10670622842880000, 43867 / 5109094217170944000,
)
_MOST_TERMS = 2000
# How near to 1 a factor of a continued fraction gets: at the last digit it may go to and fro.
ROUNDING = 4e-16


def _pair(name, a, b):
    """Two tensors or numbers as floats of one dtype."""
    if not isinstance(a, torch.Tensor) and not isinstance(b, torch.Tensor):
        raise TypeError(f"{name}(): one of the arguments must be a tensor")
    dtype = torch.result_type(a, b)
    if dtype.is_complex:
        raise NotImplementedError(f"\"{name}_cpu\" not implemented for '{kind(dtype)}'")
    if not dtype.is_floating_point:
        dtype = torch.get_default_dtype()
    a, b = [t.to(dtype) if isinstance(t, torch.Tensor) else torch.tensor(t, dtype=dtype) for t in (a, b)]
    return torch.broadcast_tensors(a, b)


def _zeta(s, q):
    """Hurwitz's zeta function. Far below zero its terms are those of two fractions and what lies beyond."""
    far = (q < -100) & (s == s.floor()) & (q != q.floor()) & torch.isfinite(q)
    if not far.any():
        return _zeta_sum(s, q)
    fraction = torch.where(far, q - q.floor(), 0.5)
    other = _zeta_sum(s, 1 - fraction) - _zeta_sum(s, torch.where(far, 1 - q, 1.0))
    folded = _zeta_sum(s, fraction) + torch.where(s % 2 == 0, other, -other)
    return torch.where(far, folded, _zeta_sum(s, torch.where(far, 1.0, q)))


def _zeta_sum(s, q):
    """Its terms up to a large one, and Euler's and Maclaurin's sum for the others."""
    total, at = torch.zeros_like(q), q.clone()
    for _ in range(_MOST_TERMS):
        low = at <= 9
        if not low.any():
            break
        total = torch.where(low, total + at.pow(-s), total)
        at = torch.where(low, at + 1, at)
    power = at.pow(-s)
    total = total + power * at / (s - 1) + power * 0.5
    factor = s * power / at
    for k, b in enumerate(_BERNOULLI):
        total = total + b * factor
        factor = factor * (s + 2 * k + 1) * (s + 2 * k + 2) / (at * at)
    total = torch.where(torch.isinf(q) & (q > 0), 0.0, total)
    nan = torch.full_like(total, math.nan)
    total = torch.where((q < 0) & (s != s.floor()), nan, total)
    total = torch.where((q <= 0) & (q == q.floor()), math.inf, total)
    total = torch.where(torch.isinf(s) & (q > 0), torch.where(q > 1, 0.0, torch.where(q == 1, 1.0, math.inf)), total)
    return torch.where(s == 1, math.inf, torch.where((s < 1) | torch.isnan(q) | torch.isnan(s), nan, total))


def zeta(input, other, *, out=None):
    a, b = _pair("zeta", input, other)
    result = differentiated(
        lambda s, q: in_double(_zeta, s, q),
        ["the derivative for 'zeta' is not implemented.", lambda s, q: -s * zeta(s + 1, q)], a, b,
    )
    return into("special_zeta", result, out, input, other)


def _polygamma(n, x):
    order = torch.full_like(x, n + 1)
    return (-1) ** (n + 1) * math.gamma(n + 1) * _zeta(order, x)


def of_tensor(input, n):
    """`Tensor.polygamma`"""
    return polygamma(n, input)


def polygamma(n, input, *, out=None):
    if not isinstance(n, int):
        raise TypeError(f"polygamma(): argument 'n' (position 1) must be int, not {type(n).__name__}")
    if not isinstance(input, torch.Tensor):
        raise TypeError(f"polygamma(): argument 'input' (position 2) must be Tensor, not {type(input).__name__}")
    if n < 0:
        raise RuntimeError("polygamma(n, x) does not support negative n.")
    x = as_float(input)
    if n == 0:
        return into("polygamma", torch.digamma(x), out, input)
    result = differentiated(lambda x: in_double(lambda x: _polygamma(n, x), x), [lambda x: polygamma(n + 1, x)], x)
    return into("polygamma", result, out, input)


def mvlgamma(input, p, *, out=None):
    if not isinstance(p, int) or isinstance(p, bool):
        raise TypeError(f"mvlgamma(): argument 'p' (position 2) must be int, not {type(p).__name__}")
    x = as_float(input)
    if p < 1:
        raise RuntimeError("p has to be greater than or equal to 1")
    steps = torch.arange(0.5 * (1 - p), 0.5, 0.5, dtype=x.dtype, device=x.device)
    result = torch.lgamma(x.unsqueeze(-1) + steps).sum(-1) + 0.25 * p * (p - 1) * math.log(math.pi)
    return into("mvlgamma", result, out, input)


def _front(a, x):
    """`x**a * exp(-x) / gamma(a + 1)`, of large ones by the excess of x over a."""
    plain = torch.exp(a * torch.log(x) - x - torch.lgamma(a + 1))
    over = (x - a) / a
    # By Stirling's series.
    stirling = 1 / (12 * a) - 1 / (360 * a**3) + 1 / (1260 * a**5) - 1 / (1680 * a**7)
    large = torch.exp(a * (torch.log1p(over) - over) - stirling) / torch.sqrt(2 * math.pi * a)
    return torch.where((a > 20) & (over.abs() < 0.7), large, plain)


def _lower(a, x):
    """The lower regularized gamma function by its power series."""
    term = torch.ones_like(x)
    total, n = term, a
    for _ in range(_MOST_TERMS):
        n = n + 1
        term = term * x / n
        total = total + term
        if not (term > total * 1e-17).any():
            break
    return total * _front(a, x)


def _upper(a, x):
    """The upper regularized gamma function by its continued fraction, from the front."""
    tiny = 1e-300
    b = x + 1 - a
    c = torch.full_like(x, 1 / tiny)
    d = 1 / b
    h = d
    for i in range(1, _MOST_TERMS):
        an = -i * (i - a)
        b = b + 2
        d = an * d + b
        d = 1 / torch.where(d.abs() < tiny, tiny, d)
        c = b + an / c
        c = torch.where(c.abs() < tiny, tiny, c)
        step = d * c
        h = h * step
        if not ((step - 1).abs() > ROUNDING).any():
            break
    return h * a * _front(a, x)


def _gammainc(a, x, lower):
    fits = (a > 0) & (x > 0) & torch.isfinite(a) & torch.isfinite(x)
    safe_a, safe_x = torch.where(fits, a, 1.0), torch.where(fits, x, 1.0)
    below = safe_x < safe_a + 1
    low = _lower(safe_a, torch.where(below, safe_x, safe_a))
    high = _upper(safe_a, torch.where(below, safe_a + 1, safe_x))
    result = torch.where(below, low, 1 - high) if lower else torch.where(below, 1 - low, high)
    all_below, none_below = (1.0, 0.0) if lower else (0.0, 1.0)
    result = torch.where((x == 0) & (a > 0), none_below, result)
    result = torch.where((a == 0) & (x > 0), all_below, result)
    result = torch.where(torch.isinf(a), none_below, torch.where(torch.isinf(x), all_below, result))
    wrong = (a < 0) | (x < 0) | torch.isnan(a) | torch.isnan(x) | (a == 0) & (x == 0) | torch.isinf(a) & torch.isinf(x)
    return torch.where(wrong, math.nan, result)


def _density(a, x):
    return torch.exp((a - 1) * torch.log(x) - x - torch.lgamma(a))


def igamma(input, other, *, out=None):
    a, x = _pair("igamma", input, other)
    result = differentiated(
        lambda a, x: in_double(lambda a, x: _gammainc(a, x, True), a, x),
        ["the derivative for 'igamma: input' is not implemented.", _density], a, x,
    )
    return into("igamma", result, out, input, other)


def igammac(input, other, *, out=None):
    a, x = _pair("igammac", input, other)
    result = differentiated(
        lambda a, x: in_double(lambda a, x: _gammainc(a, x, False), a, x),
        ["the derivative for 'igammac: input' is not implemented.", lambda a, x: -_density(a, x)], a, x,
    )
    return into("igammac", result, out, input, other)


gammainc, gammaincc = igamma, igammac


# The normal distribution


def _erfcx(x):
    """`exp(x * x) * erfc(x)`; of large ones the integral of exp(-t * t) / (x * x + t * t) by the trapezoid rule."""
    near = torch.exp(x * x) * torch.erfc(x)
    step = 0.25
    t = torch.arange(-32, 33, dtype=x.dtype, device=x.device) * step
    far = torch.where(x > 1.9, x, 2.0)
    terms = torch.exp(-t * t) / (far.unsqueeze(-1) ** 2 + t * t)
    large = terms.sum(-1) * far * (step / math.pi)
    return torch.where(x > 1.9, torch.where(torch.isinf(x), 0.0, large), near)


def erfcx(input, *, out=None):
    result = differentiated(
        lambda x: in_double(_erfcx, x), [lambda x: 2 * x * erfcx(x) - 2 / math.sqrt(math.pi)], as_float(input)
    )
    return into("special_erfcx", result, out, input)


def ndtr(input, *, out=None):
    x = as_float(input)
    return into("special_ndtr", (1 + torch.erf(x * math.sqrt(0.5))) * 0.5, out, input)


def _log_ndtr(x):
    low = torch.log(_erfcx(x * -math.sqrt(0.5)) * 0.5) - x * x * 0.5
    return torch.where(x < -1, low, torch.log1p(-0.5 * torch.erfc(x * math.sqrt(0.5))))


def log_ndtr(input, *, out=None):
    result = differentiated(
        lambda x: in_double(_log_ndtr, x),
        [lambda x: math.sqrt(2 / math.pi) / erfcx(x * -math.sqrt(0.5))], as_float(input),
    )
    return into("special_log_ndtr", result, out, input)


def _ndtri(p):
    """The inverse of the normal distribution: Newton's steps for the logarithm of its lower half."""
    inside = (p > 0) & (p < 1)
    low = torch.where(inside, torch.minimum(p, 1 - p), 0.25)
    target = torch.log(low)
    x = -torch.sqrt(-2 * target)
    x = torch.where(low > 0.01, math.sqrt(2) * torch.erfinv(2 * low - 1), x)
    for _ in range(12):
        value = _log_ndtr(x)
        slope = torch.exp(-x * x * 0.5 - value) / math.sqrt(2 * math.pi)
        x = x - (value - target) / slope
    x = torch.where(p > 0.5, -x, x)
    x = torch.where(p == 0, -math.inf, torch.where(p == 1, math.inf, x))
    return torch.where((p < 0) | (p > 1) | torch.isnan(p), math.nan, x)


def ndtri(input, *, out=None):
    result = differentiated(
        lambda p: in_double(_ndtri, p), [lambda p: math.sqrt(2 * math.pi) * torch.exp(ndtri(p).square() / 2)],
        as_float(input),
    )
    return into("special_ndtri", result, out, input)


# The parts of floats

_INTS = {torch.float64: torch.int64, torch.float32: torch.int32, torch.bfloat16: torch.int16, torch.float16: torch.int16}


def nextafter(input, other, *, out=None):
    dtype = torch.result_type(input, other)
    if dtype not in _INTS:
        raise NotImplementedError("\"nextafter_cpu\" not implemented for '%s'" % kind(dtype))
    a, b = torch.broadcast_tensors(input.detach().to(dtype), other.detach().to(dtype))
    bits = a.contiguous().view(_INTS[dtype])
    step = torch.where((b > a) == (a > 0), 1, -1).to(bits.dtype)
    moved = (bits + step).view(dtype)
    smallest = torch.copysign(torch.ones_like(bits).view(dtype), b)
    moved = torch.where(a == 0, smallest, moved)
    moved = torch.where(a == b, b, torch.where(torch.isnan(a) | torch.isnan(b), math.nan, moved))
    no_slope = "the derivative for 'nextafter' is not implemented."
    moved = differentiated(lambda a, b: moved.clone(), [no_slope, no_slope], input, other)
    return into("nextafter", moved, out, input, other)


def frexp(input, *, out=None):
    if not input.is_floating_point():
        raise RuntimeError("torch.frexp() only supports floating-point dtypes")
    x = input.detach().to(torch.float64)
    # Denormals get the digits of normal ones first.
    small = (x.abs() < 2.0**-1022) & (x != 0)
    bits = torch.where(small, x * 2.0**54, x).view(torch.int64)
    exponent = ((bits >> 52) & 0x7FF) - 1022 - torch.where(small, 54, 0)
    exponent = torch.where((x == 0) | ~torch.isfinite(x), 0, exponent)
    half = exponent // 2
    scale = [torch.pow(torch.full_like(x, 2.0), -e).to(torch.float64) for e in (half, exponent - half)]
    mantissa = (input.to(torch.float64) * scale[0] * scale[1]).to(input.dtype)
    mantissa = torch.where(torch.isfinite(input), mantissa, input) if not torch.isfinite(x).all() else mantissa
    result = torch.return_types.frexp((mantissa, exponent.to(torch.int32)))
    if out is None:
        return result
    return torch.return_types.frexp((into("frexp", result[0], out[0], input), into("frexp", result[1], out[1])))
