"""decimal, fractions, statistics, cmath, ipaddress, graphlib, calendar, colorsys."""

import calendar
import cmath
import colorsys
import decimal
import fractions
import graphlib
import ipaddress
import statistics
from decimal import Decimal, getcontext, localcontext
from fractions import Fraction

# decimal
print(Decimal("1.10") + Decimal("2.20"), Decimal(1) / Decimal(7), Decimal("1e400") * 10)
print(Decimal("2").sqrt(), Decimal("10").ln(), Decimal("1").exp(), Decimal("2") ** Decimal("0.5"))
print(Decimal("7.325").quantize(Decimal(".01"), rounding=decimal.ROUND_HALF_EVEN), Decimal("7.325").quantize(Decimal("1.")))
print(repr(Decimal("-0")), Decimal("NaN"), Decimal("Infinity") > 5, Decimal("1.0") == 1, hash(Decimal("1.5")) == hash(1.5))
with localcontext() as context:
    context.prec = 5
    print(Decimal(1) / 3)
print(getcontext().prec, f"{Decimal('1234567.891'):,.2f}", f"{Decimal('0.00012'):e}", Decimal("12.5").as_tuple())
for what in (lambda: Decimal(1) / 0, lambda: Decimal("abc"), lambda: Decimal("sNaN") + 1):
    try:
        what()
    except decimal.DecimalException as e:
        print(type(e).__name__)
print(sum([Decimal("0.1")] * 10), max(Decimal(3), 2), sorted([Decimal("2"), Decimal("-1")]), round(Decimal("2.675"), 2))
print(int(Decimal("12.9")), float(Decimal("0.1")), Decimal(0.1), Decimal("1E+3").normalize(), divmod(Decimal(7), 3))

# fractions
print(Fraction(3, 4) + Fraction(1, 6), Fraction("0.125"), Fraction(0.5), Fraction(1, 3) ** 2, Fraction(7, 2) // 1)
print(Fraction(3.141592653589793).limit_denominator(1000), repr(Fraction(-2, 4)), Fraction(1, 3) < 0.34, round(Fraction(7, 2)))
print(hash(Fraction(1, 2)) == hash(0.5), Fraction(Decimal("1.1")), Fraction("-35/4"), Fraction.from_float(0.25).as_integer_ratio())

# statistics
data = [2.75, 1.75, 1.25, 0.25, 0.5, 1.25, 3.5]
print(statistics.mean(data), statistics.median(data), statistics.mode([1, 1, 2]), statistics.multimode("aabbc"))
print(round(statistics.stdev(data), 12), round(statistics.pvariance(data), 12), statistics.quantiles(range(1, 11), n=4))
print(statistics.mean([Fraction(1, 2), Fraction(1, 3)]), statistics.mean([Decimal("0.5"), Decimal("0.75")]))
print(statistics.fmean([1, 2, 4]), round(statistics.geometric_mean([54, 24, 36]), 9), statistics.harmonic_mean([40, 60]))
normal = statistics.NormalDist(1060, 195)
print(round(normal.cdf(1200), 9), round(normal.inv_cdf(0.9), 6), normal + 5, statistics.NormalDist.from_samples(data).mean)
print(statistics.linear_regression([1, 2, 3], [2, 4, 6.5]), round(statistics.correlation([1, 2, 3], [2, 4, 7]), 9))
try:
    statistics.mean([])
except statistics.StatisticsError as e:
    print(e)

# cmath
for z in (1 + 2j, -1.5 + 0j, complex(0.0, -0.5), 3 - 4j, complex(-0.0, 1e-3)):
    shown = [f(z) for f in (cmath.sqrt, cmath.exp, cmath.sin, cmath.cos, cmath.sinh, cmath.cosh, cmath.tanh, cmath.asinh,
                            cmath.acos, cmath.asin, cmath.atan, cmath.acosh, cmath.atanh, cmath.log, cmath.tan)]
    print([f"{w.real:.11g} {w.imag:.11g}" for w in shown])
print(cmath.polar(1j), cmath.phase(-1), cmath.rect(2, 0), cmath.isclose(1 + 1e-12j, 1), cmath.log(8, 2), cmath.log10(100))
print(cmath.inf, cmath.nanj, cmath.isnan(cmath.nan), cmath.isinf(cmath.infj), cmath.isfinite(1), cmath.sqrt(complex("inf")))
for what in (lambda: cmath.log(0), lambda: cmath.exp(1e5), lambda: cmath.atanh(1), lambda: cmath.exp(complex(1, float("inf")))):
    try:
        print(what())
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)

# ipaddress
net = ipaddress.ip_network("192.168.0.0/29")
print(net.num_addresses, [str(h) for h in net.hosts()], ipaddress.ip_address("192.168.0.5") in net, net.netmask)
print(ipaddress.ip_address("2001:db8::1").exploded, ipaddress.ip_address("::1").is_loopback, list(net.subnets(new_prefix=30)))
print(ipaddress.ip_interface("10.0.0.1/24").network, ipaddress.IPv4Address(3232235521), list(ipaddress.collapse_addresses(net.subnets())))
try:
    ipaddress.ip_address("300.1.1.1")
except ValueError as e:
    print(e)

# graphlib
order = graphlib.TopologicalSorter({"D": {"B", "C"}, "B": {"A"}, "C": {"A"}})
order.prepare()
while order.is_active():
    ready = sorted(order.get_ready())
    print(ready)
    order.done(*ready)
try:
    list(graphlib.TopologicalSorter({1: [2], 2: [1]}).static_order())
except graphlib.CycleError as e:
    print(e.args[0], len(e.args[1]))

# calendar, colorsys
print(calendar.month(2024, 2))
print(calendar.isleap(1900), calendar.monthrange(2023, 2), calendar.MONDAY, calendar.day_name[3], calendar.timegm((1970, 1, 2, 0, 0, 0)))
print(calendar.TextCalendar(calendar.SUNDAY).formatweek([(1, 6), (2, 0)], 3), calendar.HTMLCalendar().formatmonth(2023, 1)[:60])
print([round(x, 6) for x in colorsys.rgb_to_hsv(0.2, 0.4, 0.4)], colorsys.hls_to_rgb(0.5, 0.25, 1.0))
