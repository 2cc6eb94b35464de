# abstract base classes: what is kept of their answers, and what makes them forget it
import abc, collections.abc as c, numbers, gc, weakref
from abc import ABC, ABCMeta, abstractmethod
class Shape(ABC):
    @property
    @abstractmethod
    def area(self): ...
    @classmethod
    @abstractmethod
    def make(cls): ...
    @staticmethod
    @abstractmethod
    def help(): ...
    def plain(self): return 1
print(sorted(Shape.__abstractmethods__))
try: Shape()
except TypeError as e: print(e)
class Half(Shape):
    @property
    def area(self): return 2
print(sorted(Half.__abstractmethods__))
class Whole(Half):
    @classmethod
    def make(cls): return cls()
    @staticmethod
    def help(): return 'h'
print(Whole.make().area, Whole.help(), Whole.__abstractmethods__)
class Duck: pass
print(isinstance(Duck(), Shape), issubclass(Duck, Shape)); t = abc.get_cache_token()
print(Shape.register(Duck) is Duck, isinstance(Duck(), Shape), issubclass(Duck, Shape), abc.get_cache_token() - t)
@Shape.register
class Goose: pass
class Swan(Goose): pass
print(isinstance(Swan(), Shape), issubclass(Swan, Half), isinstance(Duck(), Half))
Half.register(Swan); print(issubclass(Swan, Half), isinstance(Swan(), Half), abc.get_cache_token() - t)
for bad in (lambda: Shape.register(1), lambda: Swan in Shape.register(Shape), lambda: issubclass(1, Shape), lambda: Half.register(Shape)):
    try: print(bad())
    except Exception as e: print(type(e).__name__, e)
class Liar:
    __class__ = Duck
print(isinstance(Liar(), Shape), isinstance(Liar(), Half), type(Liar()) is Duck)
class Hooked(ABC):
    asked = []
    @classmethod
    def __subclasshook__(cls, sub):
        cls.asked.append(sub.__name__)
        if sub is int: return True
        if sub is str: return False
        return NotImplemented
for v in (1, 'a', 2, 'b', 1.5, 2.5, True): print(isinstance(v, Hooked), end=' ')
print(Hooked.asked)
Hooked.register(float); print(isinstance(1.5, Hooked), isinstance('a', Hooked), Hooked.asked)
class Bad(ABC):
    @classmethod
    def __subclasshook__(cls, sub): return 'yes'
try: issubclass(int, Bad)
except AssertionError as e: print(e)
class Meta(ABCMeta):
    def __instancecheck__(cls, x): return 'own' if x == 5 else super().__instancecheck__(x)
    def __subclasscheck__(cls, k): print('asked', k.__name__); return super().__subclasscheck__(k)
class M(metaclass=Meta): pass
print(isinstance(5, M), isinstance(6, M), isinstance(6, M), isinstance(M(), M))
for v in (1, 1.5, 2j, 'a', [], (), {}, set(), frozenset(), b'', bytearray(), range(3), iter([]), (i for i in ()), len, Duck, Duck(), None, memoryview(b'')):
    print(type(v).__name__, [k for k in ('Hashable', 'Iterable', 'Iterator', 'Generator', 'Reversible', 'Sized', 'Container', 'Callable', 'Collection', 'Set', 'MutableSet', 'Mapping', 'MutableMapping', 'Sequence', 'MutableSequence', 'ByteString', 'Awaitable') if isinstance(v, getattr(c, k))], isinstance(v, numbers.Number), isinstance(v, numbers.Integral))
class HasIter:
    def __iter__(self): return iter(())
class NoHash: __hash__ = None
print(isinstance(HasIter(), c.Iterable), isinstance(NoHash(), c.Hashable), issubclass(HasIter, c.Iterator))
HasIter.__next__ = lambda s: 1
print(issubclass(HasIter, c.Iterator))
def check(n):
    hits = 0
    for k in range(n):
        hits += isinstance(k, c.Iterable) + isinstance([k], c.Sequence) * 2 + isinstance(k / 2, numbers.Rational) + issubclass(bool, numbers.Integral)
    return hits
print(check(900))
def temporary():
    class T: pass
    Shape.register(T); isinstance(T(), c.Sized); isinstance(T(), Shape); return weakref.ref(T)
r = temporary(); gc.collect(); print(r())
class Grow(ABC):
    @abstractmethod
    def f(self): ...
class G2(Grow): pass
G2.f = lambda self: 3
try: G2()
except TypeError as e: print(e)
print(abc.update_abstractmethods(G2) is G2, G2().f(), abc.update_abstractmethods(Duck) is Duck)
print(ABCMeta.__module__, type(Shape), ABC.__doc__.split('\n')[0], abc.__all__ if hasattr(abc, '__all__') else None)
match Swan():
    case Half(): print('half')
for v in ([1, 2], (3, 4), 'ab', {'a': 1}, range(2)):
    match v:
        case [a, b]: print('sequence', a, b)
        case {'a': x}: print('mapping', x)
        case _: print('other')
class Seq(c.Sequence):
    def __getitem__(s, i): return [7, 8][i]
    def __len__(s): return 2
class Reg:
    def __getitem__(s, i): return [5, 6][i]
    def __len__(s): return 2
c.Sequence.register(Reg)
for v in (Seq(), Reg()):
    match v:
        case [a, b]: print('sequence', a, b)
        case _: print('other')
