class Base:
    kind = "base"

    def __init__(self, x):
        self.x = x

    def show(self):
        return f"{type(self).__name__}({self.x})"

    def __repr__(self):
        return "<" + self.show() + ">"

class Derived(Base):
    def __init__(self, x, y):
        super().__init__(x)
        self.y = y

    def show(self):
        return super().show() + f"+{self.y}"

d = Derived(1, 2)
print(d, d.kind, Derived.__mro__[1].__name__, isinstance(d, Base), issubclass(Derived, Base))
Base.kind = "changed"
print(d.kind)
d.kind = "own"
print(d.kind, Derived.kind)
del d.kind
print(d.kind)

class Meta(type):
    def __new__(mcs, name, bases, ns, **kw):
        cls = super().__new__(mcs, name, bases, ns)
        cls.made = sorted(kw)
        return cls

    def __init__(cls, name, bases, ns, **kw):
        super().__init__(name, bases, ns)
        cls.inited = name

    @classmethod
    def __prepare__(mcs, name, bases, **kw):
        return {"prepared": True}

    def __call__(cls, *args):
        made = super().__call__(*args)
        made.called = True
        return made

class WithMeta(metaclass=Meta, a=1, b=2):
    pass

print(WithMeta.made, WithMeta.inited, WithMeta.prepared, WithMeta().called, type(WithMeta).__name__)

class Hooked:
    subclasses = []

    def __init_subclass__(cls, tag=None, **kw):
        super().__init_subclass__(**kw)
        Hooked.subclasses.append((cls.__name__, tag))

class A(Hooked, tag="t"):
    pass

class B(A):
    pass

print(Hooked.subclasses)

class Named:
    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, obj, owner):
        if obj is None:
            return self
        return obj.__dict__.get("_" + self.name, "unset")

    def __set__(self, obj, value):
        obj.__dict__["_" + self.name] = value

class UsesNamed:
    attr = Named()

u = UsesNamed()
print(u.attr)
u.attr = 5
print(u.attr, u.__dict__, UsesNamed.attr.name)

class Props:
    def __init__(self):
        self._v = 1

    @property
    def v(self):
        return self._v

    @v.setter
    def v(self, new):
        self._v = new * 2

    @property
    def fixed(self):
        return "fixed"

p = Props()
p.v = 21
print(p.v, p.fixed)
try:
    p.fixed = 1
except AttributeError as e:
    print("AttributeError:", e)

class Dyn:
    def __getattr__(self, name):
        if name.startswith("x"):
            return name.upper()
        raise AttributeError(f"no {name}")

    def __setattr__(self, name, value):
        object.__setattr__(self, name, value + 1)

    def __delattr__(self, name):
        print("del", name)
        object.__delattr__(self, name)

dyn = Dyn()
dyn.a = 1
print(dyn.a, dyn.xyz, hasattr(dyn, "b"), getattr(dyn, "b", "default"))
del dyn.a

class X: pass
class Y(X): pass
class Z(X): pass
class W(Y, Z): pass
print([c.__name__ for c in W.__mro__])
try:
    class Bad(X, Y): pass
except TypeError as e:
    print("TypeError:", e)

class Slots:
    __slots__ = ("a", "b")
    def __init__(self):
        self.a = 1

s = Slots()
print(s.a)

class Ops:
    def __init__(self, v): self.v = v
    def __add__(self, o): return Ops(self.v + (o.v if isinstance(o, Ops) else o))
    __radd__ = __add__
    def __eq__(self, o): return isinstance(o, Ops) and self.v == o.v
    def __lt__(self, o): return self.v < o.v
    def __hash__(self): return hash(self.v)
    def __len__(self): return self.v
    def __getitem__(self, i): return self.v * i
    def __contains__(self, i): return i == self.v
    def __bool__(self): return self.v > 0
    def __call__(self, *a): return (self.v, a)
    def __iter__(self): return iter(range(self.v))
    def __neg__(self): return Ops(-self.v)
    def __iadd__(self, o):
        self.v += o
        return self
    def __enter__(self):
        print("enter")
        return self
    def __exit__(self, t, v, tb):
        print("exit", t.__name__ if t else None)
        return True

o = Ops(3)
print((o + 4).v, (4 + o).v, o == Ops(3), o != Ops(3), o < Ops(4), len(o), o[5], 3 in o, bool(Ops(0)), o(1, 2), list(o), (-o).v)
o += 10
print(o.v, {Ops(1): "x"}[Ops(1)])
with o as q:
    print(q is o)
    raise ValueError("swallowed")
print(type("Made", (Base,), {"z": 9})(1).z)

class Outer:
    class Inner:
        def f(self): return Outer.Inner.__qualname__
    def g(self):
        def h(): return __class__.__name__
        return h()
print(Outer.Inner().f(), Outer().g(), Outer.g.__qualname__)

class Counter:
    total = 0
    def __init__(self):
        Counter.total += 1
        self.__secret = Counter.total
    def secret(self): return self.__secret
Counter(); c = Counter()
print(c.secret(), c._Counter__secret, Counter.total)

class Comp:
    n = 3
    squares = [i * i for i in range(n)]
print(Comp.squares)
m = d.show
print(m(), m.__self__ is d, m.__func__ is Derived.show)
x = 10
class Scope:
    x = x + 1
    y = x * 2
print(Scope.x, Scope.y, x)
