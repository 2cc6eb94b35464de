# Methods, class attributes, properties, static and class methods.
class Temperature:
    unit = "C"
    count = 0

    def __init__(self, degrees):
        self._degrees = degrees
        type(self).count += 1

    @property
    def degrees(self):
        return self._degrees

    @degrees.setter
    def degrees(self, value):
        if value < -273:
            raise ValueError("too cold")
        self._degrees = value

    @degrees.deleter
    def degrees(self):
        self._degrees = 0

    @classmethod
    def from_fahrenheit(cls, f):
        return cls((f - 32) * 5 / 9)

    @staticmethod
    def is_hot(d):
        return d > 30

    def __repr__(self):
        return f"{type(self).__name__}({self._degrees:.1f}{self.unit})"


class Kelvin(Temperature):
    unit = "K"


t = Temperature(20)
t.degrees = 35.5
print(t, t.degrees, Temperature.is_hot(t.degrees), Kelvin.from_fahrenheit(212))
try:
    t.degrees = -300
except ValueError as e:
    print(e)
del t.degrees
print(t, Temperature.count, Kelvin.count)
t.unit = "own"
print(t.unit, Temperature.unit, sorted(vars(t)))
print(hasattr(t, "nope"), getattr(t, "nope", "default"))
