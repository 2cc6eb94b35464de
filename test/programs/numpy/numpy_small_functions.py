"""NumPy's functions of numbers and of small arrays: types, zeros, what is no number, extents."""
import numpy as np

rng = np.random.RandomState(5)
numbers = [0, 3, -2, 0.0, -0.0, 1.5, -2.5, 0.5, 1e308, float("nan"), float("inf"), True]
numbers += [np.float64(2.5), np.float64(-0.0), np.float32(1.1), np.float32(-3.5), np.float32("nan"), np.int64(7), np.bool_(True)]


def show(f, *args):
    try:
        with np.errstate(all="ignore"):
            r = f(*args)
    except Exception as e:
        return type(e).__name__
    if isinstance(r, np.ndarray):
        return f"{r.dtype}{r.shape}{r.tolist()}"
    return f"{type(r).__name__}:{r!r}"


def digest(name, parts):
    text = " ".join(parts)
    total = 0
    for c in text:
        total = (total * 31 + ord(c)) % 1000003
    print(name, len(parts), total)
    return text


for name in ("floor", "ceil", "trunc", "rint", "sign", "isnan", "isinf", "isfinite"):
    print(name, " ".join(show(getattr(np, name), n) for n in numbers))
pairs = [(a, b) for a in numbers for b in numbers]
for name in ("add", "subtract", "multiply", "divide", "maximum", "minimum", "hypot", "less"):
    digest(name, [show(getattr(np, name), a, b) for a, b in pairs])
print(show(np.maximum, 0.0, -0.0), show(np.minimum, -0.0, 0.0), show(np.maximum, 2, 2), show(np.add, 2**62, 2**62))

arrays = [rng.normal(size=n).astype(t) for n in (1, 3, 9, 130) for t in ("float64", "float32")]
arrays += [rng.randint(-4, 5, n) for n in (1, 6, 40)] + [rng.rand(n) < 0.5 for n in (1, 5)]
arrays += [np.zeros(4), np.array([0.0, -0.0]), np.array([-0.0, 0.0], np.float32), np.array([1.0, np.nan]), np.zeros(0), np.ones((2, 3), np.float32), rng.normal(size=(3, 4)).T]
arrays += [np.array(3.5), np.array([2**62, 2**62, 2**62]), np.array([1, 2, 3], np.int32), rng.normal(size=20)[::3], np.array([3e38, 3e38], np.float32)]
for name in ("sum", "mean", "max", "min", "argmax", "argmin", "any", "all"):
    print(name, digest("np." + name, [show(getattr(np, name), a) for a in arrays])[:160])
    digest("ndarray." + name, [show(getattr(a, name)) for a in arrays])
for name in ("isnan", "isfinite", "sign", "floor"):
    digest(name + " of arrays", [show(getattr(np, name), a) for a in arrays])
for name in ("maximum", "minimum", "add"):
    digest(name + " of arrays", [show(getattr(np, name), a, n) for a in arrays for n in numbers] + [show(getattr(np, name), n, a) for a in arrays for n in numbers] + [show(getattr(np, name), a, a[::-1]) for a in arrays if a.ndim])

bins = [np.linspace(-1, 1, 5), np.linspace(-1, 1, 5).astype(np.float32), np.array([-3, 0, 0, 2]), np.array([1.0, 0.5, -1.0]), np.zeros(0), [0.1, 0.2]]
for b in bins:
    digest("digitize", [show(np.digitize, x, b) for x in numbers[:-1] + arrays[:9]])
    if list(b) == sorted(b):
        digest("searchsorted", [show(np.searchsorted, b, x) for x in numbers[:-1] + arrays[:9]] + [show(np.searchsorted, b, x, "right") for x in numbers[:9]])
for a in (rng.normal(size=3), rng.normal(size=(2, 3)), rng.normal(size=3).astype(np.float32)):
    for b in (rng.normal(size=3), rng.normal(size=(3, 2)), rng.normal(size=(2, 2)), 2.0):
        try:
            r = np.dot(a, b)
            print(type(r).__name__, np.asarray(r).dtype, np.shape(r), np.round(r, 5).tolist())
        except ValueError as e:
            print(e)

x = np.array([-1, 0, 1, 2, 3.0, np.nan, np.inf])
for b in ([0, 1, 2], [2, 1, 0], [0, 0], [1], [], [1, 0, 2], [[1]], 3, [0, np.inf], [np.inf, 0], [1, 1, 0, 0], [0, 1, 1, 0]):
    for right in (False, True):
        try:
            print(b, right, np.digitize(x, b, right).tolist(), np.digitize(1, np.array(b), right))
        except ValueError as e:
            print(b, right, e)

# Powers of float32 are rounded once; those by some numbers are a product, a root or a quotient.
a = np.abs(rng.randn(200)).astype(np.float32)
for e in (2, 0.5, -1, 2.0, 1, 0):
    print(e, (a**e).dtype, [float(v).hex() for v in (a**e)[:2]], digest("power", [float(v).hex() for v in a**e])[:30])
for e in (2, 3, -2, 1.5):
    exact = (a.astype(np.float64) ** e).astype(np.float32)
    print(e, sum(abs(np.float32(v) ** e - x) > abs(x) * 6e-8 for v, x in zip(a, exact)), np.allclose(a**e, exact, rtol=3e-7))
b = a.copy()
b **= 2
print(np.array_equal(b, a * a), np.array_equal(np.power(a, 2), a * a))
ints = [np.int64(n) for n in (5, -3, 1, 0, 2**40)]
for f in ("__and__", "__or__", "__xor__", "__lshift__", "__rshift__"):
    print(f, [show(getattr(x, f), y) for x in ints for y in (1, np.int64(3), 40, True)], show(getattr(ints[0], f), 1.5))
print(1 << np.int64(3), 6 & np.int64(3), type(1 << np.int64(3)).__name__, np.int64(1) << 64, np.int64(-8) >> 70)
