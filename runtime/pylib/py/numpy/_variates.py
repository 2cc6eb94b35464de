"""The distributions of a Generator, whose numbers are drawn in Rust (`runtime/torch/src/numpy_draws`)."""

import operator

import torch
from torch import _C

from numpy._array import _as_tensor, _wrap, asarray, ndarray
from numpy._draws import common_shape, count_of, extents

# What is asked of a parameter: what an element has to be, and what is said of a number, and of an array, that is not.
_POSITIVE = (lambda x: ~(x <= 0), "{0} <= 0", "{0} <= 0")
_NON_NEGATIVE = (lambda x: ~(x < 0), "{0} < 0", "{0} < 0")
_PROBABILITY = (lambda x: (x >= 0) & (x <= 1), "{0} < 0, {0} > 1 or {0} is NaN", "{0} < 0, {0} > 1 or {0} contains NaNs")
_CHANCE = (lambda x: (x > 0) & (x <= 1), "{0} <= 0, {0} > 1 or {0} contains NaNs", "{0} <= 0, {0} > 1 or {0} contains NaNs")
_BELOW_ONE = (lambda x: (x >= 0) & (x < 1), "{0} < 0, {0} >= 1 or {0} is NaN", "{0} < 0, {0} >= 1 or {0} contains NaNs")
_ABOVE_ONE = (lambda x: x > 1, "{0} <= 1 or {0} is NaN", "{0} <= 1 or {0} contains NaNs")
_RATE = (lambda x: x >= 0, "{0} < 0 or {0} is NaN", "{0} < 0 or {0} contains NaNs")
_ANY = None
# Above it a number of the Poisson distribution may have no place in an int.
_LARGEST_RATE = 9.223372006484771e18


def _checked(name, value, wanted):
    """A parameter as a number, or as a tensor of float64."""
    if isinstance(value, (int, float)):
        if wanted is not None and not wanted[0](torch.tensor(float(value))):
            raise ValueError(wanted[1].format(name))
        return float(value)
    t = _as_tensor(value).to(torch.float64)
    if wanted is not None and not wanted[0](t).all():
        raise ValueError((wanted[1] if t.dim() == 0 else wanted[2]).format(name))
    return t.item() if t.dim() == 0 and not isinstance(value, ndarray) else t


