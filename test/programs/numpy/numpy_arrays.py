"""Arrays of numpy: dtypes and their promotion, indices, shapes, reductions, functions, errors at the user's line."""

import numpy as np


def attempt(what):
    try:
        print(repr(what()))
    except Exception as error:
        print(type(error).__name__, error)


a = np.arange(12).reshape(3, 4)
f = a.astype(np.float32) / 3
d = np.linspace(-2, 2, 7)

# What Python's numbers and other dtypes make of it
for x, y in [
    (np.array([1, 2], dtype=np.uint8), 254), (np.array([1, 2], dtype=np.uint8), 300),
    (np.array([1, 2], dtype=np.int32), 2.5), (np.array([1, 2], dtype=np.float32), 2.5),
    (np.array([1, 2], dtype=np.float32), np.array([1, 2])),
    (np.array([1], dtype=np.int16), np.array([1], dtype=np.uint8)), (np.float64(2), f[0]),
    (np.float32(2), a[0]), (np.array([True, False]), np.array([True, True])), (np.int32(5), 1.5),
    (np.float32(1), 1.5), (np.int64(5), np.float32(2)), (np.array([True]), 1), (5, np.int64(3)),
]:
    for operation in (np.add, np.multiply, np.divide, np.subtract, np.less, np.maximum):
        attempt(lambda: operation(x, y))

# Items
b = np.zeros((3, 3))
b[0] = 1
b[1, :] = [1, 2, 3]
b[:, 2] += 5
b[b > 6] = 0
b[[0, 2], [0, 1]] = 9
view = b[1]
view[0] = 77
print(b, b.T[0], b[::-1], b[:, ::-2], b[..., None].shape, b[np.array([True, False, True])])
for index in (5, (1, 2, 3), 1.5, (0, 9)):
    attempt(lambda: b[index])
attempt(lambda: b.__setitem__(0, [1, 2]))
counts = np.arange(3)
counts += 2
for operation in ("__iadd__", "__itruediv__"):
    attempt(lambda: getattr(counts, operation)(1.5))
for index, value in enumerate(np.array([0.5, 1.5])):
    print(index, value, value * 2)

# Reductions, in NumPy's order of adding
h = np.sin(np.arange(1000))
print(h.sum(), h[:7].sum(), h[:100].sum(), h[:129].sum(), h.reshape(10, 100).sum(1), h.reshape(10, 10, 10).sum((0, 2)))
print(h.reshape(20, 50).T.sum(), h[::2].sum(), h.mean(), h.std(), h.astype(np.float32).sum(), h.var(ddof=1))
print(a.sum(axis=0), a.max(axis=1), a.argmax(), a.cumsum(axis=1), a.prod(axis=1), (a > 5).all(axis=1), (a > 5).mean())
print(f.mean(axis=0), f.std(axis=1, keepdims=True), a.min(initial=-3), np.median(d), np.percentile(a, [10, 50]))
for axis in (2, -3, (0, 0)):
    attempt(lambda: a.sum(axis=axis))
attempt(lambda: np.max([]))

