# collections, functools, itertools, operator, copy, heapq, bisect.
from collections import OrderedDict, defaultdict, deque, namedtuple, Counter, ChainMap
import collections, collections.abc
def show(f, *a, **k):
    try:
        print(repr(f(*a, **k)))
    except Exception as e:
        print(type(e).__name__, e)
d = deque([1, 2, 3], maxlen=3); d.append(4); print(d, len(d), d[0], d[-1], 3 in d); d.appendleft(9); print(d, d.maxlen)
d = deque("abc"); d.rotate(1); print(d, list(reversed(d))); d.extend("de"); d.extendleft("xy"); print(d, d.pop(), d.popleft(), d.count("a"), d.index("b")); d.remove("b"); d.insert(1, "z"); d.reverse(); print(d); del d[0]; d[0] = "Q"; print(d, d == deque(d), d.copy() is d, d + deque([1]), bool(deque()))
show(deque().pop); show(d.index, "nope"); show(d.remove, "nope"); show(deque, [1], -1); show(lambda: d[100]); show(lambda: deque(5))
def mutate():
    q = deque([1, 2])
    for x in q: q.append(x)
show(mutate)
dd = defaultdict(list); dd["a"].append(1); dd["b"]; print(dd, dict(dd), dd.get("zz"), "zz" in dd, dd.default_factory)
show(lambda: defaultdict()["x"]); show(defaultdict, 5); print(defaultdict(int, {"a": 1}, b=2), defaultdict(int) | {"q": 1})
dn = defaultdict(lambda: defaultdict(int)); dn["x"]["y"] += 1; print({k: dict(v) for k, v in dn.items()})
od = OrderedDict([("a", 1), ("b", 2)]); od.move_to_end("a"); print(od, od.popitem(), od.popitem(last=False) if od else None, OrderedDict(a=1) == OrderedDict(a=1), OrderedDict([("a", 1), ("b", 2)]) == OrderedDict([("b", 2), ("a", 1)]), OrderedDict([("a", 1), ("b", 2)]) == {"b": 2, "a": 1}); show(OrderedDict().popitem)
od = OrderedDict.fromkeys("abc", 0); od.move_to_end("c", last=False); print(list(od), list(reversed(od)))
c = Counter("mississippi"); print(c, c.most_common(2), c["z"], sum(c.values()), sorted(c.elements())); c.update("mm"); c.subtract({"i": 1}); print(c, c + Counter(m=1), c - Counter(s=10), c & Counter(s=2), c | Counter(q=7), Counter(a=1) == Counter(a=1, b=0), +Counter(a=-1, b=2), c.total()); del c["nope"]; print(Counter([1, 1, 2]), Counter(), Counter(a=3, b=1) > Counter(a=1))
P = namedtuple("P", "x y"); p = P(1, y=2); print(p, p.x, p[1], p._asdict(), p._replace(x=5), P._fields, P._make([7, 8]), p == (1, 2), *p, isinstance(p, tuple), P.__doc__, hash(p) == hash((1, 2)))
Q = namedtuple("Q", ["a", "b", "c"], defaults=[5, 6]); print(Q(1), Q._field_defaults); show(P, 1); show(P, 1, 2, 3); show(namedtuple, "X", "a a"); show(namedtuple, "X", "class"); show(namedtuple, "X", "_a"); print(namedtuple("R", "a class _x", rename=True)._fields); show(p._replace, z=1)
class PP(P):
    __slots__ = ()
    def norm(self): return self.x + self.y
print(PP(3, 4), PP(3, 4).norm())
cm = ChainMap({"a": 1}, {"a": 2, "b": 3}); print(cm["a"], cm["b"], len(cm), dict(cm), cm.new_child({"z": 1})["z"], cm.maps, "b" in cm); show(lambda: cm["q"]); cm["n"] = 1; print(cm)
for t, v in ((collections.abc.Iterable, [1]), (collections.abc.Iterable, 1), (collections.abc.Mapping, {}), (collections.abc.Sequence, (1,)), (collections.abc.Sequence, {}), (collections.abc.Callable, len), (collections.abc.Hashable, []), (collections.abc.Sized, "x"), (collections.abc.MutableMapping, dd), (collections.abc.Iterator, iter([])), (collections.abc.Generator, (i for i in [])), (collections.abc.Set, {1}), (collections.abc.Container, "s")): print(t.__name__, isinstance(v, t), end="; ")
print()
class M(collections.abc.MutableMapping):
    def __init__(self): self.d = {}
    def __getitem__(self, k): return self.d[k]
    def __setitem__(self, k, v): self.d[k] = v
    def __delitem__(self, k): del self.d[k]
    def __iter__(self): return iter(self.d)
    def __len__(self): return len(self.d)
