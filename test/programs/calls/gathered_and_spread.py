# Calls with gathered and spread arguments, in every combination, errors included.
def show(f, *a, **k):
    try:
        r = f(*a, **k)
    except TypeError as e:
        r = 'TypeError: ' + str(e)
    return r

def plain(a, b=2): return ('plain', a, b)
def gather(a, *rest): return ('gather', a, rest)
def named(a, **kw): return ('named', a, kw)
def both(a, b=5, *rest, **kw): return ('both', a, b, rest, kw)
def only(a, *, k, m=3): return ('only', a, k, m)
def only_rest(*rest, k=1, **kw): return ('only_rest', rest, k, kw)
def positional(a, /, b, **kw): return ('positional', a, b, kw)
def cells(a, *rest, **kw):
    def inner(): return (a, rest, kw)
    return inner()
def gen(*a, **kw):
    yield a
    yield kw
class C:
    def method(self, *a, **kw): return (type(self).__name__, a, kw)
    def plain(self, x, y=0): return ('m', x, y)
    @classmethod
    def cm(cls, *a, **kw): return (cls.__name__, a, kw)
    @staticmethod
    def sm(*a, **kw): return (a, kw)
    def __call__(self, *a, **kw): return ('called', a, kw)
    def __init__(self, *a, **kw): self.made = (a, kw)
def deco(f):
    def wrapper(*args, **kwargs):
        return f(*args, **kwargs)
    return wrapper
decorated = deco(both)
c = C()
functions = [plain, gather, named, both, only, only_rest, positional, cells, c.method, c.plain, C.cm, C.sm, c, decorated]
argsets = [(), (1,), (1, 2), (1, 2, 3, 4), [7, 8], 'xy', range(3)]
kwsets = [{}, {'b': 9}, {'k': 4}, {'a': 1}, {'z': 0, 'b': 1}, {''.join(['a', 'b'][i:i + 1]): i for i in range(2)}, {'self': 3}]
for _ in range(3):
    out = []
    for f in functions:
        for a in argsets:
            for k in kwsets:
                try:
                    r = f(*a, **k)
                except TypeError as e:
                    r = 'TypeError ' + str(e)
                out.append(repr(r))
                if not k:
                    try:
                        out.append(repr(f(*a)))
                    except TypeError as e:
                        out.append('TypeError ' + str(e))
import hashlib
print(hashlib.sha256('\n'.join(out).encode()).hexdigest(), len(out))
print('\n'.join(out[::37]))
def direct():
    r = []
    for f in (plain, gather, named, both, only_rest, positional, cells, c.method):
        for g in (lambda: f(1), lambda: f(1, 2), lambda: f(1, 2, 3), lambda: f(1, b=2), lambda: f(a=1, b=2), lambda: f(1, b=2, q=3), lambda: f(1, 2, 3, 4, q=1), lambda: f()):
            try:
                r.append(g())
            except TypeError as e:
                r.append(str(e))
    return r
for _ in range(60): res = direct()
print(res)
print(C(1, x=2).made, [list(gen(1, 2, q=3)) for _ in range(2)])
def mutates(*rest, **kw):
    kw['new'] = 1
    return kw
d = {'p': 1}
for _ in range(50): mutates(**d)
print(d)
try:
    plain(**{1: 2})
except TypeError as e: print(e)
try:
    plain(*5)
except TypeError as e: print(e)
try:
    plain(1, **[1])
except TypeError as e: print(e)
class M(dict):
    def keys(self): return ['b']
    def __getitem__(self, k): return 'm' + k
print(plain(1, **M(b=1)))
def run(n):
    t = 0
    args = (1, 2)
    kw = {'x': 3}
    def f(a, b, x=0, *r, **k): return a + b + x
    for i in range(n):
        t += f(*args, **kw) + f(i, *args) + f(i, i, **kw) + decorated(i, b=2)[1]
    return t
print(run(3000))
