# dataclasses: defaults, comparison, repr, post-init, frozen.
from dataclasses import dataclass, field


@dataclass
class Point:
    x: int
    y: int = 0

    def norm(self):
        return (self.x**2 + self.y**2) ** 0.5


@dataclass(order=True)
class Version:
    major: int
    minor: int = 0
    tags: list = field(default_factory=list, compare=False)


@dataclass(frozen=True)
class Key:
    name: str
    n: int = 1


@dataclass
class Rect:
    w: float
    h: float
    area: float = field(init=False)

    def __post_init__(self):
        self.area = self.w * self.h


@dataclass
class Named(Point):
    name: str = "?"


p = Point(3, 4)
print(p, p == Point(3, 4), p != Point(3), p.norm(), Point(y=1, x=2))
print(Version(1, 2) < Version(1, 10), sorted([Version(2), Version(1, 5)]), Version(1).tags is Version(1).tags)
k = Key("a")
print({k: 1}[Key("a", 1)], hash(k) == hash(Key("a")))
try:
    k.n = 2
except AttributeError as e:
    print(type(e).__name__, e)
print(Rect(2, 3.5), Named(1, name="n"))
try:
    Point()
except TypeError as e:
    print(e)
