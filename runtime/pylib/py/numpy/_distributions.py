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

    def noncentral_chisquare(self, df, nonc, size=None):
        self._positive("df", df)
        self._positive("nonc", nonc, or_zero=True)
        return self._each(self._noncentral, size, (df, nonc))

    def noncentral_f(self, dfnum, dfden, nonc, size=None):
        self._positive("dfnum", dfnum)
        self._positive("dfden", dfden)
        self._positive("nonc", nonc, or_zero=True)

        def draw(n, m, nonc):
            top = self._noncentral(n, nonc) * m
            return top / (2.0 * self._gamma(m / 2.0) * n)

        return self._each(draw, size, (dfnum, dfden, nonc))

    def _noncentral(self, df, nonc):
        if nonc == 0:
            return 2.0 * self._gamma(df / 2.0)
        if df > 1:
            others = 2.0 * self._gamma((df - 1.0) / 2.0)
            n = self._normal() + math.sqrt(nonc)
            return others + n * n
        return 2.0 * self._gamma((df + 2.0 * self._poisson(nonc / 2.0)) / 2.0)

    def vonmises(self, mu, kappa, size=None):
        self._positive("kappa", kappa, or_zero=True)

        def draw(mu, kappa):
            if kappa < 1e-8:
                return math.pi * (2.0 * self._uniform() - 1.0)
            if kappa < 1e-5:
                s = 1.0 / kappa + kappa
            else:
                r = 1.0 + math.sqrt(1.0 + 4.0 * kappa * kappa)
                rho = (r - math.sqrt(2.0 * r)) / (2.0 * kappa)
                s = (1.0 + rho * rho) / (2.0 * rho)
            while True:
                z = math.cos(math.pi * self._uniform())
                w = (1.0 + s * z) / (s + z)
                y = kappa * (s - w)
                v = self._uniform()
                if y * (2.0 - y) - v >= 0.0 or math.log(y / v) + 1.0 - y >= 0.0:
                    break
            angle = math.acos(w)
            turned = (-angle if self._uniform() < 0.5 else angle) + mu
            within = math.fmod(abs(turned) + math.pi, 2.0 * math.pi) - math.pi
            return -within if turned < 0.0 else within

        return self._each(draw, size, (mu, kappa))

    def zipf(self, a, size=None):
        if not (_as_tensor(a) > 1).all():
            raise ValueError("a <= 1 or a is NaN")

        def draw(a):
            less = a - 1.0
            b = 2.0**less
            while True:
                u = 1.0 - self._uniform()
                v = self._uniform()
                x = math.floor(u ** (-1.0 / less))
                if x > 2.0**63 or x < 1:
                    continue
                t = (1.0 + 1.0 / x) ** less
                if v * x * (t - 1.0) / (b - 1.0) <= t / b:
                    return x

        return self._each(draw, size, (a,), torch.int64)

    def logseries(self, p, size=None):
        t = _as_tensor(p)
        if not ((t >= 0) & (t < 1)).all():
            raise ValueError(f"p < 0, p >= 1 or p {'is NaN' if t.dim() == 0 else 'contains NaNs'}")

        def draw(p):
            r = math.log(1.0 - p)
            while True:
                v = self._uniform()
                if v >= p:
                    return 1
                q = 1.0 - math.exp(r * self._uniform())
                if v <= q * q:
                    found = math.floor(1.0 + math.log(v) / math.log(q)) if v else 0
                    if found >= 1:
                        return found
                    continue
                return 1 if v >= q else 2

        return self._each(draw, size, (p,), torch.int64)

    def hypergeometric(self, ngood, nbad, nsample, size=None):
        self._positive("ngood", ngood, or_zero=True)
        self._positive("nbad", nbad, or_zero=True)
        self._positive("nsample", nsample, or_zero=True)
        if bool((_as_tensor(ngood) + _as_tensor(nbad) < _as_tensor(nsample)).any()):
            raise ValueError("ngood + nbad < nsample")
        return self._each(self._hypergeometric, size, (ngood, nbad, nsample), torch.int64)

    def _hypergeometric(self, good, bad, taken):
        if taken > 10:
            return self._hypergeometric_of_many(good, bad, taken)
        if taken == 0:
            return 0
        rest, left = bad + good - taken, taken
        y = fewer = float(min(bad, good))
        while y > 0.0:
            y -= math.floor(self._uniform() + y / (rest + left))
            left -= 1
            if left == 0:
                break
        found = int(fewer - y)
        return taken - found if good > bad else found

    def _hypergeometric_of_many(self, good, bad, taken):
        """By the ratio of uniform numbers."""
        fewer, more, whole = min(good, bad), max(good, bad), good + bad
        count = min(taken, whole - taken)
        share = fewer / whole
        middle = count * share + 0.5
        width = math.sqrt((whole - count) * taken * share * (1.0 - share) / (whole - 1) + 0.5)
        table = 1.7155277699214135 * width + 0.8989161620588988

        def weight(k):
            parts = (k + 1, fewer - k + 1, count - k + 1, more - count + k + 1)
            return sum(math.lgamma(part) for part in parts)

        top = weight(math.floor((count + 1.0) * (fewer + 1) / (whole + 2)))
        bound = min(min(count, fewer) + 1.0, math.floor(middle + 16.0 * width))
        while True:
            x, y = self._uniform(), self._uniform()
            place = middle + table * (y - 0.5) / x if x else math.inf
            if not 0.0 <= place < bound:
                continue
            found = math.floor(place)
            t = top - weight(found)
            if x * (4.0 - x) - 3.0 <= t:
                break
            if x * (x - t) < 1.0 and 2.0 * math.log(x) <= t:
                break
        found = count - found if good > bad else found
        return good - found if count < taken else found
