"""Distributions that fewer scripts draw from, in the order of RandomState's draws."""

import math
import torch

from numpy._array import _as_tensor


class Further:
    """Methods of `RandomState`, over its uniform, normal, exponential and gamma draws."""

    def _positive(self, name, value, or_zero=False):
        t = _as_tensor(value)
        if bool((t < 0).any() if or_zero else (t <= 0).any()):
            raise ValueError(f"{name} {'<' if or_zero else '<='} 0")

    def rayleigh(self, scale=1.0, size=None):
        self._positive("scale", scale, or_zero=True)
        return self._each(lambda s: s * math.sqrt(-2.0 * math.log1p(-self._uniform())), size, (scale,))

    def weibull(self, a, size=None):
        self._positive("a", a, or_zero=True)
        return self._each(lambda a: 0.0 if a == 0.0 else self._exponential() ** (1.0 / a), size, (a,))

    def pareto(self, a, size=None):
        self._positive("a", a)
        return self._each(lambda a: math.exp(self._exponential() / a) - 1.0, size, (a,))

    def power(self, a, size=None):
        self._positive("a", a)
        return self._each(lambda a: (1.0 - math.exp(-self._exponential())) ** (1.0 / a), size, (a,))

    def logistic(self, loc=0.0, scale=1.0, size=None):
        self._positive("scale", scale, or_zero=True)

        def draw(loc, scale):
            u = self._uniform()
            while u <= 0.0:
                u = self._uniform()
            return loc + scale * math.log(u / (1.0 - u))

        return self._each(draw, size, (loc, scale))

    def triangular(self, left, mode, right, size=None):
        low, top, high = _as_tensor(left), _as_tensor(mode), _as_tensor(right)
        if bool((low > top).any()):
            raise ValueError("left > mode")
        if bool((top > high).any()):
            raise ValueError("mode > right")
        if bool((low == high).any()):
            raise ValueError("left == right")

        def draw(left, mode, right):
            base = right - left
            below = mode - left
            u = self._uniform()
            if u <= below / base:
                return left + math.sqrt(u * (below * base))
            return right - math.sqrt((1.0 - u) * ((right - mode) * base))

        return self._each(draw, size, (left, mode, right))

    def geometric(self, p, size=None):
        t = _as_tensor(p)
        if bool((t <= 0).any()) or bool((t > 1).any()):
            raise ValueError("p <= 0, p > 1 or p contains NaNs")

        def draw(p):
            if p < 0.333333333333333333333333:
                return math.ceil(math.log1p(-self._uniform()) / math.log(1.0 - p))
            found, whole, part = 1, p, p
            u = self._uniform()
            while u > whole:
                part *= 1.0 - p
                whole += part
                found += 1
            return found

        return self._each(draw, size, (p,), torch.int64)

    def negative_binomial(self, n, p, size=None):
        self._positive("n", n)
        return self._each(lambda n, p: self._poisson((1.0 - p) / p * self._gamma(n)), size, (n, p), torch.int64)

    def standard_t(self, df, size=None):
        self._positive("df", df)

        def draw(df):
            top = self._normal()
            return math.sqrt(df / 2.0) * top / math.sqrt(self._gamma(df / 2.0))

        return self._each(draw, size, (df,))

    def standard_cauchy(self, size=None):
        return self._filled(lambda: self._normal() / self._normal(), size)

    def f(self, dfnum, dfden, size=None):
        self._positive("dfnum", dfnum)
        self._positive("dfden", dfden)

        def draw(n, m):
            top = 2.0 * self._gamma(n / 2.0) * m
            return top / (2.0 * self._gamma(m / 2.0) * n)

        return self._each(draw, size, (dfnum, dfden))

    def wald(self, mean, scale, size=None):
        self._positive("mean", mean)
        self._positive("scale", scale)

        def draw(mean, scale):
            y = self._normal()
            y = mean * y * y
            x = mean + mean / (2.0 * scale) * (y - math.sqrt(4.0 * scale * y + y * y))
            return x if self._uniform() <= mean / (mean + x) else mean * mean / x

        return self._each(draw, size, (mean, scale))
