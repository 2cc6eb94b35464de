"""`torch._foreach_add` and its relatives: one operation for each tensor of a list.

A second operand is a list of tensors or of numbers, one for each, or one number or tensor for all. Functions whose names end
with an underscore write to the tensors, and give the list itself."""

import torch

_UNARY = (
    "abs", "acos", "asin", "atan", "ceil", "cos", "cosh", "erf", "erfc", "exp", "expm1", "floor", "frac", "lgamma", "log", "log10",
    "log1p", "log2", "neg", "reciprocal", "round", "rsqrt", "sigmoid", "sign", "sin", "sinh", "sqrt", "tan", "tanh", "trunc",
)
# What PyTorch calls by another name, of tensors and of numbers alike.
_BINARY = {
    "add": "add", "sub": "sub", "mul": "mul", "div": "div", "pow": "pow", "maximum": "maximum", "minimum": "minimum",
    "clamp_min": "maximum", "clamp_max": "minimum",
}
_TERNARY = ("addcmul", "addcdiv")
_NUMBERS = (bool, int, float, complex)


def _type(value):
    return type(value).__name__


def _combination(name, *given):
    kinds = ", ".join([_type(v) for v in given])
    return TypeError(f"{name}() received an invalid combination of arguments - got ({kinds})")


def _tensors(name, tensors, *given):
    """The list, which has to be one of tensors."""
    if not isinstance(tensors, (list, tuple)) or not all([isinstance(t, torch.Tensor) for t in tensors]):
        raise _combination(name, tensors, *given)
    if not tensors:
        raise RuntimeError("Tensor list must have at least one tensor.")
    return tensors


def _each(name, tensors, other):
    """An operand for each tensor."""
    n = len(tensors)
    if isinstance(other, (list, tuple)):
        if all([isinstance(v, torch.Tensor) for v in other]):
            if len(other) != n:
                raise RuntimeError(f"Tensor lists must have the same number of tensors, got {n} and {len(other)}")
            return other
        if not all([isinstance(v, _NUMBERS) for v in other]):
            raise _combination(name, tensors, other)
        if len(other) != n:
            raise RuntimeError("Tensor list must have same number of elements as scalar list.")
        return other
    if not isinstance(other, _NUMBERS) and not isinstance(other, torch.Tensor):
        raise _combination(name, tensors, other)
    return [other] * n


def _unary(name):
    whole = "_foreach_" + name

    def function(self):
        return tuple([getattr(torch, name)(t) for t in _tensors(whole, self)])

    def in_place(self):
        for t in _tensors(whole + "_", self):
            getattr(torch.Tensor, name + "_")(t)
        return self

    return function, in_place


def _two(name, t, other):
    """`maximum` and `minimum` take tensors alone."""
    if name in ("maximum", "minimum") and not isinstance(other, torch.Tensor):
        return torch.clamp(t, min=other) if name == "maximum" else torch.clamp(t, max=other)
    return getattr(torch, name)(t, other)


def _scaled(name, other, alpha):
    """What `alpha` stands before; there is none of a number."""
    if alpha is None:
        return other
    tensors = isinstance(other, (list, tuple)) and all([isinstance(v, torch.Tensor) for v in other])
    if name not in ("add", "sub") or not tensors and not isinstance(other, torch.Tensor):
        raise TypeError(f"_foreach_{name}() received an invalid combination of arguments - got (list, {_type(other)}, "
                        f"alpha={_type(alpha)})")
    return [v * alpha for v in other] if tensors else other * alpha


def _binary(name):
    whole, simple = "_foreach_" + name, _BINARY[name]

    def function(self, other, *, alpha=None):
        if name == "pow" and isinstance(self, _NUMBERS):
            return tuple([torch.pow(self, t) for t in _tensors(whole, other)])
        others = _each(whole, _tensors(whole, self, other), _scaled(name, other, alpha))
        return tuple([_two(simple, t, v) for t, v in zip(self, others)])

    def in_place(self, other, *, alpha=None):
        others = _each(whole + "_", _tensors(whole + "_", self, other), _scaled(name, other, alpha))
        for t, v in zip(self, others):
            if simple in ("maximum", "minimum"):
                (t.clamp_min_ if simple == "maximum" else t.clamp_max_)(v)
            else:
                getattr(torch.Tensor, simple + "_")(t, v)
        return self

    return function, in_place


def _factors(name, tensors, value):
    """The numbers before products: one for all, a list of them, or a tensor of them."""
    if isinstance(value, torch.Tensor):
        if value.dim() != 1 or value.numel() != len(tensors):
            raise RuntimeError(
                f"Expected length of scalars to match input of length {len(tensors)} but got {value.numel()} instead."
            )
        return value.tolist()
    return _each(name, tensors, value)


def _ternary(name):
    whole = "_foreach_" + name

    def parts(whole, self, tensor1, tensor2, value):
        _tensors(whole, self, tensor1, tensor2)
        return zip(self, _each(whole, self, tensor1), _each(whole, self, tensor2), _factors(whole, self, value))

    def function(self, tensor1, tensor2, value=1):
        return tuple([
            getattr(torch, name)(t, a, b, value=v) for t, a, b, v in parts(whole, self, tensor1, tensor2, value)
        ])

    def in_place(self, tensor1, tensor2, value=1):
        for t, a, b, v in parts(whole + "_", self, tensor1, tensor2, value):
            getattr(torch.Tensor, name + "_")(t, a, b, value=v)
        return self

    return function, in_place


def _foreach_lerp(self, tensors1, weight):
    name = "_foreach_lerp"
    ends = _each(name, _tensors(name, self, tensors1, weight), tensors1)
    return tuple([torch.lerp(t, end, w) for t, end, w in zip(self, ends, _each(name, self, weight))])


def _foreach_lerp_(self, tensors1, weight):
    name = "_foreach_lerp_"
    ends = _each(name, _tensors(name, self, tensors1, weight), tensors1)
    for t, end, w in zip(self, ends, _each(name, self, weight)):
        t.lerp_(end, w)
    return self


def _foreach_copy_(self, src, non_blocking=False):
    for t, v in zip(_tensors("_foreach_copy_", self, src), _each("_foreach_copy_", self, src)):
        t.copy_(v, non_blocking)
    return self


def _foreach_zero_(self):
    for t in _tensors("_foreach_zero_", self):
        t.zero_()
    return self


def _foreach_max(self):
    return tuple([t.max() for t in _tensors("_foreach_max", self)])


def _foreach_norm(self, ord=2, dtype=None):
    return tuple([torch.linalg.vector_norm(t, ord, dtype=dtype) for t in _tensors("_foreach_norm", self)])


def _foreach_powsum(self, ord=2, dtype=None):
    def powers(t):
        t = t if dtype is None else t.to(dtype)
        return t.abs().pow(ord).sum()

    return tuple([powers(t) for t in _tensors("_foreach_powsum", self)])


def _define():
    for make, names in ((_unary, _UNARY), (_binary, _BINARY), (_ternary, _TERNARY)):
        for name in names:
            for function, end in zip(make(name), ("", "_")):
                function.__name__ = function.__qualname__ = "_foreach_" + name + end
                globals()[function.__name__] = function


_define()
