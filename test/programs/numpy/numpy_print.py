"""How numpy writes arrays and scalars."""

import numpy as np

for x in [
    np.array([1, -20, 300]), np.array([[1, -20], [300, 4]]), np.array([1.0, 2.5, -3.25]), np.array([True, False]),
    np.array([1e-5, 1, 1e5]), np.array([1e10, 1.0]), np.array([np.nan, 1.5, -np.inf]), np.array([0.1, 0.123456789012]),
    np.array([1e-10]), np.array([123456.789, 0.001]), np.array([1.0, 2.0, 300.0]), np.array([-0.0, 0.0]),
    np.array([1e-3, 1e3]), np.array([1.5e-8, 1e-300]), np.arange(40) / 7,
    np.arange(24.0).reshape(2, 3, 4) / 7, np.arange(1001), np.ones((40, 40)), np.array([]), np.zeros((0, 3)),
    np.array(3), np.array(0.1), np.array(True), np.array([0.1, 0.2], dtype=np.float32),
    np.array([1 / 3], dtype=np.float32), np.array([1e-7, 1], dtype=np.float32), np.ones(30, dtype=np.float32),
    np.arange(2000, dtype=np.int32), np.ones((1, 2, 2), dtype=np.int8), np.array([1.0, 10.0, 100.0]) / 3,
    np.array([1e20, 1]),
]:
    print(x)
    print(repr(x))
for x in [
    np.float64(0.1), np.float64(1e20), np.float64(1e-5), np.float64("nan"), np.float32(0.1), np.float32(1e6),
    np.float32(123456.789), np.float32(1e-4), np.float32(16777216), np.int64(3), np.int8(-3), np.uint8(200),
    np.bool_(True), np.float32(3),
]:
    print(x, repr(x), [x], f"{x}", type(x))
np.set_printoptions(precision=3, suppress=True)
print(np.array([1.23456, 1e-7, 1000.123]), np.array([1e9, 0.5]))
np.set_printoptions(precision=8, suppress=False)
with np.printoptions(precision=2, threshold=5, edgeitems=1):
    print(np.array([1.23456]), np.arange(10.0))
print(np.array2string(np.array([1.5, 2]), separator=", "), np.array_str(np.arange(3)))
print(np.float32, np.ndarray, np.dtype("int16"), repr(np.dtype(float)), np.zeros(2).dtype, np.pi, np.inf, np.nan)
