"""Functions of samples whose densities can be told, and how they are put together."""

import math

import torch
from torch.distributions import constraints
from torch.distributions.utils import _sum_rightmost, broadcast_all, tril_matrix_to_vec, vec_to_tril_matrix
from torch.nn import functional as F


def _is_number(value):
    return isinstance(value, (int, float))


class Transform:
    bijective = False

    def __init__(self, cache_size=0):
        if cache_size not in (0, 1):
            raise ValueError("cache_size must be 0 or 1")
        self._cache_size = cache_size
        self._cached_x_y = (None, None)

    @property
    def event_dim(self):
        if self.domain.event_dim == self.codomain.event_dim:
            return self.domain.event_dim
        raise ValueError("Please use either .domain.event_dim or .codomain.event_dim")

    @property
    def inv(self):
        return _InverseTransform(self)

    @property
    def sign(self):
        raise NotImplementedError

    def with_cache(self, cache_size=1):
        return self if self._cache_size == cache_size else self._cached(cache_size)

    def _cached(self, cache_size):
        if type(self).__init__ is not Transform.__init__:
            raise NotImplementedError(f"{type(self)}.with_cache is not implemented")
        return type(self)(cache_size=cache_size)

    # Two transforms of a class without parameters are the same function.
    _alike = False

    def __eq__(self, other):
        return self is other or (self._alike and isinstance(other, type(self)))

    __hash__ = object.__hash__

    def __call__(self, x):
        if self._cache_size == 0:
            return self._call(x)
        known, value = self._cached_x_y
        if x is not known:
            value = self._call(x)
            self._cached_x_y = (x, value)
        return value

    def _inv_call(self, y):
        if self._cache_size == 0:
            return self._inverse(y)
        value, known = self._cached_x_y
        if y is not known:
            value = self._inverse(y)
            self._cached_x_y = (value, y)
        return value

    def _call(self, x):
        raise NotImplementedError

    def _inverse(self, y):
        raise NotImplementedError

    def log_abs_det_jacobian(self, x, y):
        raise NotImplementedError

    def forward_shape(self, shape):
        return shape

    def inverse_shape(self, shape):
        return shape

    def __repr__(self):
        return type(self).__name__ + "()"


class _InverseTransform(Transform):
    def __init__(self, transform):
        super().__init__(transform._cache_size)
        self._inv = transform

    @property
    def domain(self):
        return self._inv.codomain

    @property
    def codomain(self):
        return self._inv.domain

    @property
    def inv(self):
        return self._inv

    @property
    def bijective(self):
        return self._inv.bijective

    @property
    def sign(self):
        return self._inv.sign

    def with_cache(self, cache_size=1):
        return self._inv.with_cache(cache_size).inv

    def __eq__(self, other):
        return isinstance(other, _InverseTransform) and self._inv == other._inv

    __hash__ = object.__hash__

    def __call__(self, x):
        return self._inv._inv_call(x)

    def log_abs_det_jacobian(self, x, y):
        return -self._inv.log_abs_det_jacobian(y, x)

    def forward_shape(self, shape):
        return self._inv.inverse_shape(shape)

    def inverse_shape(self, shape):
        return self._inv.forward_shape(shape)

    def __repr__(self):
        return f"_InverseTransform({self._inv!r})"


def _widened(constraint, event_dim):
    """The constraint, over events of so many dimensions."""
    more = event_dim - constraint.event_dim
    return constraints.independent(constraint, more) if more > 0 else constraint


