import torch
from collections import defaultdict, OrderedDict, Counter, deque, ChainMap, namedtuple
import itertools, functools, operator

class Reg(dict):
    def __missing__(self, k):
        v = self[k] = torch.full((2,), float(len(self)))
        return v

class Low(dict):
    def __getitem__(self, k):
        return super().__getitem__(k.lower())
    def get(self, k, d=None):
        return self[k] if k.lower() in self else d
    def __contains__(self, k):
        return super().__contains__(k.lower())

class Loud(list):
    def append(self, v):
        super().append(v)
        super().append(v * 2)
    def __len__(self):
        return 100 + super().__len__()
    def __getitem__(self, i):
        return super().__getitem__(i) + 1
    def __iter__(self):
        return iter([torch.ones(1) * 9])
    def __contains__(self, v):
        return v == "yes"

class Neg(int):
    def __add__(self, o):
        return int(self) - int(o)
    __radd__ = __add__
    def __index__(self):
        return 1
    def __bool__(self):
        return False
    def __eq__(self, o):
        return True
    def __hash__(self):
        return 5

class Str(str):
    def __eq__(self, o):
        return str(self).lower() == str(o).lower()
    def __hash__(self):
        return hash(str(self).lower())
    def __str__(self):
        return "S(" + self[:] + ")"
    def __add__(self, o):
        return Str(o[:] + self[:])

class F(float):
    def __mul__(self, o):
        return "fmul"
    def __rmul__(self, o):
        return "frmul"
    def __lt__(self, o):
        return True

class S(set):
    def __or__(self, o):
        return "or"
    def __iter__(self):
        return iter([99])
    def __len__(self):
        return 7

def f(x, i):
    r = Reg()
    a = r["p"] + r["q"] + r["p"]
    l = Low(key=x, other=x * 2)
    b = l["KEY"] + l.get("Other") + (1 if "KEY" in l else 0) + (5 if l.get("zz") is None else 0)
    q = Loud([x])
    q.append(x)
    c = q[0] + q[-1] + len(q) + sum(q) + (1 if "yes" in q else 0) + (10 if x in q else 0)
    n = Neg(5)
    d = (n + 2, 2 + n, [10, 20, 30, 40, 50, 60][n], 7 if n else 8, n == 3, {5: "five"}.get(n), sum([n, 1]), x * n)
    s = Str("Abc")
    e = (s == "aBC", {"abc": 1}.get(s), f"{s}", str(s), s + "d", "%s" % s, s in ["ABC"], len(s))
    g = (F(2.0) * 3, 3 * F(2.0), F(2.0) < 1, x.sum() * 1.0, sorted([F(2.0), F(1.0)]), max(F(1.0), F(3.0)))
    t = S({1, 2, 3})
    h = ({1, 2, 3} == t, t | {4}, len(t), list(t), sorted(t), bool(t), {1} | t, t == {99})
    return a, b, c, d, e, g, h

for i in range(30):
    r = f(torch.ones(2) * i, i)
for v in r:
    print(v)

def h(x, i):
    d = defaultdict(lambda: x * 2)
    d["a"] += 1
    d["b"].add_(3)
    o = OrderedDict([("x", 1), ("y", 2), ("z", 3)])
    o.move_to_end("x")
    o.popitem(last=False)
    c = Counter("abca")
    c.update(["a"])
    q = deque([1, 2, 3], maxlen=3)
    q.appendleft(x)
    q.rotate(1)
    m = ChainMap({"u": x}, {"u": 1, "v": x + 1})
    k = {1: "a", True: "b", 1.0: "c", 0: "z", False: "y", -0.0: "w"}
    s = {1, True, 1.0, 0.0, False}
    return d["a"] + d["b"], list(o), c.most_common(2), [v for v in q if isinstance(v, int)], m["u"] + m["v"], k, s, list(itertools.accumulate([x, x, x], operator.add))[-1], functools.reduce(lambda a, b: a * b, [x + 1, x + 2])

for i in range(30):
    r = h(torch.ones(2) * i, i)
for v in r:
    print(v)
