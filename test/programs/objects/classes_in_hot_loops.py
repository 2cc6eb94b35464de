"""Classes with methods for everything: properties, descriptors, metaclasses, derived lists, dicts, sets, strings and
numbers, iterators of one's own, keyword mappings: in hot loops."""
import functools
import itertools
import math
from collections import ChainMap, Counter, OrderedDict, UserDict, UserList, deque

import torch

N = 30


def loop(name, body, setup=None):
    def run():
        t = torch.ones(2)
        r = None
        st = setup() if setup else None
        for i in range(N):
            t = t * 0.5 + 1
            r = body(i, t, st)
        return r, t.sum().item()

    try:
        print(name, run())
    except Exception as e:
        print(name, type(e).__name__, e)


class P:
    c = 0
    def __init__(s): s._x = 1; s.d = {}
    @property
    def x(s): P.c += 1; return s._x
    @x.setter
    def x(s, v): s._x = v * 2
    def __getattr__(s, k):
        if k.startswith('dyn'): return k + '!'
        raise AttributeError(k)
    def __setattr__(s, k, v): object.__setattr__(s, k, v); s.__dict__.setdefault('log', []).append(k)
    def __delattr__(s, k): s.__dict__['log'].append('del ' + k); object.__delattr__(s, k)


def p1(i, t, o):
    o.x = i; a = o.x; b = o.dyn_a; c = hasattr(o, 'nope'), hasattr(o, 'dynz'), getattr(o, 'nope', 4)
    o.tmp = t; del o.tmp
    return a, b, c, len(o.log), P.c, o.log[-3:]


loop('p1', p1, P)


class ListLog(list):
    def append(s, v): super().append(('a', v))
    def extend(s, vs):
        for v in vs: s.append(v)
    def __getitem__(s, k):
        r = super().__getitem__(k); return ('g', r) if not isinstance(k, slice) else r
    def __setitem__(s, k, v): super().__setitem__(k, ('s', v))
    def __len__(s): return super().__len__() + 100
    def __iadd__(s, o): super().__iadd__([('i', v) for v in o]); return s
    def pop(s, *a): return ('p', super().pop(*a))
    def __contains__(s, v): return super().__contains__(('a', v))
    def insert(s, i, v): super().insert(i, ('n', v))
    def sort(s, **k): super().sort(key=str, **k); return 'sorted'


def p2(i, t, _):
    l = ListLog([1, 2]); l.append(t.sum()); l.extend([5, 6]); l[0] = 9; l += [7]; m = l; m += (8,)
    return l[0], len(l), 5 in l, 1 in l, l.pop(), l.pop(0), l.insert(0, 3), l.sort(), list(l), l[1:3], l == [1], m is l, [v for v in l], l.index(2), l.count(2), l * 2 == l + l, l.copy(), sorted(map(str, l)), bool(ListLog())


loop('p2', p2)


class DictLog(dict):
    def __setitem__(s, k, v): super().__setitem__(k, [v])
    def __getitem__(s, k): return ('g', super().__getitem__(k))
    def get(s, k, d=None): return ('get', super().get(k, d))
    def keys(s): return ['k1', *super().keys()]
    def items(s): return [('it', v) for v in super().items()]
    def update(s, *a, **k): super().update(*a, **k); s['upd'] = 1
    def pop(s, k, *d): return ('pop', super().pop(k, *d))
    def setdefault(s, k, d=None): return ('sd', super().setdefault(k, d))
    def __delitem__(s, k): super().__setitem__('deleted', k); super().__delitem__(k)
    def __contains__(s, k): return k == 'magic' or super().__contains__(k)
    def copy(s): return 'copied'
    def __len__(s): return 1000


def p3(i, t, _):
    d = DictLog(a=1); d['b'] = t.sum(); d.update(c=3); d |= {'e': 5}
    r = d['a'], d.get('b'), d.get('zz', 7), d.keys(), d.items(), list(d.values()), list(d), 'magic' in d, d.pop('c'), d.setdefault('n', 4), d.copy(), len(d), bool(d), dict(d), {**d}, d | {'q': 1}, d == {'a': 1}
    del d['a']
    return r, dict(d), sorted(d), max(d), [k for k in d]


loop('p3', p3)