class ComposeTransform(Transform):
    def __init__(self, parts, cache_size=0):
        if cache_size:
            parts = [part.with_cache(cache_size) for part in parts]
        super().__init__(cache_size)
        self.parts = parts

    def __eq__(self, other):
        return isinstance(other, ComposeTransform) and self.parts == other.parts

    __hash__ = object.__hash__

    @property
    def domain(self):
        if not self.parts:
            return constraints.real
        dims = self.parts[-1].codomain.event_dim
        for part in reversed(self.parts):
            dims = max(dims + part.domain.event_dim - part.codomain.event_dim, part.domain.event_dim)
        return _widened(self.parts[0].domain, dims)

    @property
    def codomain(self):
        if not self.parts:
            return constraints.real
        dims = self.parts[0].domain.event_dim
        for part in self.parts:
            dims = max(dims + part.codomain.event_dim - part.domain.event_dim, part.codomain.event_dim)
        return _widened(self.parts[-1].codomain, dims)

    @property
    def bijective(self):
        return all([part.bijective for part in self.parts])

    @property
    def sign(self):
        sign = 1
        for part in self.parts:
            sign = sign * part.sign
        return sign

    @property
    def inv(self):
        return _InverseComposed(self)

    def _cached(self, cache_size):
        return ComposeTransform(self.parts, cache_size)

    def __call__(self, x):
        for part in self.parts:
            x = part(x)
        return x

    def _inv_call(self, y):
        for part in reversed(self.parts):
            y = part.inv(y)
        return y

    def log_abs_det_jacobian(self, x, y):
        if not self.parts:
            return torch.zeros_like(x)
        values = [x]
        for part in self.parts[:-1]:
            values.append(part(values[-1]))
        values.append(y)
        dims = self.domain.event_dim
        total = None
        for i, part in enumerate(self.parts):
            term = part.log_abs_det_jacobian(values[i], values[i + 1])
            term = _sum_rightmost(term, dims - part.domain.event_dim)
            total = term if total is None else total + term
            dims += part.codomain.event_dim - part.domain.event_dim
        return total

    def forward_shape(self, shape):
        for part in self.parts:
            shape = part.forward_shape(shape)
        return shape

    def inverse_shape(self, shape):
        for part in reversed(self.parts):
            shape = part.inverse_shape(shape)
        return shape

    def __repr__(self):
        inner = ",\n    ".join([repr(part) for part in self.parts])
        return f"ComposeTransform(\n    {inner}\n)"


class _InverseComposed(ComposeTransform):
    """The inverses of a composition's parts, the last one first."""

    def __init__(self, composed):
        super().__init__([part.inv for part in reversed(composed.parts)])
        self._composed = composed

    @property
    def inv(self):
        return self._composed

    def __repr__(self):
        inner = ",\n    ".join([repr(part) for part in self.parts])
        return f"ComposeTransform(\n    {inner}\n)"


identity_transform = ComposeTransform([])


class IndependentTransform(Transform):
    def __init__(self, base_transform, reinterpreted_batch_ndims, cache_size=0):
        super().__init__(cache_size)
        self.base_transform = base_transform.with_cache(cache_size)
        self.reinterpreted_batch_ndims = reinterpreted_batch_ndims

    def _cached(self, cache_size):
        return IndependentTransform(self.base_transform, self.reinterpreted_batch_ndims, cache_size)

    @property
    def domain(self):
        return constraints.independent(self.base_transform.domain, self.reinterpreted_batch_ndims)

    @property
    def codomain(self):
        return constraints.independent(self.base_transform.codomain, self.reinterpreted_batch_ndims)

    @property
    def bijective(self):
        return self.base_transform.bijective

    @property
    def sign(self):
        return self.base_transform.sign

    def _call(self, x):
        if x.dim() < self.domain.event_dim:
            raise ValueError("Too few dimensions on input")
        return self.base_transform(x)

    def _inverse(self, y):
        if y.dim() < self.codomain.event_dim:
            raise ValueError("Too few dimensions on input")
        return self.base_transform.inv(y)

    def log_abs_det_jacobian(self, x, y):
        return _sum_rightmost(self.base_transform.log_abs_det_jacobian(x, y), self.reinterpreted_batch_ndims)

    def forward_shape(self, shape):
        return self.base_transform.forward_shape(shape)

    def inverse_shape(self, shape):
        return self.base_transform.inverse_shape(shape)

    def __repr__(self):
        return f"IndependentTransform({self.base_transform!r}, {self.reinterpreted_batch_ndims})"


