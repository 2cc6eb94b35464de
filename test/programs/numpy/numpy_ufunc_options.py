# Ufuncs with where=, out=, dtype=, and their methods reduce, accumulate, outer, at and reduceat with all options.
import numpy as np

a = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
b = np.array([[2.0, 2.0, 2.0], [3.0, 3.0, 3.0]])
m = np.array([[True, False, True], [False, True, True]])
ints, bits = a.astype(int), (a.astype(int), b.astype(int))


def told(name, f):
    try:
        r = f()
        print(name, type(r).__name__, getattr(r, "dtype", ""), np.asarray(r).tolist())
    except Exception as e:
        print(name, type(e).__name__)


def main():
    for name in ("isnan", "isfinite", "logical_not", "signbit", "sqrt", "floor", "absolute", "negative", "positive"):
        f = getattr(np, name)
        for x in (a, ints, m):
            told(f"{name} where", lambda: f(x, where=m, out=np.full((2, 3), -1.0)))
    for name in ("greater", "less_equal", "equal", "logical_and", "logical_xor", "maximum", "multiply", "add"):
        f = getattr(np, name)
        told(f"{name} where", lambda: f(a, b, where=m, out=np.full((2, 3), -1.0)))
        told(f"{name} where of bools", lambda: f(m, ~m, where=m, out=np.full((2, 3), -1.0)))
    for name in ("subtract", "divide", "remainder", "fmax", "hypot", "copysign", "logical_xor", "logaddexp", "greater"):
        f = getattr(np, name)
        told(f"{name} reduce", lambda: np.round(f.reduce(a, axis=1), 6) if name != "logical_xor" else f.reduce(a, axis=1))
        told(f"{name} keepdims, initial", lambda: f.reduce(ints, axis=0, keepdims=True, initial=2).astype(float).round(6))
        told(f"{name} of all", lambda: np.asarray(f.reduce(a, axis=None)).astype(float).round(6))
        told(f"{name} accumulate", lambda: f.accumulate(ints, axis=1).astype(float).round(6))
    for name in ("bitwise_and", "bitwise_or", "gcd", "lcm", "left_shift"):
        f = getattr(np, name)
        told(f"{name} reduce", lambda: f.reduce(ints, axis=0, initial=4))
        told(f"{name} of all", lambda: f.reduce(ints, axis=None) if name != "left_shift" else f.reduce(ints[0]))
        told(f"{name} outer", lambda: f.outer(ints[0], ints[1]))
    for name in ("add", "multiply", "subtract", "maximum", "power", "bitwise_xor"):
        f = getattr(np, name)
        told(f"{name} reduceat", lambda: f.reduceat(ints[0], [0, 2, 1]))
        told(f"{name} reduceat rows", lambda: f.reduceat(ints, [1, 0], axis=1))
        told(f"{name} beyond", lambda: f.reduceat(ints[0], [0, 5]))

        def at(places, values):
            x = ints[0] + 1
            f.at(x, places, values)
            return x

        told(f"{name} at", lambda: at([0, 2, 0], [3, 2, 4]))
        told(f"{name} at with one", lambda: at(np.array([1, 1, -1]), 2))

    def negated():
        x = a.copy()
        np.negative.at(x, (np.array([0, 0, 1]), np.array([1, 1, 2])))
        return x

    told("negative at", negated)
    for x in (m, a.astype(np.float16), a.astype(np.float32), ints):
        for decimals in (0, 1, 6, -1):
            told(f"round {x.dtype} {decimals}", lambda: np.round(x / 3 if x.dtype.kind == "f" else x, decimals))
    told("max of bools", lambda: np.max(m, initial=False))
    told("min of bools", lambda: np.min(m, initial=True))


for _ in range(3):
    main()
