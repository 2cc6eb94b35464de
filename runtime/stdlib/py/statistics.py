"""Averages and spread."""

import math

__all__ = ["mean", "fmean", "geometric_mean", "harmonic_mean", "median", "median_low", "median_high", "mode",
           "multimode", "pstdev", "pvariance", "stdev", "variance", "quantiles", "StatisticsError",
           "correlation", "covariance", "linear_regression", "NormalDist"]


class StatisticsError(ValueError):
    pass


def _exact_sum(values):
    """The sum as a fraction (numerator, denominator), or a float if a value is not finite."""
    numerator, denominator = 0, 1
    for value in values:
        if isinstance(value, float) and not math.isfinite(value):
            return math.fsum(values), 1
        n, d = value.as_integer_ratio()
        numerator, denominator = numerator * d + n * denominator, denominator * d
        common = math.gcd(numerator, denominator)
        numerator, denominator = numerator // common, denominator // common
    return numerator, denominator


def _as_number(numerator, denominator, values):
    if all(isinstance(value, int) for value in values) and numerator % denominator == 0:
        return numerator // denominator
    return numerator / denominator


def mean(data):
    data = list(data)
    if not data:
        raise StatisticsError("mean requires at least one data point")
    numerator, denominator = _exact_sum(data)
    return _as_number(numerator, denominator * len(data), data)


def fmean(data, weights=None):
    data = list(data)
    if not data:
        raise StatisticsError("fmean requires at least one data point")
    if weights is None:
        return math.fsum(data) / len(data)
    weights = list(weights)
    if len(weights) != len(data):
        raise StatisticsError("data and weights must be the same length")
    return math.fsum(x * w for x, w in zip(data, weights)) / math.fsum(weights)


def geometric_mean(data):
    try:
        return math.exp(fmean(map(math.log, data)))
    except ValueError:
        raise StatisticsError("geometric mean requires a non-empty dataset containing positive numbers") from None


def harmonic_mean(data, weights=None):
    data = list(data)
    if not data:
        raise StatisticsError("harmonic_mean requires at least one data point")
    if any(x < 0 for x in data):
        raise StatisticsError("harmonic mean does not support negative values")
    if any(x == 0 for x in data):
        return 0
    if weights is None:
        weights = [1] * len(data)
    numerator, denominator = _exact_sum([w / x for w, x in zip(weights, data)])
    total, scale = _exact_sum(weights)
    return total * denominator / (scale * numerator)


def _sorted(data, name):
    data = sorted(data)
    if not data:
        raise StatisticsError("no median for empty data")
    return data


