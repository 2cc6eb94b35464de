"""Items that a dtype has not: numbers of Python's raise, what has a dtype is converted and warned of."""

import threading
import warnings

import numpy as np

nan, inf = float("nan"), float("inf")


def show(name, make):
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        try:
            found = make()
            print(name, repr(found), getattr(found, "dtype", None), [f"{w.category.__name__}: {w.message}" for w in seen])
        except Exception as error:
            print(name, type(error).__name__, error)


def stored(dtype, value, key=0):
    a = np.zeros(2, dtype)
    a[key] = value
    return a


for value in (nan, inf, 300.0, -1.0, 2.5, 1e20, 2 + 1j, 300, -1, 2**63, np.float64(nan), True):
    for dtype in (np.int64, np.int8, np.uint8, np.uint16, np.uint64):
        show(f"array {value} {dtype.__name__}", lambda: np.array([value], dtype=dtype))
        show(f"item {value} {dtype.__name__}", lambda: stored(dtype, value))
    show(f"float {value}", lambda: (np.array([value], dtype=float), stored(np.float32, value)))
    show(f"half {value}", lambda: np.asarray(value, dtype=np.float16))

for value in ([nan, 1.0], [1j, 1], [1e300, 1], [1, 2]):
    for dtype in (int, np.int32, float, np.float32, np.complex64, bool):
        show(f"astype {value} {dtype.__name__}", lambda: np.array(value).astype(dtype))
        show(f"all {value} {dtype.__name__}", lambda: stored(dtype, value, slice(None)))
        show(f"arrays {value} {dtype.__name__}", lambda: stored(dtype, np.array(value), slice(None)))
        show(f"full {dtype.__name__}", lambda: np.full(2, value[0], dtype=dtype))

show("insert", lambda: np.insert([1, 2], 0, nan))
show("insert", lambda: np.insert([1, 2], [0], [nan]))
show("fill", lambda: np.zeros(2, int).fill(nan))
show("large", lambda: [np.array(x) for x in ([2**63], [2**63, 1], [2**63, -1], 2**64 - 1, [2**63, 1.5])])
show("large", lambda: np.array([2**70], dtype=float))

top = 2**63
a = np.array([top + 5, 3, top], dtype=np.uint64)
for name in ("max", "min", "argmax", "argmin", "argsort", "mean", "any", "all", "sum", "cumsum", "tolist"):
    show(name, getattr(a, name))
show("order", lambda: (np.sort(a), np.unique(a), np.unique(a, return_inverse=True), np.isin(a, [3]), a.searchsorted(top)))
show("beside", lambda: (a > -1, a < 2**64, 2**64 > a, a == -1, a + np.array([1, -1, 0]), a**2, a.view(np.int64)))
show("places", lambda: (np.where([True, False, True], a, a[::-1]), np.concatenate([a, a]), np.concatenate([a, [1]]), a @ a))
show("range", lambda: np.arange(top, top + 6, 2, dtype=np.uint64))
show("view", lambda: np.array([-1, 5]).view(np.uint64))

for values in ([0.1, 1000, 3e-5], [1e-4, 1], [6e-8, 1]):
    h = np.array(values, dtype=np.float16)
    print(h, h / 3, repr(h * 3), h.cumsum())
print(np.array([0.1, 1.2345678e-10], dtype=np.float32), np.array([0.1, 1.2345678e-10]))
print(np.linspace(0, 1, 12, dtype=np.float16).reshape(3, 4).cumsum(0))
with np.printoptions(floatmode="fixed", precision=20):
    print(np.array([0.1, 2.5]))

# Each thread and each task has its own answer to errors.
np.seterr(divide="raise")


def ratio():
    return np.ones(1) / np.zeros(1)


show("here", ratio)
other = threading.Thread(target=lambda: (show("thread", ratio), print(np.geterr()["divide"])))
other.start()
other.join()


def steps():
    with np.errstate(divide="ignore"):
        yield np.geterr()["divide"]
        yield np.geterr()["divide"]


walk = steps()
print(next(walk), np.geterr()["divide"], list(walk), np.geterr()["divide"])
