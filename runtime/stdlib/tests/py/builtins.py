# Builtin functions: results and errors.
def show(f, *a, **k):
    try:
        print(repr(f(*a, **k)))
    except Exception as e:
        print(type(e).__name__, e)

print(1, 2.5, "x", None, True, [1, "a"], (1,), {}, {1: 2}, sep=", ", end="!\n")
print(); print("", end=""); print("a", "b", sep="")
show(print, 1, sep=2); show(print, 1, end=2); show(print, 1, foo=2)
for a in [0, -5, 5.5, -0.0, True, 10**30, -10**30]: show(abs, a)
show(abs, "x"); show(abs)
for args in [(2.5,), (3.5,), (-2.5,), (2.675, 2), (1234.5678, -2), (0.5,), (1e300, 2), (12345, -2), (15, -1), (25, -1), (-15, -1), (True,), (2.5, 0), (1.15, 1), (1e16, -3), (5, 2), (float("nan"),), (float("inf"),), ("x",), (2.5, None), (0.1+0.2, 3), (-0.4,), (10**20+5, -1)]:
    show(round, *args)
for args in [(2, 10), (2, -1), (2, 10, 1000), (3, -1, 7), (2, -1, 4), (2.0, 3), (2, 0.5), (-8, 1/3), (0, -1), (2, 3, 0), (2.0, 3, 5), ("a", 2)]:
    show(pow, *args)
for args in [(7, 2), (-7, 2), (7, -2), (7.5, 2), (-7.5, 2), (1, 0), (1.0, 0), ("a", 1), (10**20, 7)]: show(divmod, *args)
show(sum, [1, 2, 3]); show(sum, [0.1] * 10); show(sum, [[1], [2]], []); show(sum, ["a"]); show(sum, ["a"], ""); show(sum, [1, 2], start=10); show(sum, 5)
show(min, 3, 1, 2); show(max, [3, 1, 2]); show(min, []); show(max, [], default=7); show(max, "abc", "abd"); show(min, [1, "a"]); show(max, [1, -3], key=abs); show(max, 1); show(min, 1, 2, default=3); show(min); show(max, 1.5, 2); show(min, [(1, "b"), (1, "a")])
show(sorted, [3, 1, 2]); show(sorted, "hello", reverse=True); show(sorted, ["b", "A"], key=str.lower); show(sorted, [1, "a"]); show(sorted, [(1, 2), (1, 1)]); show(sorted); show(sorted, [1], foo=1)
for f in (bin, oct, hex):
    for v in (0, 10, -255, True, 10**20): show(f, v)
    show(f, 1.5)
for v in (65, 0x1F600, -1, 0x110000): show(chr, v)
for v in ("a", "é", "😀", "", "ab", b"x", 5): show(ord, v)
show(len, [1, 2]); show(len, "héllo"); show(len, {}); show(len, range(5)); show(len, 5)
show(all, [1, 0]); show(all, []); show(any, [0, ""]); show(any, [0, 3]); show(any, 3)
show(list, enumerate("ab", 1)); show(list, zip([1, 2], "ab", [True])); show(list, zip()); show(list, map(lambda a, b: a + b, [1, 2], [3, 4, 5])); show(list, filter(None, [0, 1, "", "a"])); show(list, reversed([1, 2, 3])); show(list, reversed(range(5)))
show(list, zip([1], [1, 2], strict=True))
show(isinstance, 1, int); show(isinstance, True, int); show(isinstance, 1, (str, float)); show(isinstance, 1, int | str); show(isinstance, 1, 5); show(issubclass, bool, int); show(issubclass, 1, int)
class C:
    x = 1
    def __len__(self): return 3
    def __getitem__(self, i):
        if i > 2: raise IndexError
        return i * 10
    def __contains__(self, v): return v == "yes"
    def __repr__(self): return "C()"
    def __hash__(self): return 42
    def __call__(self, *a): return a
    def __round__(self, n=None): return ("round", n)
    def __abs__(self): return "abs"
    def __index__(self): return 7
    def __divmod__(self, o): return ("divmod", o)
    def __format__(self, spec): return f"<{spec}>"
    def __iter__(self): yield from (1, 2)
    def __reversed__(self): return iter([2, 1])
    def __bool__(self): return False
    def __int__(self): return 11
    def __float__(self): return 1.25
