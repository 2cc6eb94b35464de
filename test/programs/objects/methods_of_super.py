# super() in methods that are called often, in all the forms that it has
import traceback
class A:
    k = 5
    def __init__(self, x=0): self.x = x
    def m(self, a, b=1): return ('A', a, b)
    @property
    def p(self): return self.x + 1
    @classmethod
    def c(cls): return cls.__name__
    @staticmethod
    def s(): return 's'
    def __getattr__(self, name): return 'dyn ' + name
    def __len__(self): return 3
class B(A):
    def __init__(self, x=0):
        super().__init__(x)
        self.m2 = lambda: 9
    def m(self, a, b=2): return ('B',) + super().m(a, b=b)
    @property
    def p(self): return super().p * 10
    @classmethod
    def c(cls): return 'B' + super().c()
    def s2(self): return super().s(), super().k, super().c()
    def __len__(self): return super().__len__() + 1
    def missing(self):
        try: return super().nothing
        except AttributeError as e: return str(e)
    def captured(self):
        f = lambda: self.x
        return super().m(f())
class M1(B):
    def m(self, a, b=3): return ('M1',) + super().m(a, b)
class M2(B):
    def m(self, a, b=4): return ('M2',) + super().m(a, b)
class D(M1, M2):
    def m(self, a, b=5): return ('D',) + super().m(a, b)
for i in range(300):
    d = D(i); b = B(i)
    r = (d.m(1), b.m(2), b.p, B.c(), b.s2(), len(b), b.missing(), b.captured(), d.m(1, b=7))
print(r)
def wrong(x):
    return super().m(x)
class W(A):
    def m(self): return super().m()
    w = wrong
for i in range(300):
    try: W().m()
    except TypeError as e: t = traceback.format_exc()
    try: W().w()
    except RuntimeError as e: u = traceback.format_exc()
print(t, u)
def assigned(self): return super(A, self)
class X(A):
    def m(self, y):
        self = y
        return super().m(1)
    def d(self):
        del self
        return super().m(1)
for i in range(100):
    try: X().m(3)
    except TypeError as e: v = e
    try: X().d()
    except RuntimeError as e: w = e
print(v, '|', w)
A.m = lambda self, a, b=0: ('new', a, b)
print(D().m(1))
super_ = super
class Y(A):
    def m(self, a):
        super = lambda: A()
        return super().m(a)
    def n(self, a): return super(Y, self).m(a)
print(Y().m(3), Y().n(4))
class N(B):
    def m(self, a): return [super(N, self).m(i) for i in range(2)]
print(N().m(1))
