"""Comparisons of tuples that a dataclass makes for its order, and __class__, in hot code."""
from dataclasses import dataclass, field
@dataclass(order=True)
class E:
    t: float
    n: int
    s: str
    x: object = field(compare=False, default=None)
@dataclass(order=True)
class F:
    t: float
nan = float('nan')
vals = [E(1.0, 2, 'a'), E(1.0, 2, 'b'), E(1.0, 3, 'a'), E(2.0, 0, ''), E(-0.0, 1, 'q'), E(0.0, 1, 'q'), E(nan, 1, 'z'), E(nan, 1, 'z'), E(float('inf'), 1, 'z')]
def table(vs):
    out = []
    for a in vs:
        for b in vs:
            out.append((a < b, a <= b, a > b, a >= b, a == b, a != b))
    return out
r = None
for i in range(60):
    r = table(vals)
for row in r: print(row)
def direct(a, b, c, d):
    return (a, b) < (c, d), (a, b) <= (c, d), (a, b) == (c, d), (a, b) != (c, d), (a, b) > (c, d), (a, b) >= (c, d)
for i in range(200):
    direct(i, i * 0.5, 7, 3.0)
for q in [(1, 2.0, 1, 2.0), (1, nan, 1, nan), (1, 2.0, 1, 3.0), (0, 9.0, 1, 1.0), (True, 1.0, 1, 1.0), (1, 2, 1, 2.0), (2**70, 1.0, 2**70, 1.0), ('a', 1.0, 'b', 1.0), (1, 0.0, 1, -0.0), (1, 1.0, True, 2.0)]:
    print(direct(*q))
try: direct('a', 1.0, 1, 1.0)
except TypeError as e: print(e)
fs = [F((i * 37 % 101) * 0.5) for i in range(101)]
for _ in range(30): s = sorted(fs)
print(s[:3], min(fs), max(fs))
class G(F):
    pass
print(F(1.0) == G(1.0), F(1.0).__lt__(G(2.0)), F(1.0).__class__, F(1.0).__class__ is F, G(1.0).__class__.__name__)
class P:
    @property
    def __class__(self): return int
p = P()
for i in range(100): c = p.__class__
print(c, isinstance(p, int))
class Q: pass
q = Q(); kinds = []
for i in range(100):
    if i == 50: q.__class__ = P.__mro__[0] if False else type('R', (Q,), {})
    kinds.append(q.__class__.__name__)
print(kinds[49], kinds[50], kinds[99])
