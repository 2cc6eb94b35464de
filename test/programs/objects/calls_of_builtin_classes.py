# calls of built-in classes, right and wrong
def show(f, *a, **k):
    try:
        r = f(*a, **k)
        print(f.__name__, type(r).__name__, sorted(map(str, r)) if isinstance(r, (set, frozenset)) else repr(r)[:60])
    except Exception as e: print(f.__name__, type(e).__name__, e)
class I:
    def __index__(self): return 3
    def __int__(self): return 4
    def __float__(self): return 2.5
    def __str__(self): return 'I!'
    def __bool__(self): return False
    def __iter__(self): return iter([1, 2])
for f in (int, float, str, bool, tuple, list, set, frozenset, dict, range):
    for a in ((), (1,), ('12',), ('x',), ([1, 2],), ((3, 4),), (None,), (I(),), (b'7',), ({1: 2},), (1, 2), ('11', 2), (1, 2, 3, 4), ({3},), (frozenset([3]),)):
        show(f, *a)
    show(f, x=1); show(f, a=1, b=2); show(f, iterable=[1]); show(f, 1, base=3)
for f in (enumerate, zip, map, filter, reversed):
    def g(*a, **k): return list(f(*a, **k))
    g.__name__ = f.__name__
    for a in ((), ([1, 2],), ([1, 2], 5), (str, [1, 2]), (None, [0, 1]), (1, 2), ([1], [2, 3]), ('ab', I()), (max, [1, 2], [3, 1])):
        show(g, *a)
    show(g, [1], start=4); show(g, [1], strict=True); show(g, [1], [2, 3], strict=True); show(g, iterable=[1], start=3); show(g, [1], foo=3)
show(str, b'abc', 'ascii'); show(str, b'abc', encoding='ascii', errors='strict'); show(str, object=3); show(int, '0x1f', base=16); show(int, '1f', 16)
show(dict, [(1, 2)], a=3); show(dict, a=1, b=2); show(dict, [1]); show(dict, None)
class L(list):
    def __init__(self, *a, k=0): super().__init__(*a); self.k = k
class T(tuple):
    def __new__(cls, *a, k=0): self = super().__new__(cls, a); self.k = k; return self
class D(dict): pass
class S(str):
    def __new__(cls, v, n=1): return super().__new__(cls, v * n)
class M(map): pass
class E(enumerate): pass
print(L([1], k=3).k, T(1, 2, k=5).k, T(1, 2), D(a=1), S('ab', n=2), list(M(str, [1])), list(E('ab', 2)), type(L()), type(D()), type(M(str, [])))
t = (1, 2); fs = frozenset(t)
print(tuple(t) is t, frozenset(fs) is fs, list(t) is t, str(S('x')) == 'x', type(str(S('x'))), type(tuple(T(1))), type(int(True)), type(float(3)))
n = 0
for i in range(2000):
    n += len(list(range(i % 5))) + int(str(i)) + len(set(str(i))) + sum(map(int, str(i))) + bool(i)
    for a, b in zip(range(3), enumerate('abc')): n += a + b[0]
print(n)
