# Data and non-data descriptors, __set_name__, attribute lookup order.
class Typed:
    def __init__(self, kind):
        self.kind = kind

    def __set_name__(self, owner, name):
        self.name = "_" + name
        print("named", owner.__name__, name)

    def __get__(self, obj, owner=None):
        if obj is None:
            return self
        return getattr(obj, self.name, None)

    def __set__(self, obj, value):
        if not isinstance(value, self.kind):
            raise TypeError(f"{self.name[1:]} must be {self.kind.__name__}")
        setattr(obj, self.name, value)


class Cached:
    def __init__(self, f):
        self.f = f

    def __get__(self, obj, owner=None):
        print("computing")
        value = obj.__dict__[self.f.__name__] = self.f(obj)
        return value


class Point:
    x = Typed(int)
    y = Typed(int)

    def __init__(self, x, y):
        self.x, self.y = x, y

    @Cached
    def norm2(self):
        return self.x * self.x + self.y * self.y


p = Point(3, 4)
print(p.norm2, p.norm2, p.x, type(Point.x).__name__)
try:
    p.y = "no"
except TypeError as e:
    print(e)
p.norm2 = 0
print(p.norm2, sorted(p.__dict__))
