# Properties and fields of named tuples in hot code: whose they are, what they raise, and what happens when they change.
import collections, typing, functools
P = collections.namedtuple('P', 'x y')
class Q(typing.NamedTuple):
    a: int
    b: str = 'z'
    def total(self): return self.a + len(self.b)
class V:
    def __init__(self, x, y): self._x, self._y, self.log = x, y, []
    @property
    def x(self): return self._x
    @x.setter
    def x(self, v): self._x = v
    @property
    def norm(self):
        s = 0
        for c in (self._x, self.y): s += c * c
        return s
    @property
    def y(self): return self._y
    @property
    def bad(self):
        if self._x % 7 == 3: raise ValueError(self._x)
        return self._x
    @property
    def fn(self): return lambda k: k + self._x
    @property
    def gen(self):
        yield self._x
        yield self._y
    @functools.cached_property
    def once(self): self.log.append('once'); return self._x * 10
class W(V):
    @property
    def x(self): return super().x + 100
class D(V):
    def __getattr__(self, name): return 'dyn ' + name
    @property
    def maybe(self): raise AttributeError('no')
def run(n):
    vs = [V(1, 2), W(3, 4), V(5, 6)]
    t = 0
    for i in range(n):
        v = vs[i % 3]
        if type(v) is V: v.x = i
        t += v.x + v.y + v.norm
    return t
print(run(3000))
def errs(n):
    c = 0; v = V(0, 1)
    for i in range(n):
        v._x = i
        try: c += v.bad
        except ValueError as e: c -= e.args[0]
    return c
print(errs(2000))
def calls(n):
    v = V(2, 3); t = 0
    for i in range(n): t += v.fn(i) + sum(v.gen) + v.once
    return t, v.log
print(calls(1500))
def dyn(n):
    d = D(1, 2); c = 0
    for i in range(n): c += len(d.maybe) + len(d.other) + d.x
    return c
print(dyn(800))
def tuples(n):
    ps = [P(i, i * 2) for i in range(5)]; qs = [Q(i) for i in range(5)]
    t = 0
    for i in range(n):
        p, q = ps[i % 5], qs[i % 5]
        t += p.x * 2 + p.y + q.a + len(q.b) + q.total()
    return t
print(tuples(3000))
class Sub(P):
    __slots__ = ()
    @property
    def x(self): return P.x.__get__(self) + 1000
def mixed(n):
    xs = [P(1, 2), Sub(3, 4), Q(5), V(6, 7)]
    t = 0
    for i in range(n):
        o = xs[i % 4]
        t += o.x if i % 4 != 2 else o.a
    return t
print(mixed(2000))
short = tuple.__new__(P, (1,))
def shorts(n):
    ok = bad = 0
    for i in range(n):
        o = short if i % 50 == 49 else P(i, i)
        try: ok += o.y
        except IndexError as e: bad += 1
    return ok, bad
print(shorts(1000))
for f in (lambda: object.__new__(P), lambda: P.x.__set__(P(1, 2), 3), lambda: setattr(P(1, 2), 'x', 1), lambda: P(1)):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
# a property that changes while it is hot
class C:
    @property
    def v(self): return 1
def change(n):
    c = C(); t = 0
    for i in range(n):
        if i == n // 2: C.v = property(lambda self: 5)
        if i == n * 3 // 4: del C.v; c.v = 9
        t += c.v
    return t
print(change(2000))
P.x.__doc__ = 'new'
print(P.x.__doc__, P.y.__doc__, P._fields, P(1, 2)._replace(x=5), Q(3)._asdict())
import sys
class T:
    @property
    def who(self): return sys._getframe(1).f_code.co_name
def asker(n):
    t = T(); names = set()
    for i in range(n): names.add(t.who)
    return names
print(asker(1000))
class R:
    @property
    def deep(self): return self.deep
try: R().deep
except RecursionError: print('RecursionError')
