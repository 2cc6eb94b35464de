# Floats, complex numbers, conversions, rounding, special values.
import math

print(0.1 + 0.2, 1 / 3, 2 / 1, 7 // 2.0, -7 // 2.0, 7.5 % 2, -7.5 % 2, 2**0.5, 1e100, 1.5e-7)
print(float("inf"), -float("inf"), float("nan"), math.inf > 10**400, math.isnan(math.nan), 0.0 == -0.0, -0.0)
print(round(2.675, 2), round(0.5), round(1.5), round(-1.567, 1), round(5.0), round(15, -1), int(2.99), int(-2.99))
print(math.floor(-1.5), math.ceil(1.2), math.trunc(-1.9), math.sqrt(2), math.pi, math.e, math.gcd(12, 18), math.factorial(10))
print(1.0, 100.0, 1e15, 1e16, 123456789012345680.0, 0.0001, 0.00001, 5e-324, 1.7976931348623157e308)
print((1.5).is_integer(), (2.0).is_integer(), (0.75).as_integer_ratio(), (255.0).hex(), float.fromhex("0x1p-2"))
print(3 + 4j, abs(3 + 4j), (1 + 2j) * (3 - 1j), (1 + 2j).conjugate(), complex(1, -0.5), 1j**2, (2j).imag)
print(int("42"), float(" 3.5 "), float("1e3"), int("101", 2), complex("1+2j"), bool("False"), str(3.0), int(True))
for bad in ("int('x')", "float('abc')", "int('1.5')", "1 / 0", "1.0 // 0", "0 ** -1", "math.sqrt(-1)", "int(float('inf'))"):
    try:
        eval(bad)
    except (ValueError, ZeroDivisionError, OverflowError) as e:
        print(bad, type(e).__name__, e)
print(divmod(7.5, 2), pow(2.0, 3), abs(-3.5), sum([0.1] * 10), math.fsum([0.1] * 10), min(1, 1.0), max(2.0, 2))
print(1 == 1.0 == True, hash(1) == hash(1.0), 1 < 1.5 < 2, 10**20 < 1e21, isinstance(True, int), type(1 + 1.0).__name__)
print(format(3.14159, ".3"), format(1e6, ","), format(0.000123, "e"), format(255, "08b"), f"{1e-10:.3g}", f"{12.0:g}")
print(math.log(100, 10), math.log2(8), math.exp(1), math.hypot(3, 4), math.isclose(0.1 + 0.2, 0.3), math.copysign(1, -0.0))
print(7 & 3, 7 | 8, 7 ^ 2, ~7, 1 << 4, -16 >> 2, True & False, True ^ True)
