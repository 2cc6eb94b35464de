"""What values a parameter or a sample may have: `check` tells it of each."""

import torch


class Constraint:
    is_discrete = False
    event_dim = 0

    def check(self, value):
        raise NotImplementedError

    def __repr__(self):
        return type(self).__name__.lstrip("_") + "()"


class _Dependent(Constraint):
    """What holds depends on other parameters: nothing is checked."""

    def __init__(self, *, is_discrete=NotImplemented, event_dim=NotImplemented):
        self._is_discrete, self._event_dim = is_discrete, event_dim

    @property
    def is_discrete(self):
        if self._is_discrete is NotImplemented:
            raise NotImplementedError(".is_discrete cannot be determined statically")
        return self._is_discrete

    @property
    def event_dim(self):
        if self._event_dim is NotImplemented:
            raise NotImplementedError(".event_dim cannot be determined statically")
        return self._event_dim

    def __call__(self, *, is_discrete=NotImplemented, event_dim=NotImplemented):
        return _Dependent(
            is_discrete=self._is_discrete if is_discrete is NotImplemented else is_discrete,
            event_dim=self._event_dim if event_dim is NotImplemented else event_dim,
        )

    def check(self, x):
        raise ValueError("Cannot determine validity of dependent constraint")


def is_dependent(constraint):
    return isinstance(constraint, _Dependent)


class _DependentProperty(property, _Dependent):
    """A property that gives a constraint; the class itself has one that depends."""

    def __init__(self, fn=None, *, is_discrete=NotImplemented, event_dim=NotImplemented):
        super().__init__(fn)
        self._is_discrete, self._event_dim = is_discrete, event_dim

    def __call__(self, fn):
        return _DependentProperty(fn, is_discrete=self._is_discrete, event_dim=self._event_dim)


class _Around(Constraint):
    """A constraint that is made of another one."""

    def __init__(self, base_constraint):
        if not isinstance(base_constraint, Constraint):
            raise AssertionError(f"base_constraint must be a Constraint, got {type(base_constraint).__name__}")
        self.base_constraint = base_constraint

    @property
    def is_discrete(self):
        return self.base_constraint.is_discrete

    @property
    def event_dim(self):
        return self.base_constraint.event_dim


class _IndependentConstraint(_Around):
    """The last dimensions of the batch belong to the event: all of it holds or none."""

    def __init__(self, base_constraint, reinterpreted_batch_ndims):
        super().__init__(base_constraint)
        count = reinterpreted_batch_ndims
        if not isinstance(count, int):
            raise AssertionError(f"reinterpreted_batch_ndims must be an int, got {type(count).__name__}")
        if count < 0:
            raise AssertionError(f"reinterpreted_batch_ndims must be >= 0, got {count}")
        self.reinterpreted_batch_ndims = count

    @property
    def event_dim(self):
        return self.base_constraint.event_dim + self.reinterpreted_batch_ndims

    def check(self, value):
        holds = self.base_constraint.check(value)
        kept = holds.dim() - self.reinterpreted_batch_ndims
        if kept < 0:
            raise ValueError(f"Expected value.dim() >= {self.event_dim} but got {value.dim()}")
        return holds.reshape(holds.shape[:kept] + (-1,)).all(-1)

    def __repr__(self):
        return f"IndependentConstraint({self.base_constraint!r}, {self.reinterpreted_batch_ndims})"


class MixtureSameFamilyConstraint(_Around):
    """A value of a mixture is one of each of its components."""

    def check(self, value):
        holds = self.base_constraint.check(value.unsqueeze(-1 - self.event_dim))
        kept = value.dim() - self.event_dim
        if kept < 0:
            raise ValueError(f"Expected value.dim() >= {self.event_dim} but got {value.dim()}")
        return holds.reshape(holds.shape[:kept] + (-1,)).all(-1)

    def __repr__(self):
        return f"MixtureSameFamilyConstraint({self.base_constraint!r})"


class _Real(Constraint):
    def check(self, value):
        return value == value


class _Boolean(Constraint):
    is_discrete = True

    def check(self, value):
        return (value == 0) | (value == 1)


class _OneHot(Constraint):
    is_discrete = True
    event_dim = 1

    def check(self, value):
        return boolean.check(value).all(-1) & value.sum(-1).eq(1)


class _Bounds(Constraint):
    """Bounds of which each may belong to it or not."""

    _below = _above = None

    def __init__(self, *bounds, **named):
        names = [name for name, operator in (("lower_bound", self._below), ("upper_bound", self._above)) if operator]
        given = dict(zip(names, bounds))
        given.update(named)
        for name in names:
            setattr(self, name, given.pop(name))
        if given or len(bounds) > len(names):
            raise TypeError(f"{type(self).__name__}() takes {' and '.join(names)}")

    def check(self, value):
        fits = value % 1 == 0 if self.is_discrete else None
        if self._below:
            held = self._below(value, self.lower_bound)
            fits = held if fits is None else fits & held
        if self._above:
            held = self._above(value, self.upper_bound)
            fits = held if fits is None else fits & held
        return fits

    def __repr__(self):
        shown = ", ".join([f"{name}={getattr(self, name)}" for name in ("lower_bound", "upper_bound") if hasattr(self, name)])
        return f"{type(self).__name__.lstrip('_')}({shown})"


