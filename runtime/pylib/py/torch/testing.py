"""torch.testing: comparing tensors, numbers, and what holds them."""

import cmath
import collections.abc

import torch

# How far apart two values of a dtype may be: relatively, absolutely.
_TOLERANCES = {
    torch.float16: (1e-3, 1e-5),
    torch.bfloat16: (1.6e-2, 1e-5),
    torch.float32: (1.3e-6, 1e-5),
    torch.float64: (1e-7, 1e-7),
    torch.complex64: (1.3e-6, 1e-5),
    torch.complex128: (1e-7, 1e-7),
}


class _Options:
    """What one call of assert_close compares by."""

    def __init__(self, rtol, atol, equal_nan, checks, msg):
        self.rtol = rtol
        self.atol = atol
        self.equal_nan = equal_nan
        self.device, self.dtype, self.layout, self.stride = checks
        self.msg = msg

    def fail(self, text, where):
        text += _of_item(where)
        if self.msg is not None:
            text = self.msg(text) if callable(self.msg) else self.msg
        raise AssertionError(text)

    def tolerances(self, *dtypes):
        if self.rtol is not None:
            return self.rtol, self.atol
        known = [_TOLERANCES.get(dtype, (0.0, 0.0)) for dtype in dtypes]
        return max([rtol for rtol, _ in known]), max([atol for _, atol in known])


def _is_number(value):
    return isinstance(value, (bool, int, float, complex)) or (
        type(value).__module__ == "numpy" and hasattr(value, "item") and not hasattr(value, "__len__")
    )


def _is_sequence(value):
    return isinstance(value, collections.abc.Sequence) and not isinstance(value, str)


def _no_pair(actual, expected):
    return f"No comparison pair was able to handle inputs of type {type(actual)} and {type(expected)}."


def _of_item(where):
    """Which item of a container it is about, if it is about one."""
    keys = "".join([f"[{key!r}]" for key in where])
    return f"\n\nThe failure occurred for item {keys}" if where else ""


def _up_to(tolerance):
    return f" (up to {tolerance} allowed)"


def _compare(actual, expected, how, where):
    if _is_sequence(actual) and _is_sequence(expected):
        if len(actual) != len(expected):
            how.fail(f"The length of the sequences mismatch: {len(actual)} != {len(expected)}", where)
        for i in range(len(actual)):
            _compare(actual[i], expected[i], how, where + [i])
        return
    if isinstance(actual, collections.abc.Mapping) and isinstance(expected, collections.abc.Mapping):
        missing = [key for key in expected if key not in actual]
        additional = [key for key in actual if key not in expected]
        if missing or additional:
            how.fail(
                "The keys of the mappings do not match:\n"
                f"Missing keys in the actual mapping: {_sorted(missing)}\n"
                f"Additional keys in the actual mapping: {_sorted(additional)}",
                where,
            )
        for key in _sorted(list(actual)):
            _compare(actual[key], expected[key], how, where + [key])
        return
    if actual is None and expected is None:
        return
    if isinstance(actual, bool) and isinstance(expected, bool):
        if actual is not expected:
            how.fail(f"Booleans mismatch: {actual} is not {expected}", where)
        return
    if _is_number(actual) and _is_number(expected):
        return _compare_numbers(actual, expected, how, where, how.dtype)
    if isinstance(actual, torch.Tensor) and isinstance(expected, torch.Tensor):
        return _compare_tensors(actual, expected, how, where)
    if type(actual).__name__ == "ndarray" and type(expected).__name__ == "ndarray":
        return _compare_tensors(torch.from_numpy(actual), torch.from_numpy(expected), how, where)
    raise TypeError(_no_pair(actual, expected) + _of_item(where))


def _sorted(keys):
    try:
        return sorted(keys)
    except TypeError:
        return keys


def _dtype_of(number):
    kind = type(number)
    return torch.complex128 if kind is complex else torch.float64 if kind is float else torch.int64


def _compare_numbers(actual, expected, how, where, check_dtype, tolerances=None):
    actual = actual.item() if hasattr(actual, "item") else actual
    expected = expected.item() if hasattr(expected, "item") else expected
    if check_dtype and type(actual) is not type(expected):
        how.fail(f"The (d)types do not match: {type(actual)} != {type(expected)}.", where)
    if actual == expected:
        return
    rtol, atol = tolerances or how.tolerances(_dtype_of(actual), _dtype_of(expected))
    if how.equal_nan and cmath.isnan(actual) and cmath.isnan(expected):
        return
    difference = abs(actual - expected)
    if cmath.isfinite(difference) and difference <= atol + rtol * abs(expected):
        return
    exact = rtol == 0 and atol == 0
    relative = float("inf") if expected == 0 else difference / abs(expected)
    how.fail(
        f"Scalars are not {'equal' if exact else 'close'}!\n\n"
        f"Expected {expected} but got {actual}.\n"
        f"Absolute difference: {difference}{'' if exact else _up_to(atol)}\n"
        f"Relative difference: {relative}{'' if exact else _up_to(rtol)}",
        where,
    )


