"""Orthogonal polynomials of `torch.special`: by their recurrences, and by angles where the degree is high."""

import torch
from torch._results import into


def _degrees(name, x, n):
    """Both as tensors of one shape; the degree as whole numbers."""
    if not isinstance(x, torch.Tensor) and not isinstance(n, torch.Tensor):
        raise TypeError(f"special_{name}(): one of the arguments must be a tensor")
    dtype = torch.result_type(x, n)
    if not dtype.is_floating_point:
        dtype = torch.get_default_dtype()
    x, n = [t.to(dtype) if isinstance(t, torch.Tensor) else torch.tensor(t, dtype=dtype) for t in (x, n)]
    # As in PyTorch, without gradients.
    return torch.broadcast_tensors(x.detach(), n.detach().trunc())


def _recurred(x, n, first, step):
    """The polynomial of each degree: 1, `first`, and what `step(k, one before, two before)` makes of these."""
    before, here = torch.ones_like(x), first
    result = torch.where(n == 0, before, torch.where(n == 1, here, torch.zeros_like(x)))
    if n.numel() == 0:
        return result
    for k in range(2, int(n.max().item()) + 1):
        before, here = here, step(k, here, before)
        result = torch.where(n == k, here, result)
    return torch.where(n < 0, 0.0, result)


def _even(n):
    return torch.remainder(n, 2) == 0


def _chebyshev(x, n, first, at_one, at_minus_one, by_angle, least):
    result = _recurred(x, torch.where((n > least) & (x.abs() < 1), 0.0, n), first, lambda k, q, p: 2 * x * q - p)
    inside = torch.where(x.abs() < 1, x, 0.0)
    result = torch.where((n > least) & (x.abs() < 1), by_angle(torch.acos(inside), inside), result)
    ends = torch.where(x > 0, at_one, at_minus_one)
    return torch.where(n < 0, 0.0, torch.where(x.abs() == 1, ends, result))


def _t(x, n):
    return _chebyshev(x, n, x, 1.0, torch.where(_even(n), 1.0, -1.0), lambda a, x: torch.cos(n * a), 6)


def _u(x, n):
    high = lambda a, x: torch.where(
        torch.sin(a) != 0, torch.sin((n + 1) * a) / torch.sin(a), (n + 1) * torch.cos((n + 1) * a) / x
    )
    return _chebyshev(x, n, x + x, n + 1, torch.where(_even(n), n + 1, -(n + 1)), high, 8)


def _v(x, n):
    high = lambda a, x: torch.cos((n + 0.5) * a) / torch.cos(a / 2)
    return _chebyshev(x, n, x + x - 1, 1.0, torch.where(_even(n), n + n + 1, -(n + n + 1)), high, 8)


def _w(x, n):
    high = lambda a, x: torch.sin((n + 0.5) * a) / torch.sin(a / 2)
    return _chebyshev(x, n, x + x + 1, n + n + 1, torch.where(_even(n), 1.0, -1.0), high, 8)


def _legendre(x, n):
    result = _recurred(x, n, x, lambda k, q, p: ((2 * k - 1) * x * q - (k - 1) * p) / k)
    ends = torch.where((x > 0) | _even(n), 1.0, -1.0)
    return torch.where((x.abs() == 1) & (n >= 0), ends, result)


def _laguerre(x, n):
    return _recurred(x, n, 1 - x, lambda k, q, p: ((2 * k - 1 - x) * q - (k - 1) * p) / k)


def _hermite(x, n):
    return _recurred(x, n, x + x, lambda k, q, p: 2 * x * q - 2 * (k - 1) * p)


def _hermite_e(x, n):
    return _recurred(x, n, x, lambda k, q, p: x * q - (k - 1) * p)


def _shifted(value):
    return lambda x, n: value(x + x - 1, n)


def _function(name, value):
    def function(input, n, *, out=None):
        return into(f"special_{name}", value(*_degrees(name, input, n)), out, input, n)

    function.__name__ = function.__qualname__ = f"special_{name}"
    return function


chebyshev_polynomial_t = _function("chebyshev_polynomial_t", _t)
chebyshev_polynomial_u = _function("chebyshev_polynomial_u", _u)
chebyshev_polynomial_v = _function("chebyshev_polynomial_v", _v)
chebyshev_polynomial_w = _function("chebyshev_polynomial_w", _w)
hermite_polynomial_h = _function("hermite_polynomial_h", _hermite)
hermite_polynomial_he = _function("hermite_polynomial_he", _hermite_e)
laguerre_polynomial_l = _function("laguerre_polynomial_l", _laguerre)
legendre_polynomial_p = _function("legendre_polynomial_p", _legendre)
shifted_chebyshev_polynomial_t = _function("shifted_chebyshev_polynomial_t", _shifted(_t))
shifted_chebyshev_polynomial_u = _function("shifted_chebyshev_polynomial_u", _shifted(_u))
shifted_chebyshev_polynomial_v = _function("shifted_chebyshev_polynomial_v", _shifted(_v))
shifted_chebyshev_polynomial_w = _function("shifted_chebyshev_polynomial_w", _shifted(_w))