class ReshapeTransform(Transform):
    bijective = True

    def __init__(self, in_shape, out_shape, cache_size=0):
        self.in_shape, self.out_shape = torch.Size(in_shape), torch.Size(out_shape)
        if self.in_shape.numel() != self.out_shape.numel():
            raise ValueError("in_shape, out_shape have different numbers of elements")
        super().__init__(cache_size)

    def _cached(self, cache_size):
        return ReshapeTransform(self.in_shape, self.out_shape, cache_size)

    @property
    def domain(self):
        return constraints.independent(constraints.real, len(self.in_shape))

    @property
    def codomain(self):
        return constraints.independent(constraints.real, len(self.out_shape))

    def _batch(self, value, shape):
        return value.shape[: value.dim() - len(shape)]

    def _call(self, x):
        return x.reshape(self._batch(x, self.in_shape) + self.out_shape)

    def _inverse(self, y):
        return y.reshape(self._batch(y, self.out_shape) + self.in_shape)

    def log_abs_det_jacobian(self, x, y):
        return x.new_zeros(self._batch(x, self.in_shape))

    def _reshaped(self, shape, old, new):
        cut = len(shape) - len(old)
        if cut < 0:
            raise ValueError("Too few dimensions on input")
        if tuple(shape[cut:]) != tuple(old):
            raise ValueError(f"Shape mismatch: expected {shape[cut:]} but got {old}")
        return torch.Size(tuple(shape[:cut]) + tuple(new))

    def forward_shape(self, shape):
        return self._reshaped(shape, self.in_shape, self.out_shape)

    def inverse_shape(self, shape):
        return self._reshaped(shape, self.out_shape, self.in_shape)


class ExpTransform(Transform):
    domain, codomain = constraints.real, constraints.positive
    bijective = _alike = True
    sign = 1

    def _call(self, x):
        return x.exp()

    def _inverse(self, y):
        return y.log()

    def log_abs_det_jacobian(self, x, y):
        return x


class PowerTransform(Transform):
    domain = codomain = constraints.positive
    bijective = True

    def __init__(self, exponent, cache_size=0):
        super().__init__(cache_size)
        (self.exponent,) = broadcast_all(exponent)

    def _cached(self, cache_size):
        return PowerTransform(self.exponent, cache_size)

    @property
    def sign(self):
        return self.exponent.sign()

    def __eq__(self, other):
        return isinstance(other, PowerTransform) and self.exponent.eq(other.exponent).all().item()

    __hash__ = object.__hash__

    def _call(self, x):
        return x.pow(self.exponent)

    def _inverse(self, y):
        return y.pow(1 / self.exponent)

    def log_abs_det_jacobian(self, x, y):
        return (self.exponent * y / x).abs().log()

    def forward_shape(self, shape):
        return torch.broadcast_shapes(shape, self.exponent.shape)

    inverse_shape = forward_shape


def _clipped_sigmoid(x):
    finfo = torch.finfo(x.dtype)
    return torch.clamp(torch.sigmoid(x), min=finfo.tiny, max=1.0 - finfo.eps)


class SigmoidTransform(Transform):
    domain, codomain = constraints.real, constraints.unit_interval
    bijective = _alike = True
    sign = 1

    def _call(self, x):
        return _clipped_sigmoid(x)

    def _inverse(self, y):
        finfo = torch.finfo(y.dtype)
        y = y.clamp(min=finfo.tiny, max=1.0 - finfo.eps)
        return y.log() - (-y).log1p()

    def log_abs_det_jacobian(self, x, y):
        return -F.softplus(-x) - F.softplus(x)


class SoftplusTransform(Transform):
    domain, codomain = constraints.real, constraints.positive
    bijective = _alike = True
    sign = 1

    def _call(self, x):
        return F.softplus(x)

    def _inverse(self, y):
        return (-y).expm1().neg().log() + y

    def log_abs_det_jacobian(self, x, y):
        return -F.softplus(-x)


