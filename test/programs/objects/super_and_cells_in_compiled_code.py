"""super() with and without arguments, and functions with variables of others, in loops."""
class A:
    def __init__(self, v): self.v = v
    def get(self, k=1): return self.v + k
    def who(self): return "A"
class B(A):
    def __init__(self, v):
        super().__init__(v)
        self.w = v
    def get(self, k=2): return super().get(k) * 2
    def who(self): return "B" + super().who()
class M(A):
    def get(self, k=3): return super().get(k) + 100
    def who(self): return "M" + super().who()
class C(B, M):
    def get(self, k=4): return super().get(k) + 1000
    def who(self): return "C" + super().who()
def run(n, cls):
    t = 0
    xs = [c(3) for c in cls]
    for i in range(n):
        for x in xs: t += x.get(i % 5)
    return t, [x.who() for x in xs]
print(run(1000, [B]), run(1000, [C, B, A]), run(800, [M, C, B]))
def mk(k):
    class L:
        base = k
        def f(self): return k
    class S(L):
        def f(self): return super().f() + 1
    return S
def many(n):
    cs = [mk(i)() for i in range(6)]
    t = 0
    for i in range(n):
        t += cs[i % 6].f()
    return t
print(many(3000))
def patch(n):
    t = 0
    b = B(1)
    for i in range(n):
        t += b.get(1)
        if i == n // 2: A.get = lambda self, k: 50
    return t
print(patch(2000))
class N(list):
    def append(self, x):
        super().append(x)
        return len(self)
    def __init__(self, *a):
        super().__init__(*a)
def nat(n):
    x = N(); t = 0
    for i in range(n): t += x.append(i)
    return t, len(x)
print(nat(2000))
def outer(n):
    k = 3
    def add(x): return x + k
    def inc():
        nonlocal k
        k += 1
    t = 0
    for i in range(n):
        t += add(i)
        if i % 7 == 0: inc()
    return t, k
print(outer(3000))
def mkadd(k):
    def add(x): return x + k
    return add
a1, a2, a3 = mkadd(1), mkadd(2.5), mkadd("x")
def use(n):
    t = 0
    for i in range(n): t += a1(i) + a2(i)
    s = ""
    for i in range(n): s = a3("ab")
    return t, s
print(use(2000))
def counter():
    c = 0
    def step(d=1):
        nonlocal c
        c += d
        return c
    return step
st = counter()
def steps(n):
    t = 0
    for i in range(n): t += st(2)
    return t
print(steps(3000))
def deco(f):
    def wrap(*a): return f(*a) + 1
    return wrap
def deco1(f):
    def wrap(a): return f(a) + 1
    return wrap
@deco
def d0(x): return x
@deco1
def d1(x): return x
def dd(n):
    t = 0
    for i in range(n): t += d0(i) + d1(i)
    return t
print(dd(2000))
def late(n):
    t = 0
    def g(x):
        return x + later
    for i in range(n):
        later = i * 2
        t += g(i)
    return t
print(late(2000))
def unset(n):
    def g(x): return x + zz
    t = 0
    for i in range(n):
        try: t += g(i)
        except NameError as e:
            if i < 1: print(e)
        if i == n // 2: zz = 5
        if i == n - 5: del zz
    return t
print(unset(2000))
class E(A):
    def get(self, k):
        self2 = self
        self = B(7)
        try: return super().get(k)
        except TypeError as e: return 5000
def re(n):
    e = E(3); t = 0
    for i in range(n): t += e.get(1)
    return t
print(re(500))
def tb(n):
    k = 0
    def boom(x):
        return x // (x - k)
    for i in range(n):
        k = -1 if i < n - 1 else i
        boom(i)
try: tb(2000)
except ZeroDivisionError as e:
    import traceback
    print([(f.name, f.lineno) for f in traceback.extract_tb(e.__traceback__)])
class P2(A):
    def __init__(self, v):
        super(P2, self).__init__(v)
    def get(self, k): return super(P2, self).get(k) + 7
class P3(P2):
    def get(self, k): return super(P2, self).get(k) + super(P3, self).get(k)
def two(n):
    t = 0
    for i in range(n): t += P2(i).get(1) + P3(i).get(2)
    return t
print(two(1000))
def twobad(n):
    class Q(A):
        def get(self, k): return super(P2, self).get(k)
    q = Q(1)
    for i in range(n):
        try: q.get(1)
        except TypeError as e: r = str(e)
    return r
print(twobad(300))
