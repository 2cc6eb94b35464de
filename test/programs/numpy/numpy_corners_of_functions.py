"""Dtypes, shapes and refusals of NumPy's functions at their corners."""
import numpy as np

nan, inf = float("nan"), float("inf")


def show(*calls):
    for f in calls:
        try:
            r = f()
            print(repr(r), getattr(r, "dtype", type(r).__name__))
        except Exception as e:
            print(type(e).__name__, e)


for d in ("int64", "float32", "uint8"):
    show(lambda: int(np.array([5], d)), lambda: float(np.array(5, d)), lambda: bool(np.array([5], d)))
show(
    lambda: np.cov([1.0, 2.0, 3.0]), lambda: np.cov(np.array([[1, 2, 4], [3, 1, 2]], "f4")), lambda: np.corrcoef([1.0, 2, 3]),
    lambda: np.average([1, 2], returned=True), lambda: np.average(np.ones((2, 3)), 0, returned=True),
)
# Sizes are ints.
show(
    lambda: np.zeros(3.0), lambda: np.zeros((2, 1.5)), lambda: np.zeros("a"), lambda: np.zeros(-1), lambda: np.zeros(True),
    lambda: np.ones(np.int64(2)), lambda: np.empty([np.int8(2)]).shape, lambda: np.random.uniform(size=2.0),
    lambda: np.random.default_rng(0).random(2.5), lambda: np.random.normal(size=(2, 1.0)), lambda: np.random.random(0.5),
    lambda: np.random.default_rng(0).random(-1), lambda: np.full(2.0, 1),
)
# What may be written into what.
show(
    lambda: np.concatenate([[1.0], [2.0]], dtype=int), lambda: np.concatenate([[1], [2]], dtype="f4"),
    lambda: np.sum([1, 2], out=np.zeros(2)), lambda: np.max([1, 2], out=np.zeros((1, 1))), lambda: np.any([1, 0], out=np.zeros(3, bool)),
    lambda: np.var([1, 2.0], out=np.zeros(2)), lambda: np.mean([1, 2.0], out=np.zeros(2)), lambda: np.sum([[1, 2]], 0, out=np.zeros(2)),
)
show(
    lambda: np.sort(3), lambda: np.argsort(3), lambda: np.nonzero(3), lambda: np.where(True), lambda: np.convolve([1, 2], [1], "x"),
    lambda: np.convolve([], [1]), lambda: np.histogram([nan]), lambda: np.select([[True]], [1, 2]), lambda: np.linalg.slogdet(np.eye(2)),
    lambda: np.linalg.multi_dot([np.eye(2)]),
)
show(
    lambda: np.var([1, 2], dtype=int), lambda: np.std([1, 2, 4], dtype=int), lambda: np.var([1, 2], ddof=1, correction=1),
    lambda: np.nanvar([1.0, nan, 4.0]), lambda: np.nanmean(np.array([1, nan], "f4")), lambda: np.nanstd(np.array([1, nan, 3], "f4")),
    lambda: np.intersect1d([3, 1, 1], [1, 3, 3], assume_unique=True), lambda: np.intersect1d([3, 1, 1], [1.0, 3, 3]),
    lambda: np.setdiff1d([3, 1, 2], [1], assume_unique=True), lambda: np.setdiff1d([3, 1, 2], [1]), lambda: np.quantile([1, 2, 3], 0),
    lambda: np.quantile([1, 2, 3], 0.0), lambda: np.percentile(np.array([1, 2, 3], "f4"), 50), lambda: np.median(np.array([1, 2], "f4")),
    lambda: np.fix(np.array([1, 2])), lambda: np.fix([1.5, -1.5]), lambda: np.square(np.array([True])), lambda: np.conjugate(np.array([True])),
    lambda: np.vander(np.array([1, 2], "f4")), lambda: np.polyval(np.array([1, 2], "u1"), np.array([200], "u1")), lambda: np.isin(1, [1]),
    lambda: np.isreal(np.float32(1)), lambda: np.tensordot([1], [2], 1), lambda: np.extract([False, True], [1, 2]), lambda: np.inner([1, 2], [3, 4]),
    lambda: np.histogram(np.array([1, 2, 2.5], "f4"), 2), lambda: np.histogram([1, 2, 2], 2),
)
a = np.stack([np.eye(2) * 2, np.eye(2)])
show(
    lambda: np.linalg.solve(a, np.array([[1.0, 2], [3, 4]])), lambda: np.linalg.solve(np.eye(2), [1.0, 2]),
    lambda: np.linalg.solve(a, np.array([1.0, 2])), lambda: np.linalg.multi_dot([a[0], a[1], np.ones(2)]),
)