class Variates:
    """Over `_pcg`, a state of PCG64."""

    def _variates(self, name, size, *parameters):
        """Draws of a distribution; each parameter is its name, what was given and what is asked of it."""
        given = [_checked(*parameter) for parameter in parameters]
        tensors = [p for p in given if not isinstance(p, float)]
        if size is None and not tensors:
            return _C._pcg_draw(self._pcg, name, None, *given)
        if not tensors:
            shape = extents(size)
            return _wrap(_C._pcg_draw(self._pcg, name, count_of(shape), *given).reshape(shape))
        shape = common_shape(size, [() if isinstance(p, float) else p.shape for p in given])
        rows = [p if isinstance(p, float) else p.expand(shape).reshape(-1).contiguous() for p in given]
        drawn = _C._pcg_draw(self._pcg, name, count_of(shape), *rows)
        return drawn.item() if size is None and not shape else _wrap(drawn.reshape(shape))

    def standard_exponential(self, size=None, dtype=float, method="zig", out=None):
        return self._of_dtype("inverted_exponential" if method == "inv" else "standard_exponential", size, dtype, out)

    def exponential(self, scale=1.0, size=None):
        scale = _checked("scale", scale, _NON_NEGATIVE)
        if isinstance(scale, float):
            return self._variates("standard_exponential", size) * scale
        shape = tuple(scale.shape) if size is None else size
        return self._variates("standard_exponential", shape) * _wrap(scale)

    def standard_gamma(self, shape, size=None, dtype=float, out=None):
        if isinstance(dtype, type) and dtype is float and out is None:
            return self._variates("standard_gamma", size, ("shape", shape, _NON_NEGATIVE))
        if not isinstance(shape, (int, float)):
            extent = asarray(shape).shape
            size = extent if size is None and out is None else size
        return self._of_dtype("standard_gamma", size, dtype, out, _checked("shape", shape, _NON_NEGATIVE))

    def gamma(self, shape, scale=1.0, size=None):
        return self._variates("gamma", size, ("shape", shape, _NON_NEGATIVE), ("scale", scale, _NON_NEGATIVE))

    def beta(self, a, b, size=None):
        return self._variates("beta", size, ("a", a, _POSITIVE), ("b", b, _POSITIVE))

    def chisquare(self, df, size=None):
        return self._variates("chisquare", size, ("df", df, _POSITIVE))

    def noncentral_chisquare(self, df, nonc, size=None):
        return self._variates("noncentral_chisquare", size, ("df", df, _POSITIVE), ("nonc", nonc, _NON_NEGATIVE))

    def f(self, dfnum, dfden, size=None):
        return self._variates("f", size, ("dfnum", dfnum, _POSITIVE), ("dfden", dfden, _POSITIVE))

    def noncentral_f(self, dfnum, dfden, nonc, size=None):
        return self._variates(
            "noncentral_f", size,
            ("dfnum", dfnum, _POSITIVE), ("dfden", dfden, _POSITIVE), ("nonc", nonc, _NON_NEGATIVE),
        )

    def standard_cauchy(self, size=None):
        return self._variates("standard_cauchy", size)

    def standard_t(self, df, size=None):
        return self._variates("standard_t", size, ("df", df, _POSITIVE))

    def vonmises(self, mu, kappa, size=None):
        return self._variates("vonmises", size, ("mu", mu, _ANY), ("kappa", kappa, _NON_NEGATIVE))

    def pareto(self, a, size=None):
        return self._variates("pareto", size, ("a", a, _POSITIVE))

    def weibull(self, a, size=None):
        return self._variates("weibull", size, ("a", a, _NON_NEGATIVE))

    def power(self, a, size=None):
        return self._variates("power", size, ("a", a, _POSITIVE))

    def laplace(self, loc=0.0, scale=1.0, size=None):
        return self._variates("laplace", size, ("loc", loc, _ANY), ("scale", scale, _NON_NEGATIVE))

    def gumbel(self, loc=0.0, scale=1.0, size=None):
        return self._variates("gumbel", size, ("loc", loc, _ANY), ("scale", scale, _NON_NEGATIVE))

    def logistic(self, loc=0.0, scale=1.0, size=None):
        return self._variates("logistic", size, ("loc", loc, _ANY), ("scale", scale, _NON_NEGATIVE))

    def rayleigh(self, scale=1.0, size=None):
        return self._variates("rayleigh", size, ("scale", scale, _NON_NEGATIVE))

    def wald(self, mean, scale, size=None):
        return self._variates("wald", size, ("mean", mean, _POSITIVE), ("scale", scale, _POSITIVE))

    def triangular(self, left, mode, right, size=None):
        low, top, high = _as_tensor(left), _as_tensor(mode), _as_tensor(right)
        if bool((low > top).any()):
            raise ValueError("left > mode")
        if bool((top > high).any()):
            raise ValueError("mode > right")
        if bool((low == high).any()):
            raise ValueError("left == right")
        return self._variates("triangular", size, ("left", left, _ANY), ("mode", mode, _ANY), ("right", right, _ANY))

    # Of ints

    def poisson(self, lam=1.0, size=None):
        if bool((_as_tensor(lam) > _LARGEST_RATE).any()):
            raise ValueError("lam value too large")
        return self._variates("poisson", size, ("lam", lam, _RATE))

    def binomial(self, n, p, size=None):
        # The probability is looked at first.
        p = _checked("p", p, _PROBABILITY)
        return self._variates("binomial", size, ("n", n, _NON_NEGATIVE), ("p", p if isinstance(p, float) else _wrap(p), _ANY))

    def negative_binomial(self, n, p, size=None):
        return self._variates("negative_binomial", size, ("n", n, _POSITIVE), ("p", p, _CHANCE))

    def geometric(self, p, size=None):
        return self._variates("geometric", size, ("p", p, _CHANCE))

    def zipf(self, a, size=None):
        return self._variates("zipf", size, ("a", a, _ABOVE_ONE))

    def logseries(self, p, size=None):
        return self._variates("logseries", size, ("p", p, _BELOW_ONE))

    def hypergeometric(self, ngood, nbad, nsample, size=None):
        good, bad, taken = _as_tensor(ngood), _as_tensor(nbad), _as_tensor(nsample)
        if bool((good >= 10**9).any()) or bool((bad >= 10**9).any()):
            raise ValueError("both ngood and nbad must be less than 1000000000")
        if bool((good + bad < taken).any()):
            raise ValueError("ngood + nbad < nsample")
        return self._variates(
            "hypergeometric", size,
            ("ngood", ngood, _NON_NEGATIVE), ("nbad", nbad, _NON_NEGATIVE), ("nsample", nsample, _NON_NEGATIVE),
        )

    # Of several numbers at once

    def multinomial(self, n, pvals, size=None):
        p = _as_tensor(pvals).to(torch.float64)
        if p.dim() == 0 or p.shape[-1] == 0:
            raise ValueError(
                "pvals must have at least 1 dimension and the last dimension of pvals must be greater than 0."
            )
        if not ((p >= 0) & (p <= 1)).all():
            raise ValueError("pvals < 0, pvals > 1 or pvals contains NaNs")
        if bool((p[..., :-1].sum(-1) > 1.0 + 1e-12).any()):
            raise ValueError(f"sum(pvals[{':-1' if p.dim() == 1 else '...,:-1'}]) > 1.0")
        n = _as_tensor(n)
        if bool((n < 0).any()):
            raise ValueError("n < 0")
        if n.dim() == 0 and p.dim() == 1:
            shape = [] if size is None else extents(size)
        else:
            shape = common_shape(size, [n.shape, p.shape[:-1]])
        kinds = p.shape[-1]
        trials = n.expand(shape).reshape(-1).tolist()
        rows = p.expand([*shape, kinds]).reshape(-1, kinds).tolist()
        found = [self._multinomial(count, row) for count, row in zip(trials, rows)]
        return _wrap(torch.tensor(found, dtype=torch.int64).reshape([*shape, kinds]))

    def _multinomial(self, left, pvals):
        found, share = [0] * len(pvals), 1.0
        for j, p in enumerate(pvals[:-1]):
            found[j] = _C._pcg_draw(self._pcg, "binomial", None, left, p / share)
            left -= found[j]
            if left <= 0:
                break
            share -= p
        if left > 0:
            found[-1] = left
        return found

    def multivariate_hypergeometric(self, colors, nsample, size=None, method="marginals"):
        if method not in ("count", "marginals"):
            raise ValueError('method must be "count" or "marginals".')
        try:
            nsample = operator.index(nsample)
        except TypeError:
            raise ValueError("nsample must be an integer") from None
        if nsample < 0:
            raise ValueError("nsample must be nonnegative.")
        t = _as_tensor(colors)
        if t.dim() != 1 or t.is_floating_point() or bool((t < 0).any()):
            raise ValueError(
                f"colors must be a one-dimensional sequence of nonnegative integers not exceeding {2**63 - 1}."
            )
        t = t.to(torch.int64)
        if nsample > int(t.sum()):
            raise ValueError("nsample > sum(colors)")
        if method == "count":
            raise NotImplementedError(
                "Generator.multivariate_hypergeometric(): the method count is not implemented in janus-jit yet"
            )
        shape = [] if size is None else extents(size)
        rows = [_C._pcg_hypergeometric(self._pcg, t.contiguous(), nsample) for _ in range(count_of(shape))]
        made = torch.stack(rows) if rows else torch.empty(0, dtype=torch.int64)
        return _wrap(made.reshape([*shape, t.shape[0]]))

    def dirichlet(self, alpha, size=None):
        t = _as_tensor(alpha).to(torch.float64)
        if t.dim() != 1:
            raise ValueError("object of too small depth for desired array" if t.dim() == 0 else "object too deep for desired array")
        if bool((t < 0).any()):
            raise ValueError("alpha < 0")
        shape, kinds = [] if size is None else extents(size), t.shape[0]
        count = count_of(shape)
        if kinds and t.max().item() < 0.1:
            rows = [self._broken_stick(t.tolist()) for _ in range(count)]
            return _wrap(torch.tensor(rows, dtype=torch.float64).reshape([*shape, kinds]))
        drawn = _C._pcg_draw(self._pcg, "standard_gamma", count * kinds, t.repeat(count)).reshape(count, kinds)
        # Added up from the left, as NumPy does.
        total = torch.zeros(count, dtype=torch.float64)
        for column in drawn.unbind(1):
            total = total + column
        return _wrap((drawn * (1.0 / total).unsqueeze(1)).reshape([*shape, kinds]))

    def _broken_stick(self, alpha):
        """For small parameters, of which all gamma draws may be zero: beta draws of what is left."""
        found, left = [0.0] * len(alpha), 1.0
        # What is left of the parameters from a place on, added up from the right.
        rest, total = [0.0] * len(alpha), 0.0
        for j in reversed(range(len(alpha))):
            total += alpha[j]
            rest[j] = total
        if total == 0.0:
            return found
        for j in range(len(alpha) - 1):
            share = _C._pcg_draw(self._pcg, "beta", None, alpha[j], rest[j + 1]) if rest[j + 1] else 1.0
            found[j] = left * share
            left *= 1.0 - share
            if rest[j + 1] == 0.0:
                return found
        found[-1] = left
        return found
