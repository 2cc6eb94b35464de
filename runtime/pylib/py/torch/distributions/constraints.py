"""What values a parameter or a sample may have: `check` tells it of each."""

import torch


class Constraint:
    is_discrete = False
    event_dim = 0

    def check(self, value):
        raise NotImplementedError

    def __repr__(self):
        return type(self).__name__.lstrip("_") + "()"


class _Where(Constraint):
    """What a function says of each value."""

    def __init__(self, name, function, is_discrete=False, event_dim=0):
        self._name, self._function = name, function
        self.is_discrete, self.event_dim = is_discrete, event_dim

    def check(self, value):
        return self._function(value)

    def __repr__(self):
        return self._name


class _Bounds(Constraint):
    """Bounds of which each may belong to it or not."""

    _below = _above = None

    def __init__(self, *bounds):
        bounds = iter(bounds)
        self.lower_bound = next(bounds) if self._below else None
        self.upper_bound = next(bounds) if self._above else None

    def check(self, value):
        fits = value % 1 == 0 if self.is_discrete else None
        for bound, operator in ((self.lower_bound, self._below), (self.upper_bound, self._above)):
            if operator is not None:
                held = operator(value, bound)
                fits = held if fits is None else fits & held
        return fits

    def __repr__(self):
        kept = (("lower_bound", self.lower_bound), ("upper_bound", self.upper_bound))
        shown = ", ".join(f"{name}={bound}" for name, bound in kept if bound is not None)
        return f"{type(self).__name__.lstrip('_').title().replace('_', '')}({shown})"


def _define(name, below, above, is_discrete=False):
    return type(name, (_Bounds,), {"_below": below and staticmethod(below), "_above": above and staticmethod(above),
                                   "is_discrete": is_discrete, "__module__": __name__})


_ge, _gt, _le, _lt = (getattr(torch.Tensor, name) for name in ("ge", "gt", "le", "lt"))
greater_than, greater_than_eq = _define("greater_than", _gt, None), _define("greater_than_eq", _ge, None)
less_than, interval = _define("less_than", None, _lt), _define("interval", _ge, _le)
half_open_interval = _define("half_open_interval", _ge, _lt)
integer_interval = _define("integer_interval", _ge, _le, True)
_at_least = _define("_integer_greater_than", _ge, None, True)


def _is_symmetric(value):
    square = value.shape[-1] == value.shape[-2]
    if not square:
        return torch.full(value.shape[:-2], False)
    return torch.isclose(value, value.mT, atol=1e-6).all(-2).all(-1)


def _is_positive_definite(value):
    symmetric = _is_symmetric(value)
    if not symmetric.all():
        return symmetric
    return torch.linalg.cholesky_ex(value).info.eq(0)


real = _Where("Real()", lambda value: value == value)
real_vector = _Where("IndependentConstraint(Real(), 1)", lambda value: (value == value).all(-1), event_dim=1)
boolean = _Where("Boolean()", lambda value: (value == 0) | (value == 1), is_discrete=True)
one_hot = _Where("OneHot()", lambda value: ((value == 0) | (value == 1)).all(-1) & value.sum(-1).eq(1), True, 1)
nonnegative_integer, positive_integer = _at_least(0), _at_least(1)
positive, nonnegative, unit_interval = greater_than(0.0), greater_than_eq(0.0), interval(0.0, 1.0)
simplex = _Where("Simplex()", lambda value: torch.all(value >= 0, dim=-1) & ((value.sum(-1) - 1).abs() < 1e-6), event_dim=1)
lower_triangular = _Where("LowerTriangular()",
                          lambda value: (value.tril() == value).reshape(value.shape[:-2] + (-1,)).all(-1), event_dim=2)
lower_cholesky = _Where("LowerCholesky()", lambda value: lower_triangular.check(value) &
                        (value.diagonal(dim1=-2, dim2=-1) > 0).all(-1), event_dim=2)
square = _Where("Square()", lambda value: torch.full(value.shape[:-2], value.shape[-2] == value.shape[-1]), event_dim=2)
symmetric = _Where("Symmetric()", _is_symmetric, event_dim=2)
positive_definite = _Where("PositiveDefinite()", _is_positive_definite, event_dim=2)
