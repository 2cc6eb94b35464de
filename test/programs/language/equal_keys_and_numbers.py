"""Keys that are equal and not identical, NaN that is one object, ints and bools and floats that take each other's
place: in hot loops as anywhere."""
import math

import torch

N = 30


def run(name, f, *args):
    try:
        print(name, f(*args))
    except Exception as e:
        print(name, type(e).__name__, e)


# ---- keys equal but not identical


def k1():
    t = torch.ones(2); r = None
    for i in range(N):
        t = t * 0.5 + 1
        d = {1: 'a'}; d[True] = 'b'; d[1.0] = t.sum(); d[0.0] = 1; d[-0.0] = 2; d[False] = 3
        r = d
    return r, list(map(type, r))


run('k1', k1)


def k2():
    t = torch.ones(2)
    d = {}
    for i in range(N):
        t = t * 0.5 + 1
        d[float(i % 2)] = i
        d[i % 2] = i + 1
        d[bool(i % 2)] = t.sum()
    return d


run('k2', k2)


def k3():
    t = torch.ones(2)
    s = set()
    for i in range(N):
        t = t * 0.5 + 1
        s.add(True); s.add(1); s.add(1.0); s.add(0.0); s.add(-0.0)
    return s, t


run('k3', k3)


def k4():
    d = {True: 'x', 2: 'y'}
    t = torch.ones(2)
    for i in range(N):
        t = t + 1
        d[1] = t.sum(); d[2.0] = i
    return d


run('k4', k4)


def k5():
    t = torch.ones(2)
    for i in range(N):
        t = t + 1
        a = {1: 1, 1.0: 2, True: 3}
        b = {**{1: 'p'}, **{True: 'q'}}
        c = dict([(1, 2), (True, 3)])
        e = {1: 0}; e.update({1.0: 7}); e.setdefault(True, 9)
        f = {0.0, -0.0, 0, False}
        g = {k: k for k in (1, 1.0, True)}
        h = dict.fromkeys([1, True, 1.0])
        x = e.pop(True)
        l = {x, t}
    return a, b, c, e, f, g, h, x


run('k5', k5)
# ---- NaN, identity first


nan = float('nan')


def n1():
    t = torch.ones(2); o = []
    for i in range(N):
        t = t + 1
        x = (nan, 1); y = (nan, 1)
        o = [x == y, [nan] == [nan], nan in [nan], nan in (1, nan), [nan].index(nan), [nan, nan].count(nan), {1: nan} == {1: nan}, nan == nan]
    return o


run('n1', n1)


def n2():
    t = torch.ones(2); o = []
    z = float('nan'); l = [z, 1.0]
    for i in range(N):
        t = t + 1
        o = [l == [z, 1.0], z in l, l.count(z), l.index(z), (z, t.sum().item()) == (z, t.sum().item()), z != z, max(l), min(l), sorted([3.0, z, 1.0]), {z: 1}.get(z), z in {z}]
    return o


run('n2', n2)


def n3():
    t = torch.tensor([float('nan'), 1.0]); o = []
    for i in range(N):
        t = t + 1
        v = t[0].item()
        o = [v in [v], [v] == [v], (v,) == (v,), v == v, v in (v, 1.0), {1: v} == {1: v}, [v].count(v), [v] != [v]]
    return o


run('n3', n3)
# ---- int/bool/float


def b1():
    t = torch.ones(2); o = []
    for x in [1] * 12 + [True] * 12 + [1.0] * 12 + [0, False, 0.0, -0.0] * 3:
        t = t * 0.5 + x
        o.append((x, type(x).__name__, str(x), f'{x}', x + 1, -x, math.copysign(1, x), isinstance(x, int), x is True, t.dtype))
    return o[0], o[15], o[30], o[36:]


run('b1', b1)


def b2(f):
    t = torch.ones(2)
    r = []
    for i in range(40):
        x = f(i)
        y = t * x
        r.append((y.dtype, repr(x), x and 'yes', [10, 20][x] if not isinstance(x, float) else x))
    return r[0], r[19], r[20], r[39]


run('b2', b2, lambda i: True if i < 20 else 1)
run('b2', b2, lambda i: 0.0 if i < 20 else -0.0)
run('b2', b2, lambda i: 0 if i < 20 else False)
run('b2', b2, lambda i: 1.0 if i < 20 else 1)


class Box:
    def __init__(s, v): s.v = v


def b3():
    b = Box(1); t = torch.ones(2); o = []
    for i in range(60):
        b.v = (1, True, 1.0)[i // 20]
        o.append((b.v, (t * b.v).sum(), type(b.v)))
    return o[19], o[20], o[39], o[40], o[59]


run('b3', b3)


def b4():
    cfg = {'p': 0}; t = torch.ones(2); o = []
    for i in range(60):
        if i == 25: cfg['p'] = False
        if i == 45: cfg['p'] = 0.0
        if i == 52: cfg['p'] = -0.0
        o.append(f"{cfg['p']} {(t + cfg['p']).sum().item()}")
    return o[24], o[25], o[44], o[45], o[52]


run('b4', b4)


def b5():
    t = torch.ones(3); o = []
    for i in range(40):
        k = 2 if i < 20 else 2.0
        try: o.append((t * 3 ** k, 7 // k, 7 % k, 2 ** -k, k == 2, hash(k), {2: 'x'}[k], t[:int(k)]))
        except Exception as e: o.append(e)
    return o[0], o[19], o[20], o[39]


run('b5', b5)
