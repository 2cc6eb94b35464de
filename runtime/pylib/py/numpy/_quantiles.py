"""Where a quantile lies among sorted numbers: the ways that Hyndman and Fan number, and NumPy's older ones."""

import math

# Of each the two numbers that its continuous form is told by.
_CONTINUOUS = {
    "linear": (1.0, 1.0), "interpolated_inverted_cdf": (0.0, 1.0), "hazen": (0.5, 0.5), "weibull": (0.0, 0.0),
    "median_unbiased": (1 / 3, 1 / 3), "normal_unbiased": (3 / 8, 3 / 8),
}
# What these give are elements.
DISCRETE = ("lower", "higher", "nearest", "inverted_cdf", "closest_observation")
METHODS = (*_CONTINUOUS, *DISCRETE, "midpoint", "averaged_inverted_cdf")


def _even(x):
    """To the nearest, of two that are as near the even one."""
    low = math.floor(x)
    part = x - low
    return low + (part > 0.5 or part == 0.5 and low % 2 == 1)


def place(method, n, q):
    """The element below a quantile, and the share of the next one."""
    at, last = q * (n - 1), n - 1
    if method == "lower":
        return math.floor(at), 0.0
    if method == "higher":
        return math.ceil(at), 0.0
    if method == "nearest":
        return _even(at), 0.0
    if method == "midpoint":
        low = math.floor(at)
        return low, 0.0 if at == low else 0.5
    if method in ("inverted_cdf", "averaged_inverted_cdf", "closest_observation"):
        at = n * q - 1 - (0.5 if method == "closest_observation" else 0.0)
        low = math.floor(at)
        exact = at == low
        if method == "averaged_inverted_cdf":
            low, share = low, 0.5 if exact else 1.0
            return (0, 0.0) if low < 0 else (last, 0.0) if low >= last else (low, share)
        if method == "closest_observation":
            exact = exact and low % 2 == 1
        return min(max(low if exact else low + 1, 0), last), 0.0
    alpha, beta = _CONTINUOUS[method]
    if method != "linear":
        at = n * q + (alpha + q * (1 - alpha - beta)) - 1
    at = min(max(at, 0.0), float(last))
    low = math.floor(at)
    return low, at - low