class TanhTransform(Transform):
    domain, codomain = constraints.real, constraints.interval(-1.0, 1.0)
    bijective = _alike = True
    sign = 1

    def _call(self, x):
        return x.tanh()

    def _inverse(self, y):
        return torch.atanh(y)

    def log_abs_det_jacobian(self, x, y):
        return 2.0 * (math.log(2.0) - x - F.softplus(-2.0 * x))


class AbsTransform(Transform):
    domain, codomain = constraints.real, constraints.positive
    _alike = True

    def _call(self, x):
        return x.abs()

    def _inverse(self, y):
        return y


def _same(a, b):
    if _is_number(a) and _is_number(b):
        return a == b
    return bool((torch.as_tensor(a) == torch.as_tensor(b)).all())


class AffineTransform(Transform):
    bijective = True

    def __init__(self, loc, scale, event_dim=0, cache_size=0):
        super().__init__(cache_size)
        self.loc = loc
        self.scale = scale
        self._event_dim = event_dim

    def _cached(self, cache_size):
        return AffineTransform(self.loc, self.scale, self._event_dim, cache_size)

    @property
    def event_dim(self):
        return self._event_dim

    @property
    def domain(self):
        return _widened(constraints.real, self._event_dim)

    codomain = domain

    def __eq__(self, other):
        return isinstance(other, AffineTransform) and _same(self.loc, other.loc) and _same(self.scale, other.scale)

    __hash__ = object.__hash__

    @property
    def sign(self):
        if isinstance(self.scale, torch.Tensor):
            return self.scale.sign()
        return 1 if float(self.scale) > 0 else -1 if float(self.scale) < 0 else 0

    def _call(self, x):
        return self.loc + self.scale * x

    def _inverse(self, y):
        return (y - self.loc) / self.scale

    def log_abs_det_jacobian(self, x, y):
        if isinstance(self.scale, torch.Tensor):
            result = torch.abs(self.scale).log()
        else:
            result = torch.full_like(x, math.log(abs(self.scale)))
        shape = x.shape
        if self._event_dim:
            result = result.reshape(result.shape[: -self._event_dim] + (-1,)).sum(-1)
            shape = shape[: -self._event_dim]
        return result.expand(shape)

    def forward_shape(self, shape):
        parts = [getattr(self.loc, "shape", ()), getattr(self.scale, "shape", ())]
        return torch.broadcast_shapes(shape, *parts)

    inverse_shape = forward_shape


def _need_dims(shape, least):
    if len(shape) < least:
        raise ValueError("Too few dimensions on input")


