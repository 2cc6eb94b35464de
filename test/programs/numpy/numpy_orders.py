# The order in memory as an argument, by any of its names, and what arrays tell of it.
import numpy as np
import numpy.matlib

a = np.arange(6.0).reshape(2, 3)
for order in (None, "C", "f", "A", "k", "X", 3):
    for make in (
        lambda: np.zeros((2, 3), order=order),
        lambda: np.ones((2, 3), int, order),
        lambda: np.full((2, 3), 7, order=order),
        lambda: np.eye(2, 3, order=order),
        lambda: np.zeros_like(a, order=order),
        lambda: np.full_like(a, 2, order=order),
        lambda: np.array(a, order=order),
        lambda: np.array(a.T, order=order),
        lambda: np.asarray(a.T, order=order),
        lambda: a.T.astype(int, order=order),
        lambda: a.T.copy(order),
        lambda: np.copy(a.T, order),
        lambda: a.T.ravel(order),
        lambda: a.flatten(order),
        lambda: a.reshape(3, 2, order=order),
        lambda: np.frombuffer(a.T.tobytes(order), dtype=float),
        lambda: np.array(np.unravel_index([1, 4], (2, 3), order=order)),
    ):
        try:
            found = make()
            print(order, found.tolist(), found.strides)
        except (ValueError, TypeError, KeyError) as e:
            print(order, type(e).__name__, e)
print(np.ravel_multi_index(([1, 0], [2, 1]), (2, 3), order="F"), np.ravel_multi_index(([1, 0], [2, 1]), (2, 3)))

print(a.flags, a.T.flags.fortran, a[:, :1].flags.forc, a.flags["C"], a.T.flags["F_CONTIGUOUS"])
print(a[1:].flags.owndata, np.zeros((2, 2, 2), order="F").flags.f_contiguous)
try:
    a.flags["none"]
except KeyError as e:
    print(e)
for wanted in (None, [], "C", ["F", "O"], ["c_contiguous", "W"], ["C", "F"]):
    try:
        b = np.require(a.T, np.float32, wanted)
        print(wanted, b.dtype, b.strides, b.flags.owndata)
    except ValueError as e:
        print(wanted, e)

print(numpy.matlib.repmat([1, 2], 2, 3), numpy.matlib.repmat(5, 2, 2), np.matlib.repmat([[1], [2]], 1, 2))
