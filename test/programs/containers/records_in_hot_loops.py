"""Enums, named tuples and dataclasses with operators, modules and dicts with special methods: in hot loops."""
import enum
from collections import Counter, OrderedDict, defaultdict
from dataclasses import dataclass, field
from typing import NamedTuple

import torch

N = 30


def run(name, f, *args):
    try:
        print(name, f(*args))
    except Exception as e:
        print(name, type(e).__name__, e)


# ---- enums


class Col(enum.IntEnum):
    R = 1
    G = 2


class SC(str, enum.Enum):
    A = 'a'
    B = 'b'


class Fl(enum.IntFlag):
    X = 1
    Y = 2


class Pl(enum.Enum):
    P = 1
    Q = 1.5
    def __str__(s): return 'pl' + s.name
    @property
    def twice(s): return s.value * 2


def en():
    t = torch.ones(4); r = None
    d = {1: 'one', 'a': 'sa', Col.G: 'two', SC.B: 'sb', Pl.P: 'p'}
    for i in range(N):
        t = t * 0.5 + 1
        r = (Col.R + 1, Col.R == 1, 1 == Col.R, Col.R < Col.G, Col.R in (1, 2), [10, 20, 30][Col.R], f'{Col.R}', str(Col.R), repr(Col.R), '%d' % Col.R, '%s' % Col.R, d[Col.R], d.get(2), d[Col.G], d.get(SC.A), d['b'], d[SC.B], SC.A == 'a', 'a' == SC.A, SC.A + 'x', f'{SC.A}', str(SC.A), len(SC.A), 'a' in SC.A, Fl.X | Fl.Y, Fl.X | 2, bool(Fl.X & Fl.Y), ~Fl.X, str(Pl.P), f'{Pl.Q}', Pl.P.twice, Pl(1.5), Pl['P'] is Pl.P, d[Pl.P], Pl.P == 1, Pl.P != Pl.Q, list(Col), Col(2), Col['R'], isinstance(Col.R, int), type(Col.R), hash(Col.R) == hash(1), t[Col.R].item(), t * Col.G, t[:Col.G], torch.zeros(Col.G), -Col.R, abs(Col.R), Col.R * 2.5, int(Col.R), float(Col.G), max(Col), sum(Col), sorted([Col.G, Col.R]), {Col.R: t.sum()}, range(Col.G), t.sum(dim=Col.R - 1), t.reshape(Col.G, 2), Col.R is Col.R, Col.R and 5, SC.A.value, Col.R.name, [x.name for x in Pl], Col.R.real, Col.G ** 2, 7 // Col.G, divmod(7, Col.G), Col.R or 3, not Col.R, ''.join([SC.A, SC.B]), SC.A.upper(), {SC.A, 'a'}, {Col.R, 1}, Col.R.__class__)
    return r


run('en', en)
# ---- records


class Pt(NamedTuple):
    x: float
    y: float = 2.0
    def __add__(s, o): return Pt(s.x + o.x, s.y + o.y)
    def __radd__(s, o): return s if o == 0 else NotImplemented
    def __mul__(s, k): return Pt(s.x * k, s.y * k)
    __rmul__ = __mul__
    def __neg__(s): return s * -1
    def __bool__(s): return bool(s.x)
    def __len__(s): return 77
    def __contains__(s, v): return v == 'in'
    def __eq__(s, o): return isinstance(o, Pt) and s.x == o.x
    def __lt__(s, o): return s.y < o.y
    def __getitem__(s, i): return ('item', i)
    def __hash__(s): return 3
    @property
    def norm(s): return (s.x ** 2 + s.y ** 2) ** 0.5


def np1():
    t = torch.ones(2); r = None
    for i in range(N):
        t = t * 0.5 + 1
        a, b = Pt(1.0, 2.0), Pt(t.sum(), i)
        x, y = b
        r = (a + a, a + b, sum([a, a, a]), 2 * a, a * 3, -a, bool(a), not Pt(0.0), len(a), 'in' in a, 1.0 in a, a == Pt(1.0, 9), a != Pt(1.0, 9), Pt(1, 5) < a, a < Pt(1, 5), a[0], a[-1], x, y, list(a), tuple(b), a.norm, a._asdict(), max(a, Pt(0, 1)), sorted([a, Pt(0, 1)]), hash(a), repr(a), a.x, [*a], {**a._asdict()}, (a,) == (Pt(1.0, 0),), isinstance(a, tuple), a >= a if 0 else 1)
    return r


run('np1', np1)


@dataclass(order=True)
class V:
    x: float
    tags: list = field(default_factory=list, compare=False)
    def __add__(s, o): return V(s.x + (o.x if isinstance(o, V) else o), s.tags + ['add'])
    def __iadd__(s, o): s.x += o; s.tags.append('iadd'); return s
    def __matmul__(s, o): return ('mm', s.x, o)
    def __rmatmul__(s, o): return ('rmm', type(o).__name__)
    def __getitem__(s, k): return s.x * k
    def __len__(s): return 0
    def __iter__(s): yield s.x; yield 'it'
    def __call__(s, a, *b, **c): return (s.x, a, b, c)
    def __contains__(s, k): return k
    def __invert__(s): return V(~int(s.x))
    def __abs__(s): return 'abs'
    def __int__(s): return 41
    def __float__(s): return 4.5
    def __index__(s): return 1
    def __round__(s, n=None): return ('round', n)
    def __divmod__(s, o): return 'dm'
    def __format__(s, spec): return f'<{spec}|{s.x}>'


@dataclass(frozen=True)
class FV:
    a: int
    b: tuple = ()


def dc():
    t = torch.ones(3); r = None
    tab = {FV(1): 'one', FV(2, (1,)): 'two'}
    acc = V(0.0)
    for i in range(N):
        t = t * 0.5 + 1
        v = V(2.0); w = v
        v += 3; acc += 1.0
        a, b = v
        r = (v, w is v, v + 1, v + v, v @ t, t @ v if 0 else 0, [1] @ v, v[3], len(v), bool(v), 'yes' if v else 'no', list(v), a, b, v(1, 2, k=3), 0 in v, 5 in v, ~v, abs(v), int(v), float(v), [5, 6, 7][v], round(v), round(v, 2), divmod(v, 1), f'{v}', f'{v:>5}', '{:x}'.format(v), format(v, 'y'), V(1) < V(2), V(1) == V(1), V(1) != V(1), V(3) >= V(2), max(V(1), V(5)), sorted([V(2), V(1)]), tab[FV(1)], tab.get(FV(2, (1,))), FV(1) == FV(1), hash(FV(1)) == hash(FV(1)), FV(1) in tab, acc.x, t * float(v), V(1) == 1, str(v), repr(FV(3)), {FV(1), FV(1)})
    return r, len(acc.tags)


run('dc', dc)


class M(torch.nn.Module):
    def __init__(s): super().__init__(); s.l = torch.nn.Linear(2, 2); s.ls = [1, 2, 3]; torch.nn.init.ones_(s.l.weight); torch.nn.init.zeros_(s.l.bias)
    def forward(s, x): return s.l(x)
    def __len__(s): return 3
    def __getitem__(s, i): return s.ls[i]
    def __iter__(s): return iter(s.ls)
    def __contains__(s, k): return k == 'q'
    def __eq__(s, o): return 'eq'
    def __hash__(s): return 7
    def __bool__(s): return False
    def __call__(s, *a): return super().__call__(*a) + 1
    def __add__(s, o): return ('add', o)
    def __getattr__(s, k): return 'dyn' if k == 'dyn' else super().__getattr__(k)


def mod():
    m = M(); t = torch.ones(2); r = None
    with torch.no_grad():
        for i in range(N):
            y = m(t)
            r = (y, len(m), m[0], list(m), 'q' in m, 'z' in m, m == m, m != m, bool(m), not m, m + 1, m.dyn, [v for v in m], max(m), *m, hash(m) == 7, {m: 1}.get(m), m in [m], sorted(m), m[1:], (m and 1) is m)
    return r[:1] + r[1:18] 


run('mod', mod)


class DD(dict):
    def __missing__(s, k): s[k] = v = [k]; return v


class Attr(dict):
    def __getattr__(s, k):
        try: return s[k]
        except KeyError: raise AttributeError(k)
    def __setattr__(s, k, v): s[k] = v


def dd():
    d = DD(); c = Counter(); df = defaultdict(list); a = Attr(lr=1.0); od = OrderedDict(); t = torch.ones(2)
    for i in range(N):
        t = t * 0.5 + 1
        d[i % 3].append(t.sum().item()); c['k%d' % (i % 2)] += 1; c.update('ab'); df[i % 2].append(i); a.lr = a.lr * 0.5; a.step = i; od[i % 4] = t.sum(); od.move_to_end(i % 4)
        h = hasattr(a, 'zz'), getattr(a, 'zz', 3), a.get('zz'), 'lr' in a, d.get(99), c['none'], len(c), c + c, c - Counter(a=3), c & Counter(a=1), c | Counter(z=1), c == dict(c)
    return {k: len(v) for k, v in d.items()}, c, dict(df)[0][:3], a, list(od), h


run('dd', dd)
