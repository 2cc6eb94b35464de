# Comprehensions are part of the function around them, and nobody can tell: names, cells, tracebacks, what is alive.
def f(self, n, k):
    d=[i+n for i in range(k)]
    e={i: [j*i for j in range(i) if j != n] for i in d if i}
    return d, e, sorted({len(str(x))+n for x in d}), locals().keys()
def g(n):
    return [[x for x in range(x)] + [x] for x in range(n)]
def h(xs):
    return [last := x for x in xs], last
class A:
    ys = [1,2]
    def m(self): return [self.ys[i] * __class__.k for i in range(2)]
    k = 3
    def s(self): return [super(A, self).__repr__() is not None for i in range(2)]
print(f(1,2,3)); print(g(4)); print(h([1,2])); print(A().m(), A().s())
print(f.__code__.co_varnames, f.__code__.co_nlocals)
print([[i*j for i in range(3)] for j in range(2)])
def bad(xs, n):
    total = 0
    return [
        n / x
        for x in xs]
def unb():
    print([q for _ in range(2)])
    q = 1
def err2(xs):
    return [[1/(y-x) for y in xs] for x in xs]
import traceback
for fn,a in ((bad,([1,0],2)),(unb,()),(err2,([1,2],)),(lambda: [x for x in 5],()), (bad,(3,3))):
    try:
        fn(*a)
    except Exception as e:
        lines = traceback.format_exc().splitlines()
        print([line.split(",")[1:] for line in lines if line.startswith("  File")], lines[-1])
        tb, names = e.__traceback__, []
        while tb:
            names.append((tb.tb_frame.f_code.co_name, tb.tb_lineno))
            tb = tb.tb_next
        print(names)


class Noted:
    def __del__(self):
        print("gone")


def lives(n):
    sizes = [id(x) > 0 for x in [Noted()]]
    print("after")
    return sizes


lives(1)


def loop(xs, n):
    out = 0
    for k in range(50):
        ys = [x + k * n for x in xs if x != k]
        zs = {x: [y for y in ys if y > x] for x in xs}
        out += sum(ys) + sum(len(z) for z in zs.values()) + len({x % n for x in ys})
    return out


print(loop(list(range(20)), 3))


def captured(xs, n):
    adders = [lambda y, x=x: x + y + n for x in xs]
    n += 1
    return [f(1) for f in adders], [n for n in xs], n


print(captured([1, 2], 10))


def nested_scopes(n):
    def inner(m):
        return [n + m + i for i in range(2)]
    return [inner(j) for j in range(n)]


print(nested_scopes(2))


def gen(xs, n):
    yield from [x * n for x in xs]
    for part in [[x] * n for x in xs]:
        yield part


print(list(gen([1, 2], 2)))
