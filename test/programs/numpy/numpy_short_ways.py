"""Scalars and small arrays, whose common operations have ways of their own, beside what those leave to others."""
import operator
import warnings

import numpy as np

warnings.simplefilter("always")
warnings.showwarning = lambda message, category, *rest: print("  warns", category.__name__, message)

OPERATORS = [
    operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod, operator.lt, operator.le,
    operator.eq, operator.ne, operator.gt, operator.ge,
]


def shown(v):
    if isinstance(v, np.ndarray):
        return f"array {v.dtype} {v.shape} {v.tolist()}"
    return f"{type(v).__name__} {v!r}"


def told(f, *args):
    try:
        return shown(f(*args))
    except Exception as e:
        return f"{type(e).__name__}: {e}"


# Each operator between each two kinds of numbers, common ones and corners.
kinds = [
    np.float64(1.5), np.float64(0.0), np.float64("inf"), np.float32(0.1), np.int64(7), np.int64(-3), 2, 0, 2.5, True,
]
for op in OPERATORS:
    print(op.__name__)
    for a in kinds:
        row = []
        for b in kinds:
            if isinstance(a, np.generic) or isinstance(b, np.generic):
                row.append(told(op, a, b))
        print("  ", type(a).__name__, a, "|", "; ".join(row))

# What does not fit, or is too large or too small.
big, small = np.float64(1e300), np.float64(1e-300)
print(told(operator.mul, big, big), told(operator.mul, small, small), told(operator.truediv, big, small))
print(told(operator.add, np.int64(2**62), np.int64(2**62)), told(operator.mul, np.int64(2**40), 2**30))
print(told(operator.mul, np.float32(1e30), 1e30), told(operator.add, np.float32(1), 1e300))
with np.errstate(under="raise"):
    print(told(operator.mul, small, small), told(operator.mul, np.float64(0), small))
with np.errstate(all="ignore"):
    print(told(operator.mul, big, big), told(operator.truediv, np.float64(1), 0), told(operator.truediv, np.float64(0), 0))
print(told(operator.lt, np.int64(2**62), 1.5), told(operator.eq, np.int64(2**53 + 1), float(2**53)), np.int64(3) == 3.0)
for v in kinds[:6]:
    print(told(operator.neg, v), told(abs, v), bool(v), told(int, v) if v == v and abs(v) < 1e9 else "", hash(v) == hash(v.item()))


class Mine(np.float64):
    def __mul__(self, other):
        return "mine"


print(Mine(2.0) * 3, 3 * Mine(2.0), Mine(2.0) + 1, type(Mine(2.0) + 1).__name__, np.float64(2) * Mine(4))

# Functions of one number.
for f in (np.sqrt, np.exp, np.log, np.sin, np.cos, np.tan, np.arctan, np.tanh, np.fabs, np.absolute, np.square):
    print(f.__name__, [told(f, x) for x in (0.5, np.float64(2.0), 3, np.int64(4), 0, -1.0)])
print(told(np.exp, 1000.0), told(np.log, 0.0), told(np.square, 1e200), told(np.arccos, 2.0))

# Items, written and read.
a = np.array([1.0, 2.0, 3.0, 4.0])
m = np.arange(12).reshape(3, 4)
for key in (0, -1, np.int64(2), 4, -5, slice(1, 3), slice(None, -1), slice(3, 1), slice(0, 4, 2), (1,), True, [0, 2], None, ...):
    print(key, told(operator.getitem, a, key), "/", told(operator.getitem, m, key))
print(told(operator.getitem, m, (1, 2)), told(operator.getitem, m, (-1, -1)), told(operator.getitem, m, (1, slice(1, 3))), told(operator.getitem, m, (3, 0)))
row, part = m[1], a[1:3]
row[0], part[0] = 100, 20.0
m[2, 3] = 7.9
a[np.int64(3)] = np.float32(0.5)
print(m.tolist(), a.tolist(), told(operator.setitem, a, 9, 1.0))
f = np.zeros(3, dtype=np.float32)
f[0], f[1], f[2] = 0.1, np.float64(2.0), 3
b = np.zeros(3, dtype=bool)
b[1] = True
i = np.zeros(3, dtype=int)
i[0] = 5
print(f.tolist(), b.tolist(), i.tolist(), len(m), told(len, np.array(1.0)), m.shape, m.ndim, m.size, f.dtype, list(f), list(i), [type(v).__name__ for v in b])

