# What compiled code relies on changes between its calls, and while it runs: functions bound anew, built-ins that a global
# hides and shows again, defaults and code replaced, namespaces that are the attributes of an object.


def step(x):
    return x + 1


LIMIT = 50
counter = 0


def run(n):
    global counter
    total = 0
    for i in range(n):
        total += step(i) + len("abc")
        if total > LIMIT:
            counter += 1
    return total


def many():
    return [run(40) for _ in range(60)][-1]


print(many(), counter)


def step(x):
    return x * 2


print(many(), counter)
len = lambda text: 100
print(many(), counter)
del len
print(many(), counter)
LIMIT = 1000.5
print(many(), counter)


def scaled(x, by=3):
    return x * by


def use(n):
    total = 0
    for i in range(n):
        total += scaled(i)
    return total


print([use(30) for _ in range(80)][-1])
scaled.__defaults__ = (5,)
print([use(30) for _ in range(80)][-1])
scaled.__code__ = (lambda x, by=0: x - by).__code__
print([use(30) for _ in range(80)][-1])


def changing(n, at):
    global step
    total = 0
    for i in range(n):
        total += step(i)
        if i == at:
            step = [lambda x: x - 7, lambda x: x * 3][at % 2]
    return total


print([changing(50, k) for k in range(20, 30)])


class Space:
    pass


space = Space()
space.f = lambda x: x + 10
space.g = 1
source = """
def call(n):
    total = 0
    for i in range(n):
        total += f(i) + g
    return total
"""
exec(source, space.__dict__)


def set_g(target, value):
    target.g = value


def set_f(target, value):
    target.f = value


other = Space()
other.f = None
other.g = 2
for k in range(500):
    set_g(other, k)
    set_f(other, None)
print([space.call(20) for _ in range(80)][-1])
for k in range(5):
    set_g(space, k)
    set_f(space, [lambda x: x - 1, lambda x: x + 1][k % 2])
    print(k, space.call(20), [space.call(30) for _ in range(50)][-1])
del space.__dict__["g"]
try:
    space.call(3)
except NameError as error:
    print(error)
space.g = 2.5
print(space.call(4))


def walks():
    out = []
    for name in ("left", "right", "up", "down") * 20:
        hits = 0
        for dx, dy in ((-1, 0), (1, 0), (0, -1), (0, 1)):
            for part in (dx, dy, name, None, 1.5):
                if part in (1, "left", None, 1.5):
                    hits += 1
        out.append(hits)
    return out


print(walks()[:8])


class Shape:
    def __init__(self, a):
        self.a = a


class Square(Shape):
    def area(self, by):
        return self.a * self.a * by


class Circle(Shape):
    def area(self, by):
        return 3.0 * self.a * by


class Named(Shape):
    def area(self, by):
        return self.a + str(by)


class Empty(Shape):
    def area(self, by=None):
        return None


shapes = [Square(2), Circle(1.5), Named("n"), Empty(0), Square(2.5), Circle(3), Named("m")]


def areas(rounds):
    numbers, texts, nones = 0, [], 0
    for k in range(rounds):
        for shape in shapes:
            for by in (k, k + 0.5, True):
                area = shape.area(by)
                if area is None:
                    nones += 1
                elif isinstance(area, str):
                    texts.append(area)
                else:
                    numbers += area
    return numbers, len(texts), texts[-3:], nones


print(areas(40))
