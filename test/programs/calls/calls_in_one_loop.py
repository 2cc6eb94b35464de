"""Calls, constructors, generators and pairs that tier 0 runs in one loop, and their errors."""

def f():
    out = []
    for i, v in enumerate([10, 20, 30], 5): out.append((i, v))
    it = iter([1, 2, 3, 4, 5])
    for a, b in zip(it, it): out.append((a, b))
    out.append(list(it))
    l = [1, 2]
    z = zip(l, range(5))
    for a, b in z: out.append((a, b))
    l.append(9)
    out.append(list(z))
    d = {'a': 1, 'b': 2}
    try:
        for k, v in d.items():
            out.append((k, v)); d['c'] = 3
    except RuntimeError as e: out.append(str(e))
    l = [1, 2, 3]
    for i, v in enumerate(l):
        out.append((i, v))
        if i == 0: l.append(7)
    def g():
        yield 1
        yield 2
    for i, v in enumerate(g()): out.append((i, v))
    for (a, b), c in zip([(1, 2), (3, 4)], "xy"): out.append((a, b, c))
    for i, (a, b) in enumerate(zip([1, 2], [3, 4])): out.append((i, a, b))
    e = enumerate([5, 6, 7])
    for i, v in e:
        out.append((i, v)); break
    out.append(next(e))
    for i, v in e: out.append((i, v))
    for t, u in [(1, 2), (3, 4)]: out.append(t + u)
    try:
        for x, y in zip([1], [2], [3]): pass
    except ValueError as e: out.append(str(e))
    return out
class N:
    def __init__(self, a, *, b=2): self.a, self.b = a, b
    def __call__(self, x, y=3): return (self.a, x, y)
    def __len__(self): return 4
def kw(a, b=1, *, c, d=4): return a, b, c, d
print(f())
for i in range(40):
    r = f()
    n = N(i, b=7)
    m = n.__call__
    r2 = (m(1), m(1, y=2), n(5), len(n), kw(1, c=3), kw(b=5, a=6, c=7, d=8), type(n) is N, type(n).__name__)
print(r == f(), r2)
for call in (lambda: kw(1), lambda: kw(1, 2, 3), lambda: kw(c=1), lambda: kw(1, c=1, e=2), lambda: kw(1, a=2, c=3), lambda: N(), lambda: N(1, b=2, c=3)):
    try: call()
    except TypeError as e: print(e)
def gen(n):
    try:
        while True:
            r = yield n
            n += 1
            if n > 5: return 'done'
    finally:
        print('closed', n)
def outer():
    r = yield from gen(3)
    print('got', r)
    raise StopIteration
try:
    for v in outer(): print(v)
except RuntimeError as e: print(repr(e), repr(e.__cause__))
def deep(n): return 0 if n == 0 else 1 + deep(n - 1)
try: deep(5000)
except RecursionError as e: print(e)
class D:
    def __init__(self): return 5
try: D()
except TypeError as e: print(e)
import sys, traceback
def a(): return b(1)
def b(x): raise ValueError(x)
def c():
    for v in bad(): pass
def bad():
    yield 1
    a()
try: c()
except ValueError: print([f.name for f in traceback.extract_tb(sys.exc_info()[2])])