class It:
    def __init__(s, n): s.n = n; s.i = 0
    def __iter__(s): return s
    def __next__(s):
        if s.i >= s.n: raise StopIteration
        s.i += 1; return s.i


class Old:
    def __getitem__(s, i):
        if i >= 3: raise IndexError
        return i * 10
    def __len__(s): return 3


class Mgr:
    def __init__(s, log, eat): s.log = log; s.eat = eat
    def __enter__(s): s.log.append('in'); return s
    def __exit__(s, *e): s.log.append(e[0].__name__ if e[0] else None); return s.eat


def p4(i, t, _):
    log = []
    with Mgr(log, True):
        log.append(1)
        if i % 3 == 2: raise ValueError
        log.append(2)
    try:
        with Mgr(log, False): [][i]
    except IndexError: log.append('caught')
    a, b, *c = It(5)
    return log, list(It(3)), sum(It(4)), a, b, c, [*Old()], 20 in Old(), list(reversed(Old())), list(zip(It(3), It(2))), list(map(lambda v: v + 1, It(2))), max(It(3)), sorted(Old(), reverse=True), tuple(enumerate(It(2), 5)), dict(zip('ab', It(2))), next(It(1)), next(It(0), 'end'), list(filter(lambda v: v > 1, It(3))), any(It(2)), all(It(2)), list(itertools.chain(It(2), Old())), torch.stack([t * v for v in It(2)]).sum()


loop('p4', p4)


class Meta(type):
    def __instancecheck__(c, o): return o == 1
    def __call__(c, *a): return ('meta', a)
    def __getattr__(c, k): return 'cls' + k
    def __len__(c): return 9
    def __iter__(c): return iter('xy')
    def __contains__(c, v): return v == 'in'
    def __getitem__(c, k): return ('mg', k)
    def __add__(c, o): return 'mplus'
    def __eq__(c, o): return 'meq'
    def __hash__(c): return 1
    def __bool__(c): return False
    def __repr__(c): return '<M>'


class K(metaclass=Meta): pass


def p5(i, t, _):
    return isinstance(1, K), isinstance(2, K), K(3), K.foo, len(K), list(K), 'in' in K, 'q' in K, K[i % 2], K + 1, K == 1, bool(K), not K, repr(K), f'{K}', {K: 1}[K], (K or 5)


loop('p5', p5)


class W(int):
    def __add__(s, o): return W(int(s) + int(o) + 100)
    __radd__ = __add__
    def __mul__(s, o): return 'wm'
    def __index__(s): return 1
    def __hash__(s): return 5
    def __eq__(s, o): return int(s) == o
    def __lt__(s, o): return 'lt'
    def __str__(s): return 'W!'
    def __format__(s, sp): return 'F' + sp
    def __int__(s): return int.__int__(s)
    def __bool__(s): return False
    @property
    def real(s): return 'r'


w = W(2)


def p6(i, t, _):
    return w + 1, 1 + w, sum([w, w]), w * 2, 2 * w, [5, 6, 7][w], {3: 'x'}.get(w), {5: 'x'}.get(W(5)), w == 3, 3 == w, w != 3, w < 1, 1 > w, str(w), f'{w}', f'{w:>3}', '%s %d' % (w, w), bool(w), w or 7, not w, w.real, int(w), float(w), abs(w), -w, w - 1, w ** 2, range(w), list(range(w)), 'ab' * w, [1] * w, torch.arange(4)[w], t * w, t + w, w + t if 0 else 0, torch.zeros(w), max(w, 2), sorted([w, 1]), round(w), w.bit_length(), isinstance(w, int), divmod(w, 2), math.sqrt(w), w in [3], w in (W(3),), [w] == [2], (w,) == (2,), hash((w,)) == hash((w,)), print(w) , '{}'.format(w), w // 2, w & 1, ~w, hex(w), (w, 1) < (w, 2)


loop('p6', p6)


class S(str):
    def __add__(s, o): return 'S+'
    def __eq__(s, o): return 'seq'
    def __hash__(s): return hash('abc')
    def __len__(s): return 50
    def __contains__(s, o): return 0
    def __getitem__(s, k): return 'item'
    def __iter__(s): return iter('zz')
    def __mod__(s, o): return 'mod'
    def __str__(s): return 'STR'
    def upper(s): return 'UP'
    def join(s, l): return 'J'
    def split(s, *a): return 'SP'
    def format(s, *a): return 'FMT'


