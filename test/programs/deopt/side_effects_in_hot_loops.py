"""What happened before an exception stays, default arguments and closures change, sequences are changed in place
under two names, truth is asked for once, generators are thrown into, globals are written by exec: in hot loops."""
import torch

N = 30


def run(name, f, *args):
    try:
        print(name, f(*args))
    except Exception as e:
        print(name, type(e).__name__, e)


# ---- exceptions in the middle with side effects before


def e1():
    log = []; t = torch.ones(2); d = {}
    for i in range(N):
        try:
            log.append(i); d[i % 3] = t.sum(); t.add_(1)
            if i % 7 == 6: raise ValueError(i)
            x = [1, 2][i % 3]
            t.mul_(0.5)
        except IndexError as e:
            log.append(str(e)); t = t + 2
        except ValueError as e:
            log.append(e.args); t = t * 3
        finally:
            log.append('f')
    return log, t, d


run('e1', e1)


def e2():
    t = torch.ones(2); l = []
    def g(x, i):
        l.append(i)
        return x / (i % 4)
    s = 0
    for i in range(N):
        t = t + 1
        try: s += g(1.0, i)
        except ZeroDivisionError: l.append('z'); s -= 1
    return l, s, t


run('e2', e2)


def e3():
    t = torch.ones(2); d = {'a': 1}
    out = []
    for i in range(N):
        t = t + 1
        try:
            d['n'] = i; v = d['missing' if i % 5 == 4 else 'a']; out.append(v); t += v
            torch.ones(2) + torch.ones(3 if i % 6 == 5 else 2)
            out.append(t.sum().item())
        except KeyError as e: out.append(repr(e))
        except RuntimeError as e: out.append(str(e)[:30])
    return out, d, t


run('e3', e3)


def e4():
    t = torch.zeros(2); l = [1, 2, 3]
    o = []
    for i in range(N):
        t = t + 1
        try:
            a, b = l[:2 + (i % 4 == 3)]
            o.append(a + b); o += [t.sum()]
        except ValueError as e: o.append(str(e))
        try: l[i % 4]; o.append('ok')
        except IndexError: o.append('ie')
    return o[:12]


run('e4', e4)
# ---- default arguments mutated, closures


def d1():
    def f(x, acc=[]):
        acc.append(x.sum().item()); return len(acc)
    def g(x, opts={'n': 0}):
        opts['n'] += 1; return x * opts['n']
    t = torch.ones(2); o = []
    for i in range(N):
        t = t * 0.5 + 1
        o.append(f(t)); o.append(g(t).sum().item())
        if i == 20: f.__defaults__ = ([],)
        if i == 25: g.__defaults__ = ({'n': 100},)
    return o


run('d1', d1)


def d2():
    k = 1
    def f(x): return x * k
    def inc():
        nonlocal k
        k += 1
    t = torch.ones(2); o = []
    fs = []
    for i in range(N):
        o.append(f(t).sum().item()); inc()
        fs.append(lambda x: x + i)
        if i % 10 == 9: k = 0
    return o, [h(1) for h in fs[:3]], k


run('d2', d2)


def d3():
    fs = []
    t = torch.ones(2)
    for i in range(N):
        j = i
        def f(x, j=j): return (x * j).sum().item()
        fs.append(f)
        if i > 3: fs[0](t)
        g = f
    return [f(t) for f in fs[::7]]


run('d3', d3)
# ---- in-place sequences with aliasing


def s1():
    t = torch.ones(2); r = []
    for i in range(N):
        t = t + 1
        a = [1]; b = a; a += [t.sum()]; c = a; a = a + [3]; c *= 2
        tu = (1,); tv = tu; tu += (2,)
        l = [[0]] * 3; l[0] += [i]; l[1].append(9)
        x = ([1],)
        try: x[0] += [2]
        except TypeError: pass
        s = {1}; u = s; s |= {2}; s -= {1}
        d = {1: 1}; e = d; d |= {2: 2}
        q = [1, 2, 3]; q += q; q[1:3] = q; w = q; w *= 0
        st = 'a'; su = st; st += 'b'
        m = [1]; m += 'xy'; m += (z for z in (7, 8)); m.extend(m)
        r = (a, b, c is b, tu, tv, l, x, s, u is s, d, e is d, q, st, su, m)
    return r


run('s1', s1)


