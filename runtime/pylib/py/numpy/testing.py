"""Assertions on arrays."""

import numpy as np


def _fail(what, actual, desired, err_msg):
    raise AssertionError(f"\n{what}\n{err_msg}\n ACTUAL: {actual!r}\n DESIRED: {desired!r}")


def assert_allclose(actual, desired, rtol=1e-07, atol=0, equal_nan=True, err_msg="", verbose=True):
    if np.shape(actual) != np.shape(desired) and np.size(desired) != 1:
        _fail("Not equal: the shapes differ", actual, desired, err_msg)
    if not np.allclose(actual, desired, rtol, atol, equal_nan):
        _fail(f"Not equal to tolerance rtol={rtol:g}, atol={atol:g}", actual, desired, err_msg)


def assert_almost_equal(actual, desired, decimal=7, err_msg="", verbose=True):
    if not np.all(np.abs(np.asarray(desired) - np.asarray(actual)) < 1.5 * 10.0 ** (-decimal)):
        _fail(f"Arrays are not almost equal to {decimal} decimals", actual, desired, err_msg)


assert_array_almost_equal = assert_almost_equal


def assert_array_equal(actual, desired, err_msg="", verbose=True):
    if np.size(desired) != 1 and np.shape(actual) != np.shape(desired) or not np.all(np.isclose(
        actual, desired, rtol=0, atol=0, equal_nan=True
    )):
        _fail("Arrays are not equal", actual, desired, err_msg)


assert_equal = assert_array_equal
