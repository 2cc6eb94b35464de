"""Built-in operations and torch functions on values of derived classes."""
import torch, json, math, re
from collections import namedtuple, OrderedDict, deque, Counter
P = namedtuple("P", "a b")
class L(list): pass
class T(tuple): pass
class S(str): pass
class I(int): pass
class F(float): pass
class D(dict): pass
class E(set): pass
class B(bytes): pass
def t(f):
    try: r = f(); print(type(r).__name__, r)
    except Exception as e: print(type(e).__name__, e)
l, tt, s, i, f, d, e, b, p = L([3, 1, 2]), T((3, 1)), S("ab"), I(5), F(2.5), D(a=1), E([1, 2]), B(b"xy"), P(1, 2)
for fn in [lambda: ",".join(L(["x", "y"])), lambda: [1].__add__(l), lambda: sorted(l), lambda: list(l), lambda: tuple(tt), lambda: [0, *l], lambda: (0, *tt), lambda: {**d, "z": 1}, lambda: dict(d), lambda: dict(D(q=1), r=2), lambda: set(e), lambda: frozenset(e),
  lambda: "ab" == s, lambda: s == "ab", lambda: "xaby".find(s), lambda: s in "xaby", lambda: "xaby".replace(s, "-"), lambda: "ab".startswith(s), lambda: "xabyab".split(s), lambda: {"ab": 1}[s], lambda: {s: 1}["ab"], lambda: [s].index("ab"), lambda: "%s %r" % (s, s), lambda: f"{s:>4}|{s!r}", lambda: "{}".format(s), lambda: s.upper(), lambda: s + s, lambda: s * 2, lambda: s[0], lambda: len(s), lambda: hash(s) == hash("ab"), lambda: str(s), lambda: type(str(s)).__name__, lambda: "".join([s, "c"]), lambda: s.join(["1", "2"]), lambda: re.sub("a", S("z"), s), lambda: json.dumps({"k": s, "i": i, "f": f, "l": l, "d": d, "t": tt}),
  lambda: i + 1, lambda: 1 + i, lambda: i * 2.0, lambda: [0] * i, lambda: list(range(i)), lambda: [9, 8, 7, 6, 5, 4][i], lambda: i == 5, lambda: {5: 1}[i], lambda: divmod(17, i), lambda: -i, lambda: ~i, lambda: i ** 2, lambda: 2 ** i, lambda: i // 2, lambda: i & 3, lambda: 1 << i, lambda: round(i), lambda: int(i), lambda: float(i), lambda: math.sqrt(i), lambda: f"{i:04d}", lambda: "%d" % i, lambda: bool(I(0)), lambda: max(i, 3), lambda: abs(I(-3)), lambda: i.bit_length(), lambda: sum([i, 1]), lambda: i < 6, lambda: hash(i), lambda: str(i), lambda: repr(i),
  lambda: f + 1, lambda: 1 - f, lambda: f == 2.5, lambda: round(f, 1), lambda: int(f), lambda: f"{f:.2f}", lambda: "%.1f" % f, lambda: math.floor(f), lambda: -f, lambda: f < 3, lambda: max(f, 1), lambda: sum([f, 1]), lambda: str(f),
  lambda: l + [1], lambda: [1] + l, lambda: l == [3, 1, 2], lambda: l[1:], lambda: l * 2, lambda: len(l), lambda: 3 in l, lambda: max(l), lambda: sum(l), lambda: l.index(1), lambda: [1, 2] < l, lambda: zip(l, l).__next__(), lambda: [x for x in l], lambda: list(map(str, l)), lambda: list(reversed(l)), lambda: str(l), lambda: torch.tensor(l), lambda: torch.tensor(tt), lambda: torch.tensor(i), lambda: torch.tensor(f), lambda: torch.zeros(L([2, 3])).shape, lambda: torch.zeros(T((2,))).shape, lambda: torch.zeros(i).shape, lambda: torch.ones(2) * i, lambda: torch.ones(2) * f, lambda: torch.arange(i), lambda: torch.stack(L([torch.ones(1)] * 2)), lambda: torch.cat(T((torch.ones(1), torch.ones(1)))), lambda: torch.ones(3)[I(1)], lambda: torch.ones(3, 2)[T((1, 0))], lambda: torch.ones(3)[L([1, 0])], lambda: torch.zeros(P(2, 3)).shape, lambda: torch.ones(6).reshape(L([2, 3])).shape, lambda: torch.ones(2, 3).permute(T((1, 0))).shape, lambda: torch.ones(2).sum(I(0)),
  lambda: d == {"a": 1}, lambda: {"a": 1} == d, lambda: d | {"b": 2}, lambda: list(d), lambda: {}.__class__(d), lambda: json.loads('{"a": 1}') == d, lambda: OrderedDict(d), lambda: Counter(d), lambda: [*d], lambda: len(d), lambda: (lambda **k: k)(**d), lambda: (lambda *a: a)(*l), lambda: d.copy(), lambda: D.fromkeys([1]),
  lambda: e == {1, 2}, lambda: e | {3}, lambda: {3} | e, lambda: 1 in e, lambda: e <= {1, 2, 3}, lambda: e - {1}, lambda: e.union([5]), lambda: len(e), lambda: sorted(e),
  lambda: b + b"z", lambda: b[0], lambda: b == b"xy", lambda: b.decode(), lambda: b"xy" in b, lambda: len(b),
  lambda: p + (3,), lambda: (0,) + p, lambda: p == (1, 2), lambda: p[0], lambda: sorted([p, (0, 5)]), lambda: "%d-%d" % p, lambda: {(1, 2): 5}[p], lambda: p in [(1, 2)], lambda: isinstance(p, tuple), lambda: [*p], lambda: max(p), lambda: p._asdict(), lambda: deque(l), lambda: deque(p) == deque([1, 2]), lambda: tt + (1,), lambda: (1,) + tt, lambda: tt * 2, lambda: tt[:1], lambda: tt == (3, 1), lambda: hash(tt) == hash((3, 1)), lambda: {tt: 1}[(3, 1)], lambda: isinstance(True, int), lambda: str(tt), lambda: "%s" % (tt,), lambda: tt < (4,), lambda: min(tt), lambda: tuple(sorted(tt)), lambda: list(tt), lambda: tt.index(1), lambda: 3 in tt]:
    t(fn)