m = M(); m["a"] = 1; m.update(b=2); print(dict(m), m.get("z", 0), m.pop("a"), list(m.items()), m.setdefault("k", 9), "k" in m, m == {"b": 2, "k": 9}, list(m.keys()), list(m.values()))
class S(collections.abc.Sequence):
    def __getitem__(self, i): return [10, 20, 30][i]
    def __len__(self): return 3
s = S(); print(list(s), 20 in s, s.index(30), s.count(10), list(reversed(s)))
class Bad(collections.abc.Sequence):
    def __len__(self): return 1
show(Bad)
import functools
from functools import partial, reduce, wraps, lru_cache, cache, cached_property, total_ordering, singledispatch, cmp_to_key, partialmethod
def f(a, b=2, *args, **kw): "doc"; return (a, b, args, kw)
pf = partial(f, 1, z=3); print(pf(5, 6, y=1), pf.func is f, pf.args, pf.keywords, partial(pf, 8)(9)); show(partial, 5); show(partial)
print(reduce(lambda a, b: a * b, [1, 2, 3, 4]), reduce(lambda a, b: a + b, [], 5)); show(reduce, lambda a, b: a, [])
def deco(fn):
    @wraps(fn)
    def inner(*a, **k): return fn(*a, **k)
    return inner
g = deco(f); print(g.__name__, g.__doc__, g.__wrapped__ is f, g(1))
calls = []
@lru_cache(maxsize=2)
def sq(x): calls.append(x); return x * x
print(sq(1), sq(2), sq(1), sq(3), sq(2), sq.cache_info(), calls, sq.__name__); sq.cache_clear(); print(sq.cache_info())
@cache
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
print(fib(50), fib.cache_info().hits)
@lru_cache
def nokw(a, *, k=1): return a + k
print(nokw(1), nokw(1, k=2), nokw(1), nokw.cache_info()); show(nokw, [])
class CP:
    n = 0
    @cached_property
    def v(self): self.n += 1; return self.n
    @functools.lru_cache(maxsize=None)
    def m(self, x): return x + 1
    def base(self, a, b): return (a, b)
    five = partialmethod(base, 5)
cp = CP(); print(cp.v, cp.v, cp.__dict__, cp.m(1), cp.five(6))
@total_ordering
class T:
    def __init__(self, v): self.v = v
    def __eq__(self, o): return self.v == o.v
    def __lt__(self, o): return self.v < o.v
