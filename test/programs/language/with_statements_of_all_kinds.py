# Context managers whose methods are functions, generators, static and class methods, take more arguments or raise; nested, in hot code and recursive.
import contextlib
class M:
    def __enter__(self): print('in'); return self
    def __exit__(self, *a): print('out', a[0]); return a[0] is ValueError
class G:
    def __enter__(self): yield 1
    def __exit__(self, *a): return False
class S:
    @staticmethod
    def __enter__(): return 5
    @classmethod
    def __exit__(cls, *a): print(cls.__name__)
class D:
    def __enter__(self, x=3, *, y=4): return x + y
    def __exit__(self, *a): pass
class Bad:
    def __enter__(self, x): return 1
    def __exit__(self, *a): pass
class R:
    def __enter__(self): raise KeyError('k')
    def __exit__(self, *a): print('never')
with M() as m: print(type(m).__name__)
with M(): raise ValueError
for c in (G, S, D, Bad, R):
    try:
        with c() as v: print(type(v).__name__ if c is G else v)
    except Exception as e: print(type(e).__name__, e)
@contextlib.contextmanager
def cm(x):
    try: yield x
    finally: print('f', x)
with cm(1) as a, cm(2) as b: print(a, b)
class C:
    n = 0
    def __enter__(self): C.n += 1; return self
    def __exit__(self, *a): C.n -= 1
def hot(k):
    c = C(); t = 0
    for i in range(k):
        with c as d:
            t += d.n
            if i % 100 == 7: continue
        if i == k - 3: break
    return t, C.n
print(hot(5000))
def rec(n):
    with C():
        return rec(n - 1) if n else C.n
print(rec(50), C.n)
import traceback
try:
    with R(): pass
except KeyError: traceback.print_exc()