c = C()
show(getattr, c, "x"); show(getattr, c, "nope"); show(getattr, c, "nope", "dflt"); show(hasattr, c, "x"); show(hasattr, c, "y"); show(getattr, c, 5)
setattr(c, "y", 5); print(c.y); delattr(c, "y"); show(delattr, c, "y"); show(setattr, 5, "x", 1)
print(callable(c), callable(print), callable(5), callable(C), callable(lambda: 0))
print(hash(c), hash(1), hash(1.0), hash(2**61 - 1), hash(-1), hash(True), hash(None) == hash(None), hash((1, 2)) == hash((1, 2)), hash(0.5), hash(1e100), hash(10**30))
show(hash, []); show(hash, {}); show(hash, set())
print(repr(c), ascii("é\n"), format(3.14159, ".2f"), format(c, "abc"), format(1234567, ","), format("x", ">5"))
show(format, 5, "d%"); show(format, [], "x"); show(format, 1, 2)
print(abs(c), round(c), round(c, 2), divmod(c, 3), bin(c), hex(c), list(c), list(reversed(c)), len(c), bool(c), int(c), float(c), c(1, 2), "yes" in c, [1, 2, 3, 4, 5, 6, 7, 8][c])
it = iter([1, 2])
print(next(it), next(it), next(it, "end")); show(next, it); show(next, 5); show(iter, 5)
def gen():
    yield 1
    return "value"
g = gen(); next(g)
try: next(g)
except StopIteration as e: print("stop", e.value)
vals = iter([3, 2, 1, 0, 5])
print(list(iter(lambda: next(vals), 0)))
for args in [("12",), (" -12\n",), ("0x1f", 16), ("1f", 16), ("0b101", 0), ("z", 36), ("1_000",), ("",), ("1.5",), (1.9,), (-1.9,), ("12", 1), (None,), ([],), ("0o17", 0), (float("nan"),), (float("inf"),), (b"12",), ("९",), (12, 3), ("1" * 30,)]: show(int, *args)
for a in ["1.5", " 1e3 ", "inf", "-Infinity", "nan", "1_0.5", "", "abc", "1e400", "-0", None, "0x10", ".5", "5.", True, 10**400, b"2.5"]: show(float, a)
for args in [(), (1, 2), ("1+2j",), (1.5,), ("x",)]: show(complex, *args)
show(str, b"ab", "utf-8"); show(str, 5); show(str); show(bool, []); show(bool, "x"); show(list, "ab"); show(tuple, [1]); show(set, [1]); show(dict, [(1, 2)], a=3); show(dict, [1]); show(frozenset, [1]); show(bytes, 3); show(bytes, [1, 2]); show(bytes, "é", "utf-8"); show(bytes, "x"); show(bytearray, b"ab"); show(slice, 1, 2); show(range, 5); show(range, 1, 10, 3); show(range, 0, 5, 0); show(range, 1.5); show(object.__new__, int)
print(type(5), type("x").__name__, type(C), type(c) is C, type(None), type(print), type(lambda: 0))
D = type("D", (C,), {"z": 3}); print(D.__name__, D.z, D().x, D.__mro__)
print(eval("1 + 2 * x", {"x": 5})); ns = {}; exec("def f(a): return a + 1\ny = f(3)", ns); print(ns["y"]); show(eval, "1 +"); show(eval, "undefined_name")
code = compile("a * 2", "<s>", "eval"); print(eval(code, {"a": 21}))
def f():
    loc = 5
    return sorted(locals()), "show" in globals()
print(f()); print(vars(c)); show(vars, 5); print([n for n in dir(c) if not n.startswith("_")], "append" in dir([]), dir(type("E", (), {"q": 1})())[-1])
print(id(c) == id(c), id(1) == id(1), NotImplemented, ..., Ellipsis, __debug__, __name__)
class P:
    def __init__(self): self._v = 1
    @property
    def v(self): "doc v"; return self._v
    @v.setter
    def v(self, n): self._v = n
    @v.deleter
    def v(self): self._v = None
    @classmethod
    def cm(cls, a=1): return cls.__name__, a
    @staticmethod
    def sm(a): return a
p = P(); p.v = 9; print(p.v, P.cm(2), P.sm(3), p.cm(), P.v.__doc__); del p.v; print(p.v)
class RO:
    @property
    def q(self): return 1
try: RO().q = 5
except AttributeError as e: print(e)
import builtins
print(builtins.len is len, builtins.print is print, "len" in dir(builtins))