def s2():
    acc = []; alias = acc; t = torch.ones(2)
    for i in range(N):
        acc += [i]; t = t + len(alias)
        if i == 20: acc = acc + ['new']
    return acc is alias, len(acc), len(alias), t


run('s2', s2)


def s3():
    t = torch.ones(2); o = []
    l = [0]
    for i in range(N):
        l2 = l; l2 += t
        o.append(len(l)); l = [0]
    return o[-1], l2


run('s3', s3)


def s5():
    t = torch.ones(2)
    for i in range(N):
        t = t + 1
        o = []
        l = [1, 2, 3]
        for v in reversed(l):
            l[0] = v + 10
            o.append(v)
        m = [1, 2, 3, 4]
        for v in reversed(m):
            m.pop()
            o.append(v)
    return o, t


run('s5', s5)


class RA:
    def __radd__(s, o): return ('radd', type(o).__name__)
    def __rmul__(s, o): return ('rmul', type(o).__name__)
    def __ror__(s, o): return ('ror', type(o).__name__)
    def __rmod__(s, o): return ('rmod', type(o).__name__)
    def __eq__(s, o): return ('eq', type(o).__name__)
    def __lt__(s, o): return ('lt', type(o).__name__)
    def __gt__(s, o): return ('gt', type(o).__name__)


def s4():
    t = torch.ones(2); r = None
    for i in range(N):
        t = t + 1
        x = RA()
        a = [1]; a += x
        b = (1,); b += x
        c = [1] + x, (1,) + x, [1] * x, 'a' + x if 0 else 0, {} | x, {1} | x, 3 + x, 2.5 * x, None == x, x == None, x == t, t == x, i == x, 2.0 < x, [1] < x, 'a' > x, t + x, t * x, t < x
        r = a, b, c
    return r


run('s4', s4)
# ---- chained comparison, short-circuit


class Tr:
    n = 0
    def __init__(s, v): s.v = v
    def __bool__(s): Tr.n += 1; return s.v
    def __lt__(s, o): return Tr(s.v < o.v)
    def __repr__(s): return f'Tr({s.v})'


def c1():
    t = torch.ones(2); r = None
    for i in range(N):
        t = t + 1
        a, b = Tr(True), Tr(False)
        x = (a and b) or Tr(True)
        y = not (a or b)
        z = 1 if a and not b else 2
        w = Tr(1) < Tr(2) < Tr(3)
        while b: break
        if (a and b) or (b and a): pass
        u = any([b, a, b]), all([a, b, a])
        v = [q for q in (a, b) if q]
        r = x, y, z, w, u, v
    return r, Tr.n


run('c1', c1)


def c2():
    calls = []
    def f(x): calls.append(x); return x
    t = torch.ones(2)
    for i in range(N):
        t = t + 1
        f(1) < f(3) < f(2) < f(9)
        f(0) and f(5); f(0) or f(6)
        f(1) == f(1) != f(2)
        (f(1) in [1, 2]) is f(True)
    return len(calls), calls[:12]


run('c2', c2)
# ---- generators thrown into, closed


def g1():
    log = []
    def gen(t):
        try:
            while True:
                try: x = yield t.sum().item()
                except ValueError as e: log.append(str(e)); yield 'caught'
        finally: log.append('closed')
    t = torch.ones(2); o = []
    for i in range(N):
        t = t + 1
        g = gen(t); o.append(next(g)); o.append(g.throw(ValueError(i))); g.close()
    return o[:4], log[:4], len(log)


run('g1', g1)


def g2():
    def gen():
        r = 0
        for i in range(100):
            r = yield (torch.ones(2) * i + (r or 0)).sum().item()
    g = gen(); o = [next(g)]
    for i in range(N): o.append(g.send(i))
    try: g.throw(KeyError('x'))
    except KeyError as e: o.append(repr(e))
    return o[::7], o[-1], list(g)


run('g2', g2)
# ---- globals through exec


G = 1


def x1():
    t = torch.ones(2); o = []
    for i in range(N):
        o.append((t * G).sum().item())
        if i % 10 == 9: exec('global G\nG += 1')
        if i == 25: globals()['G'] = 50
    return o


run('x1', x1)


def x2():
    t = torch.ones(2); o = []
    ns = {'k': 1}
    exec('def f(x): return x * k', ns)
    f = ns['f']
    for i in range(N):
        o.append(f(t).sum().item())
        if i == 12: ns['k'] = 5
        if i == 20: exec('k = 7', ns)
    return o[::4]


run('x2', x2)
