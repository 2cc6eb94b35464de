"""isinstance and len of values of several kinds, in loops: classes that lie, change or define their length."""
class A: pass
class B(A): pass
class C: 
    def __len__(self): return 7
class Liar:
    @property
    def __class__(self): return A
def f(n):
    xs = [A(), B(), C(), 3, "s", Liar(), A]
    r = [0] * 7
    for i in range(n):
        x = xs[i % 7]
        if isinstance(x, A): r[i % 7] += 1
        if isinstance(x, C): r[i % 7] += 100000
    return r
print(f(7000))
def g(n):
    xs = [[1], (1, 2), {1: 2}, "abc", {1}, range(5), b"ab", C()]
    t = 0
    for i in range(n):
        t += len(xs[i % 7])
    for i in range(n):
        t += len(xs[i % 8])
    return t
print(g(4000))
def h(n):
    xs = [[1], (1, 2), 3]
    t = 0
    for i in range(n):
        try: t += len(xs[i % 2 if i < n - 1 else 2])
        except TypeError as e: print(e)
    return t
print(h(2000))
class D(A):
    def __init__(self, v): self.v = v
    def same(self, o): return isinstance(o, D) and self.v == o.v
def k(n):
    d, e = D(1), B()
    t = 0
    for i in range(n): t += d.same(d) + d.same(e) + d.same(D(i))
    e.__class__ = D; e.v = 1
    for i in range(n): t += d.same(e)
    return t
print(k(2000))
