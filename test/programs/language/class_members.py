class A: pass
class B(A): pass
class L(list): pass
class E(Exception): pass
class S: __slots__ = ('x',)
class D(S): pass
class W: __slots__ = ('__weakref__', '__dict__')
class I(int): pass
class T(tuple): pass
class Q(set): pass
class M(type): pass
for c in (A,B,L,E,S,D,W,I,T,Q,M):
    print(c.__name__, sorted(k for k in c.__dict__ if k in ('__dict__','__weakref__','x')), [k for k in dir(c) if k in ('__dict__','__weakref__','x')])
print(A.__dict__['__dict__'], A.__dict__['__weakref__'])
a = A(); a.z = 1
print(A.__dict__['__dict__'].__get__(a), dir(a)[-1], '__dict__' in dir(a), '__dict__' in dir(object()), '__dict__' in dir([]), '__dict__' in dir(E()))
print(hasattr(object(), '__dict__'), hasattr([], '__dict__'), hasattr(a,'__dict__'))
class P:
    __slots__ = ('__a', 'b')
    def __init__(self): self.__a = 1; self.b = 2
    def get(self): return self.__a
print(P().get(), [n for n in dir(P) if 'a' in n[-2:]])
def t(f):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
for s in (1, (1,), ('',), ('a b',), ('__dict__','__dict__'), ['a','b'], {'k':'doc'}, {'q'}):
    t(lambda: type('X', (), {'__slots__': s}).__name__)
t(lambda: type('X', (A,), {'__slots__': ('__dict__',)}))
t(lambda: type('X', (A,), {'__slots__': ('__weakref__',)}))
t(lambda: type('X', (int,), {'__slots__': ('a',)}))
t(lambda: type('X', (str,), {'__slots__': ('a',)}).__name__)
class mymeta(type):
    def mro(cls): return [cls, Z, object]
class Z:
    def hi(self): return 'Z'
class Y(metaclass=mymeta): pass
print(Y().hi(), Y.__mro__)
class bad(type):
    def mro(cls): return [1]
t(lambda: bad('N',(),{}))
class S1(A):
    def meth(self, a): return 'S1(%r)' % a
class S2(S1):
    def meth(self, a): return 'S2' + self._S2__super.meth(a)
S2._S2__super = super(S2)
print(S2().meth(3), super(S2).__get__(S2()).meth(4))
t(lambda: tuple.__new__(list)); t(lambda: property.__new__(object)); t(lambda: int.__new__(str)); t(lambda: int.__new__(bool, 3))
class LL(list): pass
def f(): LL.__bases__ = (dict,)
t(f)
def f(): A.__bases__ = (type(None),)
t(f)
class Proxy:
    def __init__(self, o): self.o = o
    @property
    def __class__(self): return type(self.o)
    def __getattr__(self, n): return getattr(self.o, n)
class B1:
    def f(self): return 'B.f'
class C1(B1):
    def f(self): return super(C1, self).f() + '->C.f'
print(C1.__dict__['f'](Proxy(C1())))
for i in range(40):
    x = A(); x.__dict__['k'] = i
print(x.k, x.__dict__)
print([1]*1 is not None, (1,2)*1 == (1,2))
t_ = (1,2); print(t_*1 is t_, t_+() is t_, ()+t_ is t_, t_[:] is t_)
d = {0:0}
try:
    for k in d: del d[0]; d[0] = 1
except RuntimeError as e: print(e)
d = {i:i for i in range(100)}
while d: d.popitem()
for i in range(100): d[i] = i; del d[i]
print(d, len(d))
class X1:
    def __eq__(self, o): l2.clear(); return NotImplemented
class Y1:
    def __eq__(self, o): l1.clear(); return NotImplemented
l1=[X1()]; l2=[Y1()]; print(l1==l2)
print('%(a)s' % {'a': 1})
for a in ('%s %s', ({'foo':1},)), ('%(foo)s %s', {'foo':1}), ('%s %(foo)s', {'foo': 1}), ('%(foo)*s', {'foo': 1}):
    t(lambda: a[0] % a[1])
t(lambda: bytes.fromhex('a b')); t(lambda: bytes.fromhex('ab cd\n')); t(lambda: bytes.fromhex('abc'))
class Outer:
    class Inner:
        foo = property()
        bar = property(lambda self: 1)
def f(): Outer.Inner().bar = 1
t(f)
def f(): del Outer.Inner().bar
t(f)
t(lambda: Outer.Inner().foo)
