# Weak references, their callbacks, proxies and containers.
import gc
import weakref


class V:
    def __init__(self, name="v"):
        self.name = name

    def __repr__(self):
        return f"V({self.name})"


v = V()
r = weakref.ref(v)
print(r() is v, weakref.ref(v) is r, weakref.getweakrefcount(v), weakref.getweakrefs(v) == [r])
s = weakref.ref(v, lambda ref: print("second", ref() is None))
t = weakref.ref(v, lambda ref: print("third", ref is t))
print(weakref.getweakrefcount(v), r == s, r != s, hash(r) == hash(v), s is r)
v = None
print("gone", r(), s(), r == s, r == r)

v = V()
r = weakref.ref(v, lambda ref: print("never"))
del r
v = None
print("a dead reference is not called")

v = V()
v.me = v
r = weakref.ref(v, lambda ref: print("in a cycle", ref()))
del v
print(r() is not None)
gc.collect()
print(r())

values = weakref.WeakValueDictionary()
a, b = V("a"), V("b")
values["a"], values["b"], values["c"] = a, b, V("c")
print(sorted(values), len(values), "c" in values, values.get("c", 0))
del a
print(sorted(values.items(), key=str), values.pop("b"), len(values))
keys = weakref.WeakKeyDictionary()
a = V("a")
keys[a], keys[b] = 1, 2
print(len(keys), keys[a], sorted(keys.values()))
a = None
print(len(keys), list(keys.items()))
group = weakref.WeakSet([b])
c = V("c")
group.add(c)
print(len(group), c in group)
c = None
print(len(group), list(group))

f = weakref.finalize(b, print, "finalized", end="!\n")
print(f.alive, f.peek()[1] is print, f.peek()[2])
del b
keys.clear()
print(f.alive, f())
d = V("d")
g = weakref.finalize(d, print, "not called")
print(g.detach()[0] is d, g.alive)
k = weakref.finalize(d, print, "at exit")

p = weakref.proxy(d)
print(p.name, p, isinstance(p, V), type(p).__name__)
p.name = "e"
print(d.name, bool(p))
lines = weakref.proxy(type("L", (list,), {})([1, 2]))
try:
    print(len(lines))
except ReferenceError as error:
    print(error)


class Adds(V):
    def __add__(self, other):
        return ("add", other)

    def __call__(self, x):
        return x * 2

    def __getitem__(self, key):
        return key

    def method(self):
        return "method"


e = Adds()
q = weakref.proxy(e, lambda proxy: print("proxy gone"))
print(q + 1, q(4), q["k"], callable(q))
m = weakref.WeakMethod(e.method)
print(m()(), weakref.ref(e.method)())
e = None
print(m())
for use in (lambda: q.name, lambda: q + 1):
    try:
        use()
    except ReferenceError as error:
        print(error)

for bad in (1, "a", (1,), [1], {}, None, 1.5, object()):
    try:
        weakref.ref(bad)
        print("made")
    except TypeError as error:
        print(error)


class NoPlace:
    __slots__ = ("x",)


class Place:
    __slots__ = ("x", "__weakref__")


class Number(int):
    pass


for bad in (NoPlace(), Number(3)):
    try:
        weakref.ref(bad)
    except TypeError as error:
        print(error)
w = Place()
print(weakref.ref(w)() is w, weakref.ref(len)() is len, weakref.ref(V)() is V)


class Sub(weakref.ref):
    def __new__(cls, value, callback=None, extra=None):
        self = super().__new__(cls, value, callback)
        self.extra = extra
        return self

    def __init__(self, value, callback=None, extra=None):
        super().__init__(value, callback)


x = Sub(w, extra=5)
print(x() is w, x.extra, x is weakref.ref(w), type(x).__name__)


class Counted:
    alive = weakref.WeakSet()

    def __init__(self):
        Counted.alive.add(self)


many = [Counted() for _ in range(50)]
print(len(Counted.alive))
del many[10:]
print(len(Counted.alive))


def cached(n, cache=weakref.WeakValueDictionary()):
    found = cache.get(n)
    if found is None:
        found = cache[n] = V(n)
    return found


total = 0
for i in range(60):
    total += cached(i % 3).name
print(total)
print("last line")