sv = S('abc')


def p7(i, t, _):
    d = {'abc': 1}
    return sv + 'x', 'x' + sv, sv == 'abc', 'abc' == sv, sv != 'abc', len(sv), 'a' in sv, sv[0], sv[1:], list(sv), [*sv], sv % 1, str(sv), f'{sv}', f'{sv!s}', f'{sv!r}', '%s' % sv, sv.upper(), sv.join(['a']), sv.split(), sv.format(1), sv.lower(), sv.replace('a', 'b'), 'b' in 'abc', 'abc'.replace(sv, 'q'), sv.startswith('a'), d.get(sv), d[sv] if 0 else 0, sv in d, sv in ['abc'], ''.join([sv, sv]), sv * 2, bool(sv), isinstance(sv, str), sorted([sv, 'a']), max(sv), sv < 'b', getattr(P, sv, 'none') if 0 else 0, set(sv), tuple(sv), sv.find('b'), '{0}'.format(sv), sv.encode(), 'x'.join(sv)


loop('p7', p7)


class FS(frozenset):
    def __contains__(s, v): return 'yes'
    def __or__(s, o): return 'or'
    def __ror__(s, o): return 'ror'
    def __len__(s): return 5
    def __iter__(s): return iter([7])
    def __eq__(s, o): return 'e'
    __hash__ = frozenset.__hash__
    def __sub__(s, o): return 'sub'
    def __le__(s, o): return 'le'


fs = FS([1, 2])


class MS(set):
    def add(s, v): super().add(v * 10)
    def __contains__(s, v): return super().__contains__(v * 10)
    def __ior__(s, o): super().update(o); return 'ior'


def p8(i, t, _):
    m = MS(); m.add(2); m.add(i % 2); n = m; n |= {5}
    return 9 in fs, fs | {3}, {3} | fs, frozenset([3]) | fs, len(fs), list(fs), fs == 1, fs - {1}, fs <= {1}, fs & {1}, {1} - fs, fs ^ {1}, set(fs), frozenset(fs), sorted(m), 2 in m, n, m.union({1}), bool(fs), fs.union([4]), sum(fs), {fs: 1}.get(frozenset([1, 2])), t.sum().item() in fs


loop('p8', p8)


class DQ(deque):
    def append(s, v): super().append(v * 10)
    def popleft(s): return ('pl', super().popleft())
    def __getitem__(s, i): return ('g', super().__getitem__(i))
    def __len__(s): return 1
    def __iter__(s): return iter([0])
    def __iadd__(s, o): return 'iadd'
    def __contains__(s, v): return True
    def __bool__(s): return False


def p9(i, t, _):
    q = DQ([1, 2, 3]); q.append(4); q.append(t.sum()); z = q; z += [1]
    return q.popleft(), q[0], len(q), list(q), z, 99 in q, bool(q), q.pop(), q.extend([5]), list(reversed(q)), q == deque([2, 3, 40, 5]), q + q if 0 else 0, q.count(2), q.index(3)


loop('p9', p9)


def p10(i, t, _):
    u = UserDict(a=1); u['b'] = i; ul = UserList([1, 2]); ul += [3]; cm = ChainMap({'a': 1}, {'b': 2})
    return u, u['a'], 'b' in u, len(u), dict(u), ul, ul + [4], ul[0], len(ul), list(ul), cm['b'], 'zz' in cm, dict(cm), ul == [1, 2, 3], {**u}, max(ul)


loop('p10', p10)


class Slots:
    __slots__ = ('a', 'b')
    def __init__(s, a): s.a = a
    def __eq__(s, o): return isinstance(o, Slots) and s.a == o.a
    def __hash__(s): return hash(s.a)
    def __lt__(s, o): return s.a < o.a


@functools.total_ordering
class TO:
    def __init__(s, v): s.v = v
    def __eq__(s, o): return s.v == o.v
    def __lt__(s, o): return s.v < o.v
    def __repr__(s): return f'TO{s.v}'