# Functions
for what in [
    lambda: np.where(a > 5, a, 0), lambda: np.where(a > 9), lambda: np.clip(d, -1, None), lambda: np.round(d, 1),
    lambda: np.sqrt(a), lambda: np.floor(d), lambda: np.sign(d), lambda: np.abs(-3),
    lambda: np.concatenate([a, a[:1]]), lambda: np.stack([d, d], axis=1).shape, lambda: np.vstack([d, d]).shape,
    lambda: np.hstack([[1, 2], [3.5]]), lambda: np.split(np.arange(6), 3), lambda: np.tile([1, 2], (2, 1)),
    lambda: np.repeat([1, 2], 2), lambda: np.unique([3, 1, 1, 2], return_counts=True), lambda: np.argsort([3, 1, 2]),
    lambda: np.histogram([1, 2, 1, 4], bins=3), lambda: np.bincount([0, 1, 1, 3]),
    lambda: np.interp(2.5, [1, 2], [3, 4]), lambda: np.meshgrid([1, 2], [3, 4, 5]),
    lambda: np.triu(np.ones((3, 3)), k=1).astype("uint8"), lambda: np.eye(2), lambda: np.pad([1, 2], 1),
    lambda: np.delete([1, 2, 3], 1), lambda: np.roll([1, 2, 3], 1), lambda: np.diff([1, 4, 9]),
    lambda: a @ a.T, lambda: np.dot([1, 2], [3, 4]), lambda: np.outer([1, 2], [3, 4]),
    lambda: np.linalg.norm([3, 4]), lambda: np.average([1, 2, 3], weights=[3, 2, 1]),
    lambda: np.cov([[1.0, 2, 3], [4, 5, 7]]), lambda: np.kron([1, 2], [1, 1]),
    lambda: np.add.reduce([1, 2, 3]), lambda: np.maximum.accumulate([1, 3, 2]),
    lambda: np.nanmean([1, np.nan, 3]), lambda: np.frombuffer(b"\x01\x02\xff\xff", dtype=np.uint8),
    lambda: np.frombuffer(b"\x01\x02\xff\xff", dtype=np.int16),
    lambda: np.array([1, 2], dtype=np.int32).tobytes(), lambda: np.array([1.5, -2]).tobytes(),
    lambda: np.isin([1, 2, 3], [2]), lambda: np.allclose([1, 2], [1, 2.0000001]),
    lambda: np.expand_dims(d, 0).shape, lambda: np.arange(0, 1, 0.25), lambda: np.logspace(0, 2, 3),
    lambda: np.full((2,), 7.5), lambda: np.zeros(2, dtype=bool), lambda: np.array([[1, 2], [3]]),
    lambda: np.concatenate([a, d]), lambda: np.zeros((2, 2)).reshape(3),
    lambda: np.array([1, 2]) + np.array([1, 2, 3]), lambda: np.array([1, 2]) @ np.array([1, 2, 3]),
    lambda: bool(a), lambda: np.array([2, 3]) ** -1, lambda: np.array([True]) - np.array([True]),
    lambda: np.nosuch, lambda: np.int8(300), lambda: np.array([1.7, -1.7]).astype(int),
    lambda: np.array([300]).astype(np.uint8), lambda: np.dtype("f4"),
    lambda: np.issubdtype(f.dtype, np.floating), lambda: np.finfo(np.float32).eps,
    lambda: np.result_type(np.int32, np.float32), lambda: isinstance(np.float32(1), np.floating),
    lambda: f"{np.float64(1.5):.3f} {np.int64(3):03d} {np.float32(0.5)}", lambda: [10, 20][np.int64(1)],
    lambda: list(range(np.int64(2))), lambda: np.float32(0.1) == 0.1, lambda: hash(a), lambda: a.foo,
    lambda: np.unravel_index(5, (2, 3)), lambda: np.mgrid[0:2, 0:3], lambda: np.c_[[1, 2], [3, 4]],
    lambda: np.prod((2, 3)), lambda: np.vectorize(lambda x: x + 1)([1, 2]),
    lambda: np.apply_along_axis(np.sum, 0, a),
]:
    attempt(what)

print(np.isneginf([-np.inf, 1.0]), np.isposinf(np.inf), np.finfo(np.float32).precision, np.finfo(float).nmant, repr(np.iinfo(np.int16)))
print(np.max([True, False]), np.array([[True], [False]]).argmax(axis=0), np.integer[int] is not None, np.dtype[np.float32] is not None)
print(np.float64(1) / 0, np.int64(7) // 0, np.float64(-1) / 0, np.where([True, False], 1, 0.5), np.array([1, 2]) ** 0.5)

print(np.zeros((0, 3)).max(axis=1), np.max([], initial=2.0), np.zeros((2, 0)).min(axis=1, initial=1, keepdims=True), a.max(axis=(0, 1), initial=50))


def moving(n):
    """Hot, so that it is compiled: means of rows that are filled one by one."""
    rows = np.zeros((4, 3))
    total = 0.0
    for i in range(n):
        rows[i % 4] = [i, 0.1 * i, 1e-5 * i]
        total += rows.mean()
    return total, rows


for n in (5, 40, 80):
    print(moving(n))
