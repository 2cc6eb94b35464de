"""Operators, items, membership and lengths by methods of a class, in loops: what they raise, change and leave to others."""
class V:
    def __init__(s, v): s.v = v
    def __eq__(s, o): return s.v == o.v if isinstance(o, V) else NotImplemented
    def __lt__(s, o): return s.v < o.v if isinstance(o, V) else NotImplemented
    def __getitem__(s, i): return s.v[i]
    def __contains__(s, x): return s.v.count(x)
    def __len__(s): return s.n
    def __hash__(s): return 1
class W(V):
    def __gt__(s, o): return "W.gt"
class P: pass
class Q(P): pass
class Meta(type):
    def __eq__(c, o): return "meta"
    def __hash__(c): return 7
class M(metaclass=Meta): pass
def ident(xs, ys):
    n = 0
    for i in range(len(xs)):
        if xs[i] == ys[i]: n += 1
        if xs[i] != ys[i]: n += 100
        if not (ys[i] == xs[i]): n += 10000
    return n
p, q = P(), Q()
for _ in range(3):
    xs = [p, q] * 600
    print(ident(xs, [p, q] * 600), ident(xs, [q, p] * 600), ident(xs, [None, 3] * 600), ident(xs, ["a", M] * 600))
def eqm(n):
    r = []
    p = P()
    for i in range(n):
        r.append(p == M)
    return set(map(str, r))
print(eqm(2000))
def lens(v, n):
    t = 0
    for i in range(n):
        v.n = i
        t += len(v)
    return t
v = V([1, 2, 3])
print(lens(v, 3000))
def badlen(n):
    v = V([])
    t = 0
    for i in range(n):
        v.n = 3 if i < n - 1 else -1
        t += len(v)
    return t
try: badlen(3000)
except ValueError as e: print(e, e.__traceback__.tb_next.tb_lineno)
def badlen2(n, w):
    v = V([])
    t = 0
    for i in range(n):
        v.n = 3 if i < n - 1 else w
        t += len(v)
    return t
for w in ("x", 2**70, True, 2.5):
    try: print(badlen2(3000, w))
    except Exception as e: print(type(e).__name__, e)
def items(v, n):
    t = 0
    for i in range(n):
        t += v[i % 3]
        if i in v: t += 1
        if i not in v: t += 2
    return t
print(items(v, 3000))
def lts(a, b, n):
    r = 0
    for i in range(n):
        if a < b: r += 1
        if a == b: r += 2
        if a != b: r += 3
    return r
print(lts(V(1), V(2), 2000))
def subl(a, b, n):
    r = None
    for i in range(n): r = (a < b, b < a, a == b)
    return r
print(subl(V(1), W(2), 2000))
def notimpl(n):
    out = []
    a = V(1)
    for i in range(n):
        b = 3 if i == n - 1 else V(i)
        out.append(a == b)
        try: out.append(a < b)
        except TypeError as e: out.append(str(e))
    return out[-4:], sum(o is True for o in out)
print(notimpl(2000))
def ni2(n):
    a = V(1)
    k = 0
    for i in range(n):
        k += (a == i)
    return k
print(ni2(3000))
class Raises:
    def __init__(s): s.k = 0
    def __getitem__(s, i):
        s.k += 1
        if s.k == 2500: raise IndexError("at %d" % s.k)
        return s.k
    def __contains__(s, i):
        if i == 2600: raise KeyError(i)
        return i % 2
def rz(n):
    r = Raises(); t = 0
    for i in range(n):
        try: t += r[i]
        except IndexError as e: print(e); t += 5
        try: t += i in r
        except KeyError as e: print(repr(e))
    return t
print(rz(4000))
class L(list): pass
def lists(n):
    a = L([1, 2, 3]); t = 0
    for i in range(n):
        t += len(a) + (2 in a) + a[1]
        for x in a: t += x
        if a: t += 1
        a.append(1); a.pop()
    return t, a
print(lists(2000))
class D(dict):
    def __missing__(s, k): return k * 2
def dm(n):
    d = D(); t = 0
    d[3] = 1
    for i in range(n): t += d[i % 5]; t += (i % 5) in d
    return t
print(dm(2000))
def changing(n):
    t = 0
    v = V([1, 2, 3])
    for i in range(n):
        t += v[1]
        if i == 1500: V.__getitem__ = lambda s, i: 100
    return t
print(changing(3000))
def sets(n):
    s = set(); f = frozenset([1]); r = 0
    for i in range(n):
        s.add(i % 7); s.discard(3); r += len(s) + (i in s)
        x = f if i == n - 1 else s
        try: x.add(i % 5)
        except AttributeError as e: r += 1000000; print(e)
    return r
print(sets(2000))
import sys
class Fr:
    def __getitem__(s, i): return sys._getframe(1).f_lineno
    def __len__(s): return sys._getframe(1).f_lineno
def fr(n):
    f = Fr(); r = set()
    for i in range(n):
        r.add(f[i])
        r.add(len(f))
    return r
print(fr(2000))