print(T(1) <= T(2), T(1) > T(2), T(2) >= T(2), sorted([T(3), T(1)])[0].v)
@singledispatch
def sd(x): return "object"
@sd.register
def _(x: int): return "int"
@sd.register(list)
def _(x): return "list"
print(sd(1), sd([]), sd("x"), sd(True), sd.dispatch(int)(0))
print(sorted([3, 1, 2], key=cmp_to_key(lambda a, b: b - a)))
import itertools as it
print(list(it.islice(it.count(5, 2), 4)), list(it.islice(it.cycle("ab"), 5)), list(it.repeat(1, 3)), list(it.accumulate([1, 2, 3])), list(it.accumulate([1, 2, 3], lambda a, b: a * b, initial=10)), list(it.chain("ab", [1])), list(it.chain.from_iterable([[1], [2, 3]])), list(it.compress("abc", [1, 0, 1])), list(it.dropwhile(lambda x: x < 2, [1, 2, 1])), list(it.takewhile(lambda x: x < 2, [1, 2, 1])), list(it.filterfalse(lambda x: x % 2, range(5))))
print([(k, list(g)) for k, g in it.groupby("aabbbc")], [(k, len(list(g))) for k, g in it.groupby([1, 3, 2, 4], key=lambda x: x % 2)], [k for k, g in it.groupby("aab")])
print(list(it.islice("abcdef", 2)), list(it.islice("abcdef", 1, 5, 2)), list(it.islice("abc", 1, None)), list(it.pairwise([1, 2, 3])), list(it.starmap(pow, [(2, 3), (3, 2)])), list(it.zip_longest("ab", "xyz", fillvalue="-")), list(it.product("ab", [1, 2])), list(it.product([0, 1], repeat=2)), list(it.permutations([1, 2, 3], 2)), list(it.permutations("ab")), list(it.combinations("abc", 2)), list(it.combinations_with_replacement("ab", 2)))
a, b = it.tee([1, 2, 3]); print(next(a), list(b), list(a)); show(it.islice, [1], -1); show(it.count, "x"); show(it.zip_longest, [1], foo=1); print(next(it.count()), list(it.count(1.5, 0.5).__next__() for _ in range(2)), type(it.chain()).__name__)
import operator as op
print(op.add(1, 2), op.itemgetter(1)([5, 6]), op.itemgetter("a", "b")({"a": 1, "b": 2}), op.attrgetter("v")(T(4)), op.attrgetter("v", "v.real")(T(4)), op.methodcaller("upper")("x"), op.methodcaller("split", ",", maxsplit=1)("a,b,c"), op.mul(3, 4), op.truediv(1, 2), op.neg(3), op.not_(0), op.contains([1], 1), op.index(5), op.getitem([1, 2], 0), op.iadd([1], [2]), op.xor(5, 3), op.lt(1, 2), op.is_(None, None), op.concat("a", "b"), op.countOf([1, 1], 1), op.abs(-3))
import copy
class N:
    def __init__(self): self.l = [1]; self.me = self
n = N(); n2 = copy.deepcopy(n); print(n2.l, n2.l is n.l, n2.me is n2); n3 = copy.copy(n); print(n3.l is n.l)
x = [1, [2, {3: (4, [5])}]]; y = copy.deepcopy(x); y[1][1][3][1].append(6); print(x, y, copy.copy(x)[1] is x[1]); l = []; l.append(l); ll = copy.deepcopy(l); print(ll[0] is ll)
class DC:
    def __deepcopy__(self, memo): return "deep"
    def __copy__(self): return "shallow"
print(copy.deepcopy([DC()]), copy.copy(DC()), copy.deepcopy(d), copy.deepcopy(dd), copy.deepcopy(od), copy.deepcopy(p), copy.deepcopy(c), copy.copy({1: 2}), copy.deepcopy({1, 2}), copy.deepcopy(f) is f, copy.deepcopy(int) is int, copy.deepcopy(bytearray(b"x")), copy.copy(dd))
class Sl:
    __slots__ = ("a",)
s1 = Sl(); s1.a = [1]; s2 = copy.deepcopy(s1); print(s2.a, s2.a is s1.a); class_list = type("LL", (list,), {}); z = class_list([1]); z.attr = [5]; zz = copy.deepcopy(z); print(zz, type(zz).__name__, zz.attr); show(copy.deepcopy, (i for i in []))
import heapq, bisect
h = [5, 3, 8, 1]; heapq.heapify(h); heapq.heappush(h, 2); print(h, [heapq.heappop(h) for _ in range(5)]); show(heapq.heappop, []); print(heapq.nlargest(2, [1, 5, 3]), heapq.nsmallest(2, [1, 5, 3], key=lambda v: -v), list(heapq.merge([1, 4], [2, 3])), heapq.heappushpop([2, 3], 1), heapq.heapreplace([2, 3], 9))
print(bisect.bisect([1, 2, 2, 3], 2), bisect.bisect_left([1, 2, 2, 3], 2), bisect.bisect([1, 2], 5, key=lambda v: v)); q = [1, 3]; bisect.insort(q, 2); print(q)
ud = collections.UserDict(a=1); ud["b"] = 2; print(ud, len(ud), collections.UserList([1, 2])[0])
