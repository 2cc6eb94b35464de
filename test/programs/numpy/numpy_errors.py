"""NumPy's floating point errors: warnings at the script's line, and what errstate makes of them."""
import warnings
import numpy as np

warnings.simplefilter("always")


def told(name, function):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            found = function()
        except Exception as e:
            found = f"{type(e).__name__}: {e}"
    print(name, found, [(w.category.__name__, str(w.message)) for w in caught])


a, z = np.array([1.0, 0.0, -1.0]), np.zeros(3)
n, i = np.array([1.0, np.nan]), np.array([np.inf, -np.inf])
# What operands explain is no error.
told("nan", lambda: (n + 1, n * n, np.sqrt(n), np.exp(n), n / 2, n ** 2, np.log(n), n.sum(), n.mean(), n.std(), n @ n))
told("inf", lambda: (i + 1, i * 2, np.exp(i), i / 3, 1 / i, abs(i), i.sum(axis=None, keepdims=True)[0:0], np.arctan(i)))
told("inf2", lambda: (i - i, i * 0, np.sin(i), i / i, i % 2, i // 1))
told("where", lambda: np.divide(a, z, out=np.full(3, 7.0), where=z != 0))
told("where log", lambda: np.log(a, out=np.zeros(3), where=a > 0))
told("where int", lambda: np.floor_divide(np.array([4, 5]), np.array([0, 2]), out=np.array([9, 9]), where=np.array([False, True])))
told("float32", lambda: np.array([3e38], dtype=np.float32) * np.float32(10))
told("float16", lambda: np.array([60000.0], dtype=np.float16) + np.float16(60000))
told("exp32", lambda: np.exp(np.array([200.0], dtype=np.float32)))
told("in place", lambda: a.copy().__imul__(1e308).__imul__(1e10))
told("columns", lambda: (np.array([[1e308, 1.0], [1e308, 2.0]]).sum(axis=0), np.array([[1e200, 2.0], [1e200, 2.0]]).prod(axis=0)))
told("means", lambda: (np.zeros((0, 3)).mean(axis=0), np.zeros((3, 0)).mean(axis=0)))
told("mean of rows", lambda: np.zeros((2, 0)).mean(axis=1))
told("vars", lambda: (np.array([[1.0], [2.0]]).std(axis=1, ddof=1), np.array([1.0, 2.0]).var(ddof=2)))
told("nan means", lambda: (np.nanmean([[np.nan, 1], [np.nan, 2]], axis=0), np.nanstd([np.nan]), np.nanvar([1.0, np.nan], ddof=1)))
told("cumsum", lambda: np.cumsum([1e308, 1e308]))
told("matmul", lambda: np.array([[1e200]]) @ np.array([[1e200]]))
told("scalars", lambda: (np.float64(1e308) * 10, np.float64(1) / 0, np.float64(0) / 0.0, 1 / np.float64(0), np.float32(1) / np.float32(0), np.float64(-1) ** 0.5, np.float64(0) ** -1))
told("ints", lambda: (np.int8(127) + np.int8(1), np.int64(1) // np.int64(0), np.int32(5) % np.int32(0), np.uint8(3) - np.uint8(4), -np.int8(-128), abs(np.int16(-32768)), np.int64(3) ** 50, np.uint16(65535) + np.uint16(1)))
told("int arrays", lambda: (np.array([127], dtype=np.int8) + np.int8(1), np.array([7, 8]) // 0, np.array([7, 8]) % np.array([0, 3]), np.array([1, 2]) / 0))
told("casts", lambda: (np.array([np.inf, 1.0]).astype(np.int64), np.array([300.5]).astype(np.int16), np.array([-1e300]).astype(np.float32), np.array([1e5]).astype(np.float16)))
told("functions", lambda: (np.arccosh(0.5), np.arctanh(np.array([1.0, 2.0])), np.log10(np.array([0, 10])), np.square(1e200), np.reciprocal(0.0), np.sinh(1e4), np.expm1(1e4), np.hypot(1e308, 1e308)))
told("powers", lambda: (a ** -1, a ** 0.5, np.array([1e200]) ** 2, np.array([1e200]) ** 3, np.power(np.array([-8.0]), 1 / 3)))

with np.errstate(all="raise"):
    told("raise", lambda: a / z)
    told("raise log", lambda: np.log(z))
    told("raise scalar", lambda: np.float64(1e308) * 10)
    told("raise mean", lambda: np.mean([]))
    told("raise under", lambda: np.array([1e-300]) * 1e-300)
    told("none", lambda: (a * 2, np.exp(a), a - a, np.array([0.0]) * 5, np.exp(-np.inf)))
with np.errstate(divide="ignore", invalid="ignore"):
    told("ignore", lambda: (a / z, np.log(-a), np.array([1e200]) ** 2))


@np.errstate(all="ignore")
def quiet():
    return a / z, np.geterr()


told("decorated", quiet)
seen = []
old = np.seterrcall(lambda kind, flag: seen.append((kind, flag)))
with np.errstate(all="call"):
    told("call", lambda: (a / z, np.exp(1e4), np.float64(0) / 0))
print(old, seen)
with np.errstate(divide="call", call=lambda kind, flag: print("own", kind, flag)):
    told("own call", lambda: 1 / np.zeros(1))


class Log:
    def write(self, text):
        print("log:", repr(text))


with np.errstate(all="log", call=Log()):
    told("log", lambda: np.log(np.array([0.0, -1.0])))
print(np.geterr(), np.seterr(over="raise"), np.geterr()["over"], np.geterrcall() is not None)
told("over", lambda: np.array([1e308]) * 10)
np.seterr(over="warn")
for bad in ({"all": "loud"}, {"divide": 3}):
    told("bad", lambda: np.seterr(**bad))
state = np.errstate(all="ignore")
with state:
    try:
        with state:
            pass
    except TypeError as e:
        print(e)
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    np.log(z)
    np.float64(1) / 0
    for _ in range(2):
        a / z
first = caught[0].lineno
print([w.lineno - first for w in caught], {w.filename == __file__ for w in caught})
with warnings.catch_warnings():
    warnings.simplefilter("error")
    try:
        a / z
    except RuntimeWarning as e:
        print("error:", e)
