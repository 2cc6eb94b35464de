# Floats with a fixed number of digits: rounded half to even on the exact value, which decimal tells.
import random
from decimal import ROUND_HALF_EVEN, Context, Decimal

random.seed(11)
exact = Context(prec=1200)


def expected(f, precision):
    text = format(abs(Decimal(f)).quantize(Decimal(1).scaleb(-precision), ROUND_HALF_EVEN, exact), "f")
    return ("-" if str(f).startswith("-") else "") + text


def samples(count):
    for at in range(count):
        yield random.uniform(-1000, 1000)
        yield random.randrange(-4000, 4000) / 8
        yield random.randrange(1 << 50) / 1024
        yield random.uniform(-1, 1) * 10.0 ** random.randrange(-25, 25)
        yield float(random.randrange(1 << 62))


wrong = 0
for f in samples(300):
    precision = random.randrange(20)
    forms = (f"{f:.{precision}f}", "%.*f" % (precision, f), format(f, ".%df" % precision))
    want = expected(f, precision)
    wrong += any(form != want for form in forms)
    if precision < 15 and abs(f) < 1e6:
        wrong += round(f, precision) != float(want)
print(wrong)
for f in (0.5, 1.5, 2.5, -0.5, 0.125, 0.375, -0.0, 1e22, 1e300, 5e-324, 2.0**63, 2.0**64, 0.1, 1 / 3, 9.995, 99.5, 999999.5):
    print([f"{f:.{p}f}"[:40] for p in (0, 1, 2, 5, 17)], round(f, 2))