def _compare_tensors(actual, expected, how, where):
    def attribute(name, a, e):
        how.fail(f"The values for attribute '{name}' do not match: {a} != {e}.", where)

    if actual.shape != expected.shape:
        attribute("shape", actual.shape, expected.shape)
    if how.layout and actual.layout != expected.layout:
        attribute("layout", actual.layout, expected.layout)
    if how.stride and actual.layout == torch.strided and actual.stride() != expected.stride():
        attribute("stride()", actual.stride(), expected.stride())
    if how.device and actual.device != expected.device:
        attribute("device", actual.device, expected.device)
    if how.dtype and actual.dtype != expected.dtype:
        attribute("dtype", actual.dtype, expected.dtype)
    rtol, atol = how.tolerances(actual.dtype, expected.dtype)
    with torch.no_grad():
        actual, expected = actual.detach(), expected.detach()
        if actual.layout != torch.strided:
            actual, expected = actual.to_dense(), expected.to_dense()
        dtype = torch.promote_types(actual.dtype, expected.dtype)
        actual, expected = actual.to(dtype), expected.to(dtype)
        matches = torch.isclose(actual, expected, rtol=rtol, atol=atol, equal_nan=how.equal_nan)
        if bool(matches.all()):
            return
        if actual.numel() == 1 and actual.dim() == 0:
            return _compare_numbers(actual.item(), expected.item(), how, where, False, (rtol, atol))
        how.fail(_describe(actual, expected, matches, rtol, atol), where)


def _describe(actual, expected, matches, rtol, atol):
    """How many elements differ, and where they differ most."""
    total = matches.numel()
    wrong = total - int(matches.sum())
    if not (actual.is_floating_point() or actual.is_complex()):
        actual, expected = actual.to(torch.int64), expected.to(torch.int64)
    exact = rtol == 0 and atol == 0
    difference = (actual - expected).abs()
    # Only what does not match counts, as where a NaN stands on both sides.
    difference = difference.masked_fill(matches, 0)
    relative = (difference / expected.abs()).masked_fill(matches, 0)

    def greatest(name, values, tolerance):
        flat = values.flatten()
        at = int(flat.argmax())
        index = []
        for extent in reversed(values.shape):
            index.insert(0, at % extent)
            at //= extent
        allowed = "" if exact else _up_to(tolerance)
        return f"Greatest {name} difference: {flat.max().item()} at index {tuple(index)}{allowed}"

    return (
        f"Tensor-likes are not {'equal' if exact else 'close'}!\n\n"
        f"Mismatched elements: {wrong} / {total} ({wrong / total:.1%})\n"
        f"{greatest('absolute', difference, atol)}\n{greatest('relative', relative, rtol)}"
    )


def assert_close(
    actual,
    expected,
    *,
    allow_subclasses=True,
    rtol=None,
    atol=None,
    equal_nan=False,
    check_device=True,
    check_dtype=True,
    check_layout=True,
    check_stride=False,
    msg=None,
):
    if (rtol is None) != (atol is None):
        missing = "rtol" if rtol is None else "atol"
        raise ValueError(f"Both 'rtol' and 'atol' must be either specified or omitted, but got no {missing}.")
    if not allow_subclasses and type(actual) is not type(expected):
        raise TypeError(_no_pair(actual, expected))
    checks = (check_device, check_dtype, check_layout, check_stride)
    _compare(actual, expected, _Options(rtol, atol, equal_nan, checks, msg), [])


def assert_allclose(actual, expected, rtol=None, atol=None, equal_nan=True, msg=None):
    """Older: compares values only."""
    if not isinstance(actual, torch.Tensor):
        actual = torch.tensor(actual)
    if not isinstance(expected, torch.Tensor):
        expected = torch.tensor(expected, dtype=actual.dtype)
    assert_close(
        actual,
        expected,
        rtol=rtol,
        atol=atol,
        equal_nan=equal_nan,
        check_device=True,
        check_dtype=False,
        check_stride=False,
        msg=msg or None,
    )
