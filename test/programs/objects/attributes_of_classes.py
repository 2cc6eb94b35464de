# attributes of classes: constants, static and class methods, what is shown, from the class and from instances
class Level:
    def __init__(self, v): self.v = v
    def __repr__(self): return f'Level({self.v})'
    @staticmethod
    def stronger(a, b): return a.v > b.v
    @classmethod
    def make(cls, v): return cls(v)
    def other(self): return self.make(self.v + 1)
    def weak(self): return self.stronger(self, Level.HIGH)
Level.HIGH = Level(9)
Level.LOW = Level(1)
class Sub(Level):
    tag = Level(5)
    def hi(self): return self.HIGH
def use(n):
    t = 0
    for i in range(n):
        x = Level.HIGH if i % 3 else Level.LOW
        t += x.v
        if Level.stronger(x, Level.LOW): t += 1
        y = Level.make(i)
        t += y.v + Sub.make(2).other().v + y.weak()
        t += Sub(i).hi().v + Sub.tag.v + Sub(1).tag.v
    return t
print([use(300) for _ in range(5)], type(Sub.make(1)).__name__, type(Sub(1).other()).__name__)
# the value's class becomes a descriptor
class Plain:
    def __init__(self, n): self.n = n
class Holder:
    it = Plain(3)
def look(h, n):
    t = 0
    for i in range(n):
        t += h.it.n + Holder.it.n
    return t
h = Holder()
print(look(h, 1000))
class Got: n = 100
Plain.__get__ = lambda self, obj, cls=None: Got if obj is None else Got()
print(look(h, 1000))
del Plain.__get__
print(look(h, 1000))
# the class's attribute changes
def levels(n):
    t = 0
    for i in range(n):
        t += Level.HIGH.v
        if i == 700: Level.HIGH = Level(20)
    return t
print(levels(1000), levels(1000))
# replaced methods
def calls(n):
    t = 0
    for i in range(n):
        t += Level.stronger(Level.HIGH, Level.LOW) + Level.make(i).v
        if i == 800:
            Level.stronger = staticmethod(lambda a, b: 50)
            Level.make = classmethod(lambda cls, v: cls(1000))
    return t
print(calls(1000), calls(1000))
# many classes at one place
kinds = []
for k in range(12):
    class K:
        shared = k
        def __init__(self): self.own = 1
        def area(self): return self.shared + self.own
        @staticmethod
        def s(): return 2
        @classmethod
        def c(cls): return cls.shared
        const = Plain(k)
    if k % 2:
        def more(self, k=k): return k * 10
        K.area = more
    kinds.append(K)
objs = [k() for k in kinds]
def many(objs, n):
    t = 0
    for i in range(n):
        o = objs[i % len(objs)]
        t += o.area() + o.shared + o.s() + o.c() + o.const.n + o.own
        o.own = i % 5
    return t
print(many(objs, 3000), many(objs[:3], 3000))
objs[0].shared = 1000
objs[1].area = lambda: 7
objs[2].s = lambda: 70
objs[3].c = lambda: 700
print(many(objs, 3000), many(objs[:4], 3000))
import enum
class Color(enum.Enum):
    RED = 1
    BLUE = 2
def colors(n):
    t = 0
    for i in range(n):
        c = Color.RED if i % 2 else Color.BLUE
        if c is Color.RED: t += c.value
    return t
print(colors(2000))
class Meta(type):
    def __getattribute__(cls, name):
        if name == 'z': return 5
        return type.__getattribute__(cls, name)
class M(metaclass=Meta):
    z = Plain(1)
    w = Plain(4)
print(sum(M.z + M.w.n for _ in range(500)))
