# Multiple inheritance, C3 order, cooperative super.
class Base:
    def hello(self):
        return ["Base"]


class Left(Base):
    def hello(self):
        return ["Left"] + super().hello()


class Right(Base):
    def hello(self):
        return ["Right"] + super().hello()


class Bottom(Left, Right):
    def hello(self):
        return ["Bottom"] + super().hello()


print(Bottom().hello())
print([c.__name__ for c in Bottom.__mro__])
print(super(Left, Bottom()).hello())

try:
    class Broken(Base, Left):
        pass
except TypeError as e:
    print("TypeError", str(e).split("\n")[0])


class Mixin:
    def __init__(self, **kwargs):
        self.extra = kwargs.pop("extra", None)
        super().__init__(**kwargs)


class Named:
    def __init__(self, name):
        self.name = name


class Thing(Mixin, Named):
    pass


t = Thing(name="n", extra=3)
print(t.name, t.extra, isinstance(t, Named), Thing.__bases__)
