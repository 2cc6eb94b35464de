# __del__ and the finally of dropped generators run at once, once, and in order, in cycles, too.
import gc


class A:
    def __init__(self, n):
        self.n = n

    def __del__(self):
        print("del", self.n)


a = A(1)
a = None
print("after 1")
a = A(2)
a = A(3)
print("after 2")
del a
print("after 3")
items = [A(4), A(5)]
items.clear()
print("cleared")
items = [A(6), A(7), A(8)]
items[1] = None
print("replaced")
items.pop()
print("popped")
items[:] = []
print("sliced")
d = {"k": A(9), "l": A(10)}
d["k"] = None
print("set")
d.pop("l")
print("gone")


def local():
    x = A(11)
    print("in local")


local()
print("after local")


def argument(x):
    x = None
    print("in argument")


argument(A(12))
print("temporary", A(13).n)
A(14)
print("statement")
(A(15), A(16))
print("tuple")


class Holder:
    pass


h = Holder()
h.a = A(17)
h.a = A(18)
print("attribute")
del h.a
print("deleted")
h.a = A(19)
h = None
print("holder")


def closure():
    x = A(20)
    return lambda: x.n


f = closure()
print(f())
f = None
print("closure")


def returns_early(n):
    x = A(n)
    for i in range(3):
        y = A(n + 1 + i)
        if i == 1:
            return i


print(returns_early(22))
print("returned")

saved = []


class Rising:
    count = 0

    def __del__(self):
        Rising.count += 1
        saved.append(self)


r = Rising()
number = id(r)
del r
print(len(saved), id(saved[0]) == number, Rising.count)
saved.clear()
print(len(saved), Rising.count)
r = Rising()
r.me = r
del r
gc.collect()
print(len(saved), Rising.count, saved[0].me is saved[0])
saved.clear()
gc.collect()
print(len(saved), Rising.count)


class Late:
    pass


late = Late()
Late.__del__ = lambda self: print("late")
late = None
print("assigned")


class Failing:
    def __del__(self):
        raise RuntimeError("in __del__")


failing = Failing()
del failing
print("ignored")


class InCycle(A):
    def __init__(self, n):
        super().__init__(n)
        self.me = self


cycles = [InCycle(n) for n in range(30, 34)]
del cycles
print("before", gc.collect() >= 4)


def generate():
    try:
        yield 1
        yield 2
    finally:
        print("closed")


g = generate()
next(g)
del g
print("dropped")
g = generate()
del g
print("not started")
for x in generate():
    break
print("left")
for x in generate():
    pass
print("exhausted")
g = generate()
next(g)
around = [g]
around.append(around)
del g, around
print("in a cycle")
gc.collect()


def nested():
    yield from generate()


n = nested()
next(n)
n = None
print("nested")


class Managed:
    def __enter__(self):
        return self

    def __exit__(self, *exc):
        print("exit", exc[0].__name__ if exc[0] else None)


def managed():
    with Managed():
        yield 1


m = managed()
next(m)
m = None
print("managed")


# In code that is hot.
def hot(n):
    out = []
    for i in range(n):
        a = A(100 + i) if i % 25 == 0 else None
        out.append(i)
        if i % 25 == 1:
            print("next", i)
    return sum(out)


print(hot(60))


def made(i):
    return A(i).n + 1


total = 0
for i in range(200, 203):
    total += made(i)
    print("total", total)

chain = None
for i in range(5):
    link = A(300 + i)
    link.next = chain
    chain = link
del link, chain
print("chain")


class Order:
    def __init__(self, name):
        self.name = name

    def __del__(self):
        print("end", self.name)


_first = Order("underscore")
second = Order("plain")
third = [Order("in a list")]


def keeps(value=Order("a default")):
    return second


print("last line")
