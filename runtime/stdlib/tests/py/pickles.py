# pickle: what is written can be read back, here and by CPython; what CPython wrote can be read.
import pickle, io, collections, enum, dataclasses, functools, datetime, copyreg
def show(f, *a, **k):
    try:
        print(repr(f(*a, **k)))
    except Exception as e:
        print(type(e).__name__, str(e).split(" at 0x")[0])
class P:
    def __init__(self, x): self.x = x
    def __eq__(self, o): return self.x == o.x
class S:
    __slots__ = ("a", "b")
class G:
    def __init__(self): self.a, self.b = 1, 2
    def __getstate__(self): return {"a": self.a}
    def __setstate__(self, s): self.a = s["a"]; self.b = "restored"
class R:
    def __reduce__(self): return (P, (7,))
class L(list): pass
class E(enum.Enum): A = 1
@dataclasses.dataclass
class D:
    x: int
    y: list
NT = collections.namedtuple("NT", "a b")
def func(x): return x
rec = [1]; rec.append(rec)
values = [None, True, False, 0, -1, 255, 256, 65536, 2**31, -2**31, 2**63, -2**100, 1.5, float("inf"), "", "héllo", "x" * 300, b"", b"\x00\xff" * 200, bytearray(b"ab"), (), (1,), (1, 2), (1, 2, 3), (1, 2, 3, 4), [], [1, [2, [3]]], {}, {"a": {"b": [1]}}, set(), {1, 2}, frozenset([1]), range(5), slice(1, 2), complex(1, 2), len, int, P, func, E.A, NT(1, 2), D(1, [2]), collections.OrderedDict(a=1), collections.defaultdict(list, {"k": [1]}), collections.Counter("aab"), collections.deque([1, 2], maxlen=3), datetime.datetime(2024, 1, 2, 3), datetime.timedelta(1), [1] * 2500, {i: i for i in range(1200)}, ValueError("v", 1), functools.partial(func, 1), NotImplemented, ...]
for v in values:
    for proto in (2, 3, 4, 5):
        try:
            w = pickle.loads(pickle.dumps(v, protocol=proto))
        except Exception as e:
            print("FAILED", proto, type(v).__name__, type(e).__name__, e); continue
        if isinstance(v, Exception): same = w.args == v.args and type(w) is type(v)
        elif isinstance(v, functools.partial): same = w.func is v.func and w.args == v.args
        else: same = w == v and type(w) is type(v)
        if not same: print("DIFFERENT", proto, v, w)
r2 = pickle.loads(pickle.dumps(rec)); print(r2[0], r2[1] is r2)
p = pickle.loads(pickle.dumps(P([1, 2]))); print(p.x, pickle.loads(pickle.dumps(R())).x, pickle.loads(pickle.dumps(G())).b)
s = S(); s.a = 5; s2 = pickle.loads(pickle.dumps(s)); print(s2.a, hasattr(s2, "b")); l = L([1]); l.attr = 2; l2 = pickle.loads(pickle.dumps(l)); print(l2, l2.attr, type(l2).__name__)
shared = [1]; a, b = pickle.loads(pickle.dumps((shared, shared))); print(a is b)
f = io.BytesIO(); pickle.dump({"a": 1}, f); pickle.dump([2], f, protocol=pickle.HIGHEST_PROTOCOL); f.seek(0); print(pickle.load(f), pickle.load(f)); show(pickle.load, f)
for data in (b"(dp0\nS'a'\np1\nI1\ns.", b"\x80\x02]q\x00(K\x01G?\xf8\x00\x00\x00\x00\x00\x00U\x03abcq\x01e.", b"(lp0\nI1\naF1.5\naVx\np1\naI01\naL5L\na.", b"cbuiltins\nlen\n.", b"\x80\x03cbuiltins\nset\nq\x00]q\x01K\x01a\x85q\x02Rq\x03."): show(pickle.loads, data)
show(pickle.loads, b""); show(pickle.loads, b"zzz"); show(pickle.loads, "x"); show(pickle.dumps, lambda: 0); show(pickle.dumps, (i for i in [])); show(pickle.dumps, 1, protocol=99); print(pickle.HIGHEST_PROTOCOL, pickle.DEFAULT_PROTOCOL)
class PP(pickle.Pickler):
    def persistent_id(self, obj): return "pid" if isinstance(obj, P) else None
class PU(pickle.Unpickler):
    def persistent_load(self, pid): return ("loaded", pid)
    def find_class(self, module, name): return super().find_class(module, name)
f = io.BytesIO(); PP(f, 2).dump([P(1), 2]); print(PU(io.BytesIO(f.getvalue())).load())
