"""Objects of derived classes where plain ones came before, and sizes of another rank."""
import torch
from collections import defaultdict, OrderedDict, namedtuple, Counter
torch.manual_seed(0)
P = namedtuple("P", "a b")
x = torch.randn(3)
class LS(list):
    def __len__(self): return 77
    def __getitem__(self, k): return 5
    def __iter__(self): return iter([8])
class DS(dict):
    def __getitem__(self, k): return 9
    def get(self, k, d=None): return 10
class TS(tuple):
    def __repr__(self): return "TS!"
class ST(str):
    def upper(self): return "U"
class IN(int):
    def __add__(self, o): return 1000
class FL(float):
    def __mul__(self, o): return 1000.0
class SE(set):
    def __contains__(self, k): return True
lists = [[1, 2], [1, 2], [3, 2], [1, 2], [1, 2], [1, 2], LS([1, 2])]
dicts = [{"a": 1}, {"a": 2}, {"a": 1}, {"a": 1}, {"a": 1}, {"a": 1}, DS(a=1), OrderedDict(a=1), defaultdict(int, a=1), Counter(a=1)]
tups = [(1, 2), (1, 3), (1, 2), (2, 2), (1, 2), (1, 2), P(1, 2), TS((1, 2)), torch.Size([1, 2])]
strs = ["ab", "cd", "ab", "ab", "ab", ST("ab")]
ints = [1, 2, 1, 3, 1, 1, IN(1), True, 1.0]
flts = [1.5, 2.5, 1.5, 1.5, 1.5, FL(1.5), 1]
sets = [{1}, {1, 2}, {1}, {1}, {1}, SE([1]), frozenset([1])]
def fl(v, x): return x * 0.9 + 0.1, v[0], len(v), [w for w in v], str(v), type(v).__name__
def fd(v, x): return x * 0.9 + 0.1, v["a"], v.get("q"), len(v), str(v), type(v).__name__
def fdm(v, x):
    try: return x * 0.9 + 0.1, v["zz"]
    except KeyError: return x * 0.9 + 0.1, "no"
def ft(v, x): return x * 0.9 + 0.1, v[0], len(v), str(v), v == (1, 2), type(v).__name__
def fp(v, x): return x * 0.9 + 0.1, [v], v
def fs(v, x): return x * 0.9 + 0.1, v.upper(), v + "x", type(v).__name__
def fi(v, x): return x * 0.9 + 0.1, v + 1, type(v).__name__
def ff(v, x): return x * 0.9 + 0.1, v * 2, type(v).__name__
def fse(v, x): return x * 0.9 + 0.1, 5 in v, len(v), type(v).__name__
for f, vs in ((fl, lists), (fd, dicts), (fdm, dicts), (ft, tups), (fp, tups), (fp, lists), (fs, strs), (fi, ints), (ff, flts), (fse, sets)):
    for rep in range(3):
        for i, v in enumerate(vs):
            for again in range(2):
                x, *r = f(v, x)
                print(f.__name__, i, r)
shapes = [torch.zeros(2).shape, torch.zeros(2, 3).shape, torch.zeros(2).shape, torch.zeros(2, 3, 4).shape]
def fz(v, x): return x * 0.9, [v], len(v), sum(v), v[-1], [w for w in v], v == (2,)
for i in range(60):
    x, *r = fz(shapes[i % 4], x)
    print(i, r)
