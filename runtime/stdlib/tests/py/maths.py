# math: values to the last bit, domains and errors.
import math
def show(f, *a, **k):
    try:
        print(f.__name__, a, repr(f(*a, **k)))
    except Exception as e:
        print(f.__name__, a, type(e).__name__, e)
xs = [0.0, -0.0, 0.5, 1.0, -1.0, 2.0, 3.7, -2.3, 1e-10, 100.0, 710.0, 1e300, float("inf"), float("-inf"), float("nan")]
for f in (math.exp, math.expm1, math.log1p, math.sqrt, math.sin, math.cos, math.tan, math.asin, math.acos, math.atan, math.sinh, math.cosh, math.tanh, math.fabs, math.degrees, math.radians, math.floor, math.ceil, math.trunc, math.log, math.log2, math.log10, math.isnan, math.isinf, math.isfinite, math.modf, math.frexp, math.ulp, math.exp2):
    for x in xs: show(f, x)
for f in (math.erf, math.erfc, math.asinh, math.acosh, math.atanh):
    for x in (0.0, 0.25, 0.5, 1.0, 1.5, 2.5): show(f, x)
for f in (math.atan2, math.copysign, math.fmod, math.pow, math.remainder, math.hypot):
    for x in (0.0, 1.5, -2.0, float("inf")):
        for y in (0.0, 2.0, -3.5): show(f, x, y)
for n in (0, 1, 5, 20, 25): show(math.factorial, n)
show(math.factorial, -1); show(math.factorial, 1.5)
for a in ((12, 18), (0, 0), (7,), (), (-4, 6), (10**20, 15)): show(math.gcd, *a); show(math.lcm, *a)
for a in ((5, 2), (5, 7), (50, 25), (5, -1)): show(math.comb, *a); show(math.perm, *a)
show(math.perm, 5); show(math.isqrt, 10**30); show(math.isqrt, 15); show(math.isqrt, -1)
show(math.isclose, 1, 1 + 1e-10); show(math.isclose, 1, 1.1, rel_tol=0.2); show(math.isclose, 0, 1e-12, abs_tol=1e-9); show(math.isclose, 1, 2, rel_tol=-1)
show(math.dist, [1, 2, 3], [4, 5, 6]); show(math.dist, [1], [1, 2]); show(math.hypot, 3, 4); show(math.hypot, 1, 2, 3); show(math.hypot)
show(math.fsum, [0.1] * 10); show(math.fsum, [1e100, 1.0, -1e100]); show(math.fsum, [float("inf"), 1]); show(math.prod, [1, 2, 3]); show(math.prod, [0.5, 2], start=3); show(math.prod, [])
show(math.ldexp, 0.75, 3); show(math.ldexp, 1.0, 5000); show(math.log, 8, 2); show(math.log, 0); show(math.log, -1); show(math.log, 10**400); show(math.log2, 2**70); show(math.log10, 1000); show(math.log, 10, 1)
show(math.floor, 10**20 + 0.5); show(math.ceil, -0.5); show(math.floor, "x"); show(math.sqrt, "x"); show(math.sqrt, -1); show(math.sqrt); show(math.sqrt, 1, 2); show(math.nextafter, 1.0, 2.0)
for x in (1.0, 2.0, 5.0, 10.0): show(math.gamma, x)
print(math.pi, math.e, math.tau, math.inf, math.nan)
class F:
    def __floor__(self): return "floor"
    def __ceil__(self): return "ceil"
    def __float__(self): return 4.0
print(math.floor(F()), math.ceil(F()), math.sqrt(F()))