class CorrCholeskyTransform(Transform):
    """A vector to the factor of a matrix of correlations: each row is a direction of length 1."""

    domain, codomain = constraints.real_vector, constraints.corr_cholesky
    bijective = True

    def _call(self, x):
        x = torch.tanh(x)
        eps = torch.finfo(x.dtype).eps
        partial = vec_to_tril_matrix(x.clamp(min=-1 + eps, max=1 - eps), diag=-1)
        left = (1 - partial**2).sqrt().cumprod(-1)
        partial = partial + torch.eye(partial.shape[-1], dtype=partial.dtype, device=partial.device)
        return partial * F.pad(left[..., :-1], [1, 0], value=1)

    def _inverse(self, y):
        left = F.pad((1 - torch.cumsum(y * y, dim=-1))[..., :-1], [1, 0], value=1)
        t = tril_matrix_to_vec(y, diag=-1) / tril_matrix_to_vec(left, diag=-1).sqrt()
        return (t.log1p() - t.neg().log1p()) / 2

    def log_abs_det_jacobian(self, x, y, intermediates=None):
        if intermediates is not None:
            raise NotImplementedError("CorrCholeskyTransform: intermediates are not implemented in janus-jit yet")
        left = tril_matrix_to_vec(1 - (y * y).cumsum(dim=-1), diag=-2)
        return 0.5 * left.log().sum(-1) - 2 * (x + F.softplus(-2 * x) - math.log(2.0)).sum(dim=-1)

    def forward_shape(self, shape):
        _need_dims(shape, 1)
        count = shape[-1]
        n = round((0.25 + 2 * count) ** 0.5 + 0.5)
        if n * (n - 1) // 2 != count:
            raise ValueError("Input is not a flattened lower-diagonal number")
        return torch.Size(tuple(shape[:-1]) + (n, n))

    def inverse_shape(self, shape):
        _need_dims(shape, 2)
        if shape[-2] != shape[-1]:
            raise ValueError("Input is not square")
        n = shape[-1]
        return torch.Size(tuple(shape[:-2]) + (n * (n - 1) // 2,))


class SoftmaxTransform(Transform):
    domain, codomain = constraints.real_vector, constraints.simplex
    _alike = True

    def _call(self, x):
        exps = (x - x.max(-1, True)[0]).exp()
        return exps / exps.sum(-1, True)

    def _inverse(self, y):
        return y.log()

    def forward_shape(self, shape):
        _need_dims(shape, 1)
        return shape

    inverse_shape = forward_shape


class StickBreakingTransform(Transform):
    """Each number says which share of what is left it takes; the last one gets the rest."""

    domain, codomain = constraints.real_vector, constraints.simplex
    bijective = _alike = True

    def _log_left(self, x):
        count = x.shape[-1]
        return (count + 1 - x.new_ones(count).cumsum(-1)).log()

    def _call(self, x):
        share = _clipped_sigmoid(x - self._log_left(x))
        left = (1 - share).cumprod(-1)
        return F.pad(share, [0, 1], value=1) * F.pad(left, [1, 0], value=1)

    def _inverse(self, y):
        first = y[..., :-1]
        left = torch.clamp(1 - first.cumsum(-1), min=torch.finfo(y.dtype).tiny)
        return first.log() - left.log() + self._log_left(first)

    def log_abs_det_jacobian(self, x, y):
        x = x - self._log_left(x)
        return (-x + F.logsigmoid(x) + y[..., :-1].log()).sum(-1)

    def forward_shape(self, shape):
        _need_dims(shape, 1)
        return torch.Size(tuple(shape[:-1]) + (shape[-1] + 1,))

    def inverse_shape(self, shape):
        _need_dims(shape, 1)
        return torch.Size(tuple(shape[:-1]) + (shape[-1] - 1,))


class LowerCholeskyTransform(Transform):
    domain, codomain = constraints.independent(constraints.real, 2), constraints.lower_cholesky
    _alike = True

    def _call(self, x):
        return x.tril(-1) + x.diagonal(dim1=-2, dim2=-1).exp().diag_embed()

    def _inverse(self, y):
        return y.tril(-1) + y.diagonal(dim1=-2, dim2=-1).log().diag_embed()


class PositiveDefiniteTransform(Transform):
    domain, codomain = constraints.independent(constraints.real, 2), constraints.positive_definite
    _alike = True

    def _call(self, x):
        factor = LowerCholeskyTransform()(x)
        return factor @ factor.mT

    def _inverse(self, y):
        return LowerCholeskyTransform().inv(torch.linalg.cholesky(y))


class _Sequence(Transform):
    """A transform for each part of a tensor along a dimension."""

    def __init__(self, tseq, dim, cache_size):
        tseq = list(tseq)
        if not all([isinstance(part, Transform) for part in tseq]):
            raise AssertionError("All elements of tseq must be Transform instances")
        if cache_size:
            tseq = [part.with_cache(cache_size) for part in tseq]
        super().__init__(cache_size)
        self.transforms = tseq
        self.dim = dim

    @property
    def bijective(self):
        return all([part.bijective for part in self.transforms])

    def _checked(self, value, extent, text, name):
        if not -value.dim() <= self.dim < value.dim():
            raise AssertionError(f"dim {self.dim} out of range for {name} with {value.dim()} dimensions")
        if value.size(self.dim) != extent:
            raise AssertionError(f"{text} = {value.size(self.dim)} must equal {extent}")


class CatTransform(_Sequence):
    def __init__(self, tseq, dim=0, lengths=None, cache_size=0):
        super().__init__(tseq, dim, cache_size)
        self.lengths = [1] * len(self.transforms) if lengths is None else list(lengths)
        if len(self.lengths) != len(self.transforms):
            raise AssertionError(f"lengths ({len(self.lengths)}) must match transforms ({len(self.transforms)})")

    def _cached(self, cache_size):
        return CatTransform(self.transforms, self.dim, self.lengths, cache_size)

    @property
    def event_dim(self):
        return max([part.event_dim for part in self.transforms])

    @property
    def length(self):
        return sum(self.lengths)

    @property
    def domain(self):
        return constraints.cat([part.domain for part in self.transforms], self.dim, self.lengths)

    @property
    def codomain(self):
        return constraints.cat([part.codomain for part in self.transforms], self.dim, self.lengths)

    def _slices(self, value, name):
        self._checked(value, self.length, f"{name}.size({self.dim})", "tensor")
        return value.split(self.lengths, self.dim)

    def _call(self, x):
        return torch.cat([part(v) for part, v in zip(self.transforms, self._slices(x, "x"))], dim=self.dim)

    def _inverse(self, y):
        return torch.cat([part.inv(v) for part, v in zip(self.transforms, self._slices(y, "y"))], dim=self.dim)

    def log_abs_det_jacobian(self, x, y):
        terms = []
        for part, xs, ys in zip(self.transforms, self._slices(x, "x"), self._slices(y, "y")):
            term = part.log_abs_det_jacobian(xs, ys)
            terms.append(_sum_rightmost(term, self.event_dim - part.event_dim))
        dim = (self.dim - x.dim() if self.dim >= 0 else self.dim) + self.event_dim
        return torch.cat(terms, dim=dim) if dim < 0 else sum(terms)


class StackTransform(_Sequence):
    def __init__(self, tseq, dim=0, cache_size=0):
        super().__init__(tseq, dim, cache_size)

    def _cached(self, cache_size):
        return StackTransform(self.transforms, self.dim, cache_size)

    @property
    def domain(self):
        return constraints.stack([part.domain for part in self.transforms], self.dim)

    @property
    def codomain(self):
        return constraints.stack([part.codomain for part in self.transforms], self.dim)

    def _slices(self, value, name):
        self._checked(value, len(self.transforms), f"{name}.size({self.dim})", "tensor")
        return value.unbind(self.dim)

    def _call(self, x):
        return torch.stack([part(v) for part, v in zip(self.transforms, self._slices(x, "x"))], dim=self.dim)

    def _inverse(self, y):
        return torch.stack([part.inv(v) for part, v in zip(self.transforms, self._slices(y, "y"))], dim=self.dim)

    def log_abs_det_jacobian(self, x, y):
        parts = zip(self.transforms, self._slices(x, "x"), self._slices(y, "y"))
        return torch.stack([part.log_abs_det_jacobian(xs, ys) for part, xs, ys in parts], dim=self.dim)


class CumulativeDistributionTransform(Transform):
    bijective = True
    codomain = constraints.unit_interval
    sign = 1

    def __init__(self, distribution, cache_size=0):
        super().__init__(cache_size)
        self.distribution = distribution

    def _cached(self, cache_size):
        return CumulativeDistributionTransform(self.distribution, cache_size)

    @property
    def domain(self):
        return self.distribution.support

    def _call(self, x):
        return self.distribution.cdf(x)

    def _inverse(self, y):
        return self.distribution.icdf(y)

    def log_abs_det_jacobian(self, x, y):
        return self.distribution.log_prob(x)


def __getattr__(name):
    return torch._C._missing_name("torch.distributions.transforms", name)