def _define(name, below, above, is_discrete=False):
    return type(name, (_Bounds,), {"_below": below and staticmethod(below), "_above": above and staticmethod(above),
                                   "is_discrete": is_discrete, "__module__": __name__})


_ge, _gt, _le, _lt = (getattr(torch.Tensor, name) for name in ("ge", "gt", "le", "lt"))
greater_than, greater_than_eq = _define("_GreaterThan", _gt, None), _define("_GreaterThanEq", _ge, None)
less_than, interval = _define("_LessThan", None, _lt), _define("_Interval", _ge, _le)
half_open_interval = _define("_HalfOpenInterval", _ge, _lt)
integer_interval = _define("_IntegerInterval", _ge, _le, True)
_integer_at_least = _define("_IntegerGreaterThan", _ge, None, True)


class _Simplex(Constraint):
    event_dim = 1

    def check(self, value):
        return torch.all(value >= 0, dim=-1) & ((value.sum(-1) - 1).abs() < 1e-6)


class _Multinomial(Constraint):
    is_discrete = True
    event_dim = 1

    def __init__(self, upper_bound):
        self.upper_bound = upper_bound

    def check(self, x):
        return (x >= 0).all(dim=-1) & (x.sum(dim=-1) <= self.upper_bound)


class _Matrix(Constraint):
    event_dim = 2


class _LowerTriangular(_Matrix):
    def check(self, value):
        return (value.tril() == value).reshape(value.shape[:-2] + (-1,)).all(-1)


class _LowerCholesky(_LowerTriangular):
    def check(self, value):
        return super().check(value) & (value.diagonal(dim1=-2, dim2=-1) > 0).all(-1)


class _CorrCholesky(_LowerCholesky):
    def check(self, value):
        tolerance = torch.finfo(value.dtype).eps * value.size(-1) * 10
        norms = torch.linalg.norm(value.detach(), dim=-1)
        return super().check(value) & (norms - 1.0).abs().le(tolerance).all(dim=-1)


class _Square(_Matrix):
    def check(self, value):
        return torch.full(value.shape[:-2], value.shape[-2] == value.shape[-1], dtype=torch.bool, device=value.device)


class _Symmetric(_Square):
    def check(self, value):
        squares = super().check(value)
        if not squares.all():
            return squares
        return torch.isclose(value, value.mT, atol=1e-6).all(-2).all(-1)


class _PositiveSemidefinite(_Symmetric):
    def check(self, value):
        symmetric_ones = super().check(value)
        if not symmetric_ones.all():
            return symmetric_ones
        return torch.linalg.eigvalsh(value).ge(0).all(-1)


class _PositiveDefinite(_Symmetric):
    def check(self, value):
        symmetric_ones = super().check(value)
        if not symmetric_ones.all():
            return symmetric_ones
        return torch.linalg.cholesky_ex(value).info.eq(0)


class _Sequence(Constraint):
    """A constraint for each part of a tensor along a dimension."""

    def __init__(self, cseq, dim):
        self.cseq, self.dim = list(cseq), dim
        if not all([isinstance(part, Constraint) for part in self.cseq]):
            raise AssertionError("All elements of cseq must be Constraint instances")

    @property
    def is_discrete(self):
        return any([part.is_discrete for part in self.cseq])

    @property
    def event_dim(self):
        return max([part.event_dim for part in self.cseq])

    def _check_dim(self, value):
        if not -value.dim() <= self.dim < value.dim():
            raise AssertionError(f"dim {self.dim} out of range for value with {value.dim()} dimensions")


class _Cat(_Sequence):
    def __init__(self, cseq, dim=0, lengths=None):
        super().__init__(cseq, dim)
        self.lengths = [1] * len(self.cseq) if lengths is None else list(lengths)
        if len(self.lengths) != len(self.cseq):
            raise AssertionError(f"lengths ({len(self.lengths)}) must match cseq ({len(self.cseq)})")

    def check(self, value):
        self._check_dim(value)
        parts = value.split(self.lengths, self.dim)
        return torch.cat([part.check(v) for part, v in zip(self.cseq, parts)], self.dim)


class _Stack(_Sequence):
    def __init__(self, cseq, dim=0):
        super().__init__(cseq, dim)

    @property
    def event_dim(self):
        widest = max([part.event_dim for part in self.cseq])
        return widest + 1 if self.dim + widest < 0 else widest

    def check(self, value):
        self._check_dim(value)
        return torch.stack([part.check(v) for part, v in zip(self.cseq, value.unbind(self.dim))], self.dim)


dependent, dependent_property = _Dependent(), _DependentProperty
independent, multinomial, cat, stack = _IndependentConstraint, _Multinomial, _Cat, _Stack
boolean, one_hot, real = _Boolean(), _OneHot(), _Real()
real_vector = independent(real, 1)
nonnegative_integer, positive_integer = _integer_at_least(0), _integer_at_least(1)
positive, nonnegative, unit_interval = greater_than(0.0), greater_than_eq(0.0), interval(0.0, 1.0)
simplex = _Simplex()
lower_triangular, lower_cholesky, corr_cholesky = _LowerTriangular(), _LowerCholesky(), _CorrCholesky()
square, symmetric = _Square(), _Symmetric()
positive_semidefinite, positive_definite = _PositiveSemidefinite(), _PositiveDefinite()
