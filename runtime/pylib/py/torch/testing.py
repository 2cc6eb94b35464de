"""torch.testing."""

import torch


def assert_close(actual, expected, *, rtol=None, atol=None, equal_nan=False, msg=None):
    actual = torch.as_tensor(actual)
    expected = torch.as_tensor(expected)
    if rtol is None or atol is None:
        if actual.dtype in (torch.float64, torch.complex128):
            rtol, atol = 1e-7, 1e-7
        elif actual.is_floating_point() or actual.is_complex():
            rtol, atol = 1.3e-6, 1e-5
        else:
            rtol, atol = 0.0, 0.0
    if actual.shape != expected.shape:
        raise AssertionError(
            f"The values for attribute 'shape' do not match: {actual.shape} != {expected.shape}."
        )
    if not torch.allclose(actual, expected.to(actual.dtype), rtol, atol, equal_nan):
        raise AssertionError(msg or "Tensor-likes are not close!")


def assert_allclose(actual, expected, rtol=None, atol=None, equal_nan=True, msg=None):
    assert_close(actual, expected, rtol=rtol, atol=atol, equal_nan=equal_nan, msg=msg)