def p11(i, t, _):
    a, b = Slots(1), Slots(1)
    d = {a: 'a'}
    try: a.c = 1; e = 0
    except AttributeError: e = 1
    return a == b, a != b, d[b], d.get(Slots(2)), b in d, {a, b} == {a}, len({a, b}), [a].index(b), min(Slots(3), Slots(2)).a, e, TO(1) <= TO(1), TO(1) > TO(0), TO(2) >= TO(3), sorted([TO(3), TO(1), TO(2)]), max(TO(1), TO(5)), TO(1) != TO(1), a in [b], (a, 1) == (b, 1), {1: a} == {1: b}, [a, b].count(a)


loop('p11', p11)


class Desc:
    def __init__(s): s.n = 0
    def __get__(s, o, c=None): s.n += 1; return ('get', o is None, s.n)
    def __set__(s, o, v): o.__dict__['raw'] = v


class Cached:
    def __set_name__(s, c, n): s.name = n
    def __get__(s, o, c=None): v = o.__dict__[s.name] = [0]; return v


class HasD:
    d = Desc()
    c = Cached()
    @staticmethod
    def st(x): return ('st', x)
    @classmethod
    def cl(cls, x): return (cls.__name__, x)
    pm = functools.partialmethod(lambda s, a, b: (a, b), 5)


def p12(i, t, o):
    o.d = i; v = HasD(); v.c.append(t.sum()); v.c.append(1)
    return o.d, o.raw, len(v.c), v.st(1), v.cl(2), HasD.st(3), HasD.cl(4), v.pm(6), HasD.d[1]


loop('p12', p12, HasD)


def kwf(a, /, b, *args, c=3, **k): return a, b, args, c, k


class KM:
    def keys(s): return ['x', 'y']
    def __getitem__(s, k): return k * 2


def p13(i, t, _):
    return kwf(1, 2), kwf(1, *It(3)), kwf(*(1, 2), **{'c': 5}), kwf(1, 2, **KM()), kwf(*'ab', *[i], z=1, **OrderedDict(q=t.sum())), {**KM()}, dict(KM()), dict(KM(), z=1), kwf(b=1, a=2) if 0 else 0, (lambda *a, **k: (a, k))(*{1: 2}, **{'a': 1}), [*{3: 4}], {*'aab'} == {'a', 'b'}


loop('p13', p13)


class TT(torch.Tensor):
    def __add__(s, o): return 'tt add'
    def __len__(s): return 42
    def __getitem__(s, k): return ('ttg', k)
    def extra(s): return 'extra'


def p14(i, t, x):
    return x + 1, len(x), x[0], x.extra(), type(x).__name__, isinstance(x, torch.Tensor)


loop('p14', p14, lambda: TT([1., 2.]))


class PP(torch.nn.Parameter):
    def __mul__(s, o): return 'pp mul'
    def __bool__(s): return False
    def __repr__(s): return 'PP!'
    def __eq__(s, o): return 'ppeq'
    __hash__ = torch.nn.Parameter.__hash__
    def __iter__(s): return iter([5])
    def __neg__(s): return 'ppneg'
    def __contains__(s, v): return True
    def __rsub__(s, o): return 'pprsub'


def p15(i, t, x):
    return x * 2, bool(x), not x, f'{x!r}', x == 1, list(x), -x, 9 in x, 1 - x, t - x, (x + 1).sum().item(), x or 3, {x: 1}[x], [x], x.shape


loop('p15', p15, lambda: PP(torch.ones(2)))


def p16(i, t, _):
    big = 2 ** 53 + 1
    f = float(2 ** 53)
    n = i + 2 ** 53
    return big == f, big > f, n == float(n), n > f, hash(big) == hash(f), 10 ** 20 + i, (i - 15) // 7, (i - 15) % -7, -7 // 2, (i - 40) >> 1, 1 << (i % 70), i ** 3, 2 ** -i if i < 3 else 0, (i - 3) ** 2, int(2.9 + i), round(0.5 + i), round(2.675, 2), i / 3, 7.5 // 2, -7.5 % 2, 1e308 * 10, -0.0 + 0.0, 0.0 * -1, i and 0.0, math.inf - math.inf != 0, divmod(-i, 4), (i > 2) + True, True & (i > 3), True * 2.0, ~(i > 1)


loop('p16', p16)