# Arithmetic of arrays.
arrays = [a, np.array([1, 2, 3, 4]), np.array([0.5, 1.5, 2.5, 3.5], dtype=np.float32), np.array([[1.0], [2.0]]), np.array(2.0), np.array([])]
others = [2, 0.5, np.float64(3.0), np.float32(0.25), np.int64(2), True, [1.0, 2.0, 3.0, 4.0]]
for op in OPERATORS[:4] + OPERATORS[6:]:
    print(op.__name__)
    for x in arrays:
        for y in arrays + others:
            print("  ", told(op, x, y), "|", told(op, y, x) if not isinstance(y, np.ndarray) else "")
print(told(operator.mul, a * 1e300, 1e300), told(operator.truediv, a, 0), told(operator.mul, a[::2], a[1::2]), told(operator.neg, a), told(operator.neg, i))
x = a
x += 1
print(a.tolist(), x is a)

# Reductions, and what makes arrays.
for f in ("sum", "mean", "max", "min", "argmax", "argmin"):
    print(f, [told(getattr(np, f), v) for v in (a, m, i, np.array([np.nan, 1.0]), np.array([0.0, -0.0]), [3.0, 1.0], np.array([2.0, 2.0]))])
    print(f, told(getattr(np, f), np.array([])), told(getattr(m, f), 0), told(lambda v: getattr(v, f)(), a))
for v in ((1.0, 2.0), [1, 2, 3], [1, 2.5], [True, False], [[1, 2], [3, 4]], [(1.0, 2), (3, 4)], [[1], [2, 3]], [a, a], [np.float64(1.0), 2.0], [np.int64(1)],
          [], [[]], [np.float32(1)], a[::-1], [[1.0], 2.0]):
    print(told(np.array, v), "|", told(np.array, v, np.float32), "|", told(np.array, v, int), "|", told(lambda w: np.array(w, dtype=float), v))
for shape in (3, (2, 2), (), (0,), [2], np.int64(2), -1, 2.0):
    print(told(np.zeros, shape), told(np.ones, shape, int), told(lambda s: np.zeros(s, dtype=np.float32), shape))
print(told(np.clip, 5.0, 0, 1), told(np.clip, a, 1, 3), told(np.clip, np.float64(-1), 0.0, 2), told(np.clip, m, 1, 3), told(np.clip, a, 3, 1), told(np.clip, np.nan, 0, 1))
print(told(np.where, a > 2, a, 0.0), told(np.where, a > 2, 1, 0), told(np.where, a > 2, a, a * 2), told(np.where, m > 2, m, -1))
print(told(np.concatenate, [a, a]), told(np.concatenate, [m, m]), told(np.concatenate, [a, m]), told(np.concatenate, [a, i]), told(np.concatenate, (m, m), 1))
print(told(a.reshape, 2, 2), told(a.reshape, (4, -1)), told(a.reshape, 3), told(a.reshape, -1, -1), told(m.T.reshape, -1))
print(told(a.astype, int), told(a.astype, np.float32), told(i.astype, float), told((a * 1e30).astype, np.float32), told(np.array([1e300]).astype, np.float32), told(np.array([np.nan]).astype, int))
c = a.copy()
c[0] = -1
print(a[0], c[0], told(m.T.copy))
print([told(np.array, v, None) for v in ([1, 2], (1.5, 2), [[1], [2]], i, a)], told(lambda: np.array([1, 2], dtype=None)))
print(told(np.zeros, 2, None), told(np.ones, 2, None), told(i.astype, None), told(np.reshape, i, (3, 1)))
for g in (a.astype, a.reshape, np.array, np.zeros):
    try:
        g()
    except TypeError:
        print("TypeError")