def median(data):
    data = _sorted(data, "median")
    n = len(data)
    return data[n // 2] if n % 2 else (data[n // 2 - 1] + data[n // 2]) / 2


def median_low(data):
    data = _sorted(data, "median")
    return data[(len(data) - 1) // 2]


def median_high(data):
    data = _sorted(data, "median")
    return data[len(data) // 2]


def _counts(data):
    counts = {}
    for value in data:
        counts[value] = counts.get(value, 0) + 1
    return counts


def mode(data):
    counts = _counts(data)
    if not counts:
        raise StatisticsError("no mode for empty data")
    return max(counts, key=counts.get)


def multimode(data):
    counts = _counts(data)
    most = max(counts.values(), default=0)
    return [value for value, count in counts.items() if count == most]


def _squares(data, center):
    """The exact sum of squared differences from the mean, as a fraction, and the count."""
    data = list(data)
    n = len(data)
    if center is None:
        numerator, denominator = _exact_sum(data)
        center_n, center_d = numerator, denominator * n
    else:
        center_n, center_d = center.as_integer_ratio()
    numerator, denominator = 0, 1
    for value in data:
        a, b = value.as_integer_ratio()
        d_n, d_d = a * center_d - center_n * b, b * center_d
        numerator, denominator = numerator * d_d * d_d + d_n * d_n * denominator, denominator * d_d * d_d
        common = math.gcd(numerator, denominator)
        numerator, denominator = numerator // common, denominator // common
    return numerator, denominator, n, data


def variance(data, xbar=None):
    data = list(data)
    if len(data) < 2:
        raise StatisticsError("variance requires at least two data points")
    numerator, denominator, n, data = _squares(data, xbar)
    return _as_number(numerator, denominator * (n - 1), data)


def pvariance(data, mu=None):
    data = list(data)
    if not data:
        raise StatisticsError("pvariance requires at least one data point")
    numerator, denominator, n, data = _squares(data, mu)
    return _as_number(numerator, denominator * n, data)


def _root(numerator, denominator):
    # Scaled so that the integer root has more bits than a float keeps.
    shift = max(0, 2 * (64 + denominator.bit_length() - numerator.bit_length() // 2))
    root = math.isqrt((numerator << shift) // denominator)
    return root / 2 ** (shift // 2) if root else 0.0


def stdev(data, xbar=None):
    data = list(data)
    if len(data) < 2:
        raise StatisticsError("stdev requires at least two data points")
    numerator, denominator, n, _ = _squares(data, xbar)
    return _root(numerator, denominator * (n - 1))


def pstdev(data, mu=None):
    data = list(data)
    if not data:
        raise StatisticsError("pstdev requires at least one data point")
    numerator, denominator, n, _ = _squares(data, mu)
    return _root(numerator, denominator * n)


def quantiles(data, *, n=4, method="exclusive"):
    if n < 1:
        raise StatisticsError("n must be at least 1")
    data = sorted(data)
    size = len(data)
    if size < 2:
        raise StatisticsError("must have at least two data points")
    result = []
    for i in range(1, n):
        if method == "inclusive":
            j, delta = divmod(i * (size - 1), n)
            result.append((data[j] * (n - delta) + data[j + 1] * delta) / n)
        elif method == "exclusive":
            m = size + 1
            j = min(max(i * m // n, 1), size - 1)
            delta = i * m - j * n
            result.append((data[j - 1] * (n - delta) + data[j] * delta) / n)
        else:
            raise ValueError(f"Unknown method: {method!r}")
    return result


def covariance(x, y, /):
    n = len(x)
    if len(y) != n:
        raise StatisticsError("covariance requires that both inputs have same number of data points")
    if n < 2:
        raise StatisticsError("covariance requires at least two data points")
    mx, my = math.fsum(x) / n, math.fsum(y) / n
    return math.fsum((a - mx) * (b - my) for a, b in zip(x, y)) / (n - 1)


def correlation(x, y, /):
    n = len(x)
    mx, my = math.fsum(x) / n, math.fsum(y) / n
    sxy = math.fsum((a - mx) * (b - my) for a, b in zip(x, y))
    sxx = math.fsum((a - mx) ** 2 for a in x)
    syy = math.fsum((b - my) ** 2 for b in y)
    try:
        return sxy / math.sqrt(sxx * syy)
    except ZeroDivisionError:
        raise StatisticsError("at least one of the inputs is constant") from None


def linear_regression(x, y, /, *, proportional=False):
    from collections import namedtuple
    n = len(x)
    mx, my = (0.0, 0.0) if proportional else (math.fsum(x) / n, math.fsum(y) / n)
    sxy = math.fsum((a - mx) * (b - my) for a, b in zip(x, y))
    sxx = math.fsum((a - mx) ** 2 for a in x)
    slope = sxy / sxx
    return namedtuple("LinearRegression", ("slope", "intercept"))(slope, 0.0 if proportional else my - slope * mx)


class NormalDist:
    def __init__(self, mu=0.0, sigma=1.0):
        if sigma < 0.0:
            raise StatisticsError("sigma must be non-negative")
        self._mu, self._sigma = float(mu), float(sigma)

    mean = median = mode = property(lambda self: self._mu)
    stdev = property(lambda self: self._sigma)
    variance = property(lambda self: self._sigma * self._sigma)

    @classmethod
    def from_samples(cls, data):
        data = list(data)
        return cls(fmean(data), stdev(data))

    def pdf(self, x):
        variance = self._sigma * self._sigma
        return math.exp((x - self._mu) ** 2 / (-2.0 * variance)) / math.sqrt(math.tau * variance)

    def cdf(self, x):
        return 0.5 * (1.0 + math.erf((x - self._mu) / (self._sigma * math.sqrt(2.0))))

    def samples(self, n, *, seed=None):
        import random
        gauss = random.gauss if seed is None else random.Random(seed).gauss
        return [gauss(self._mu, self._sigma) for _ in range(n)]

    def __repr__(self):
        return f"{type(self).__name__}(mu={self._mu!r}, sigma={self._sigma!r})"
