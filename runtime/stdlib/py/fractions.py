"""Rational numbers."""

import math
import numbers
import operator
import re

__all__ = ["Fraction"]

_FORMAT = re.compile(r"\A\s*(?P<sign>[-+]?)(?=\d|\.\d)(?P<num>\d*|\d+(_\d+)*)(?:(?:/(?P<denom>\d+))?|"
                     r"(?:\.(?P<decimal>\d*))?(?:E(?P<exp>[-+]?\d+))?)\s*\Z", re.IGNORECASE)


class Fraction(numbers.Rational):
    __slots__ = ("_numerator", "_denominator")

    def __new__(cls, numerator=0, denominator=None):
        self = object.__new__(cls)
        if denominator is None:
            if isinstance(numerator, int):
                self._numerator, self._denominator = int(numerator), 1
                return self
            if isinstance(numerator, Fraction):
                self._numerator, self._denominator = numerator._numerator, numerator._denominator
                return self
            if isinstance(numerator, float) or hasattr(numerator, "as_integer_ratio"):
                self._numerator, self._denominator = numerator.as_integer_ratio()
                return self
            if not isinstance(numerator, str):
                raise TypeError("argument should be a string or a Rational instance")
            match = _FORMAT.match(numerator)
            if match is None:
                raise ValueError(f"Invalid literal for Fraction: {numerator!r}")
            top = int(match.group("num") or "0")
            bottom = 1
            if match.group("denom"):
                bottom = int(match.group("denom"))
            else:
                decimal = match.group("decimal")
                if decimal:
                    top, bottom = top * 10 ** len(decimal) + int(decimal), 10 ** len(decimal)
                exponent = int(match.group("exp") or 0)
                if exponent >= 0:
                    top *= 10 ** exponent
                else:
                    bottom *= 10 ** -exponent
            numerator, denominator = -top if match.group("sign") == "-" else top, bottom
        elif isinstance(numerator, (int, Fraction)) and isinstance(denominator, (int, Fraction)):
            a, b = Fraction(numerator), Fraction(denominator)
            numerator, denominator = a._numerator * b._denominator, a._denominator * b._numerator
        else:
            raise TypeError("both arguments should be Rational instances")
        if denominator == 0:
            raise ZeroDivisionError(f"Fraction({numerator}, 0)")
        common = math.gcd(numerator, denominator)
        if denominator < 0:
            common = -common
        self._numerator, self._denominator = numerator // common, denominator // common
        return self

    numerator = property(lambda self: self._numerator)
    denominator = property(lambda self: self._denominator)

    @classmethod
    def from_float(cls, f):
        return cls(f)

    def as_integer_ratio(self):
        return self._numerator, self._denominator

    def limit_denominator(self, max_denominator=1000000):
        if max_denominator < 1:
            raise ValueError("max_denominator should be at least 1")
        if self._denominator <= max_denominator:
            return Fraction(self)
        p0, q0, p1, q1 = 0, 1, 1, 0
        n, d = self._numerator, self._denominator
        while True:
            a = n // d
            q2 = q0 + a * q1
            if q2 > max_denominator:
                break
            p0, q0, p1, q1 = p1, q1, p0 + a * p1, q2
            n, d = d, n - a * d
        k = (max_denominator - q0) // q1
        low, high = Fraction(p0 + k * p1, q0 + k * q1), Fraction(p1, q1)
        return high if abs(high - self) <= abs(low - self) else low

    def __repr__(self):
        return f"{self.__class__.__name__}({self._numerator}, {self._denominator})"

    def __str__(self):
        return str(self._numerator) if self._denominator == 1 else f"{self._numerator}/{self._denominator}"

    def _arithmetic(self, other, exact, inexact, swapped=False):
        if isinstance(other, (int, Fraction)):
            other = Fraction(other)
            return exact(other, self) if swapped else exact(self, other)
        if isinstance(other, float):
            return inexact(other, float(self)) if swapped else inexact(float(self), other)
        return NotImplemented

    def __add__(self, other):
        return self._arithmetic(other, _add, operator.add)

    def __radd__(self, other):
        return self._arithmetic(other, _add, operator.add, True)

    def __sub__(self, other):
        return self._arithmetic(other, _sub, operator.sub)

    def __rsub__(self, other):
        return self._arithmetic(other, _sub, operator.sub, True)

    def __mul__(self, other):
        return self._arithmetic(other, _mul, operator.mul)

    def __rmul__(self, other):
        return self._arithmetic(other, _mul, operator.mul, True)

    def __truediv__(self, other):
        return self._arithmetic(other, _div, operator.truediv)

    def __rtruediv__(self, other):
        return self._arithmetic(other, _div, operator.truediv, True)

    def __floordiv__(self, other):
        return self._arithmetic(other, _floordiv, operator.floordiv)

    def __rfloordiv__(self, other):
        return self._arithmetic(other, _floordiv, operator.floordiv, True)

    def __mod__(self, other):
        return self._arithmetic(other, _mod, operator.mod)

    def __rmod__(self, other):
        return self._arithmetic(other, _mod, operator.mod, True)

    def __divmod__(self, other):
        return self // other, self % other

    def __pow__(self, exponent):
        if isinstance(exponent, Fraction) and exponent._denominator == 1:
            exponent = exponent._numerator
        if isinstance(exponent, int):
            if exponent >= 0:
                return Fraction(self._numerator ** exponent, self._denominator ** exponent)
            return Fraction(self._denominator ** -exponent, self._numerator ** -exponent)
        return float(self) ** float(exponent)

    def __rpow__(self, base):
        return base ** (self._numerator if self._denominator == 1 else float(self))

    def __neg__(self):
        return Fraction(-self._numerator, self._denominator)

    def __pos__(self):
        return Fraction(self)

    def __abs__(self):
        return Fraction(abs(self._numerator), self._denominator)

    def __int__(self):
        n, d = self._numerator, self._denominator
        return -(-n // d) if n < 0 else n // d

    __trunc__ = __int__

    def __float__(self):
        return self._numerator / self._denominator

    def __floor__(self):
        return self._numerator // self._denominator

    def __ceil__(self):
        return -(-self._numerator // self._denominator)

    def __round__(self, ndigits=None):
        if ndigits is None:
            floor, remainder = divmod(self._numerator, self._denominator)
            if remainder * 2 < self._denominator:
                return floor
            if remainder * 2 > self._denominator:
                return floor + 1
            return floor if floor % 2 == 0 else floor + 1
        shift = 10 ** abs(ndigits)
        if ndigits > 0:
            return Fraction(round(self * shift), shift)
        return Fraction(round(self / shift) * shift)

    def __hash__(self):
        if self._denominator == 1:
            return hash(self._numerator)
        modulus = (1 << 61) - 1
        try:
            value = hash(hash(abs(self._numerator)) * pow(self._denominator, -1, modulus))
        except ValueError:
            value = 314159
        value = value if self._numerator >= 0 else -value
        return -2 if value == -1 else value

    def __eq__(self, other):
        if isinstance(other, (int, Fraction)):
            other = Fraction(other)
            return self._numerator == other._numerator and self._denominator == other._denominator
        if isinstance(other, float):
            return self == Fraction(other) if math.isfinite(other) else False
        return NotImplemented

    def _compare(self, other, op):
        if isinstance(other, float):
            return op(self, Fraction(other)) if math.isfinite(other) else op(0.0, other)
        if isinstance(other, (int, Fraction)):
            other = Fraction(other)
            return op(self._numerator * other._denominator, self._denominator * other._numerator)
        return NotImplemented

    def __lt__(self, other):
        return self._compare(other, operator.lt)

    def __gt__(self, other):
        return self._compare(other, operator.gt)

    def __le__(self, other):
        return self._compare(other, operator.le)

    def __ge__(self, other):
        return self._compare(other, operator.ge)

    def __bool__(self):
        return self._numerator != 0

    def __reduce__(self):
        return self.__class__, (self._numerator, self._denominator)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self


def _add(a, b):
    return Fraction(a._numerator * b._denominator + b._numerator * a._denominator, a._denominator * b._denominator)


def _sub(a, b):
    return Fraction(a._numerator * b._denominator - b._numerator * a._denominator, a._denominator * b._denominator)


def _mul(a, b):
    return Fraction(a._numerator * b._numerator, a._denominator * b._denominator)


def _div(a, b):
    return Fraction(a._numerator * b._denominator, a._denominator * b._numerator)


def _floordiv(a, b):
    return a._numerator * b._denominator // (a._denominator * b._numerator)


def _mod(a, b):
    return Fraction(a._numerator * b._denominator % (b._numerator * a._denominator), a._denominator * b._denominator)
