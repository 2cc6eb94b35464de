"""What single operations of Python cost: prints a line `name<TAB>nanoseconds` for each.

    python operations.py [MILLISECONDS [NAME ...]]

Each is the body of a loop over a range inside a function, whose own cost counts. The time is CPU time, the least of
several short runs. `cargo bench -p janus-jit --bench operations` runs this under CPython and here, in turns.
"""

import sys
import time

CLASSES = """
from dataclasses import dataclass
class Point:
    def __init__(self, x, y):
        self.x = x
        self.y = y
    def same(self, a):
        return a
    def total(self):
        return self.x + self.y
    @property
    def half(self):
        return self.x
    @staticmethod
    def static(a):
        return a
    @classmethod
    def of(cls, a):
        return a
    def __add__(self, other):
        return other
    def __eq__(self, other):
        return self is other
    def __hash__(self):
        return 7
    def __len__(self):
        return 3
    def __getitem__(self, i):
        return i
    def __call__(self, a):
        return a
class Child(Point):
    def __init__(self, x, y):
        super().__init__(x, y)
    def same(self, a):
        return super().same(a)
class Slots:
    __slots__ = ("x", "y")
    def __init__(self, x, y):
        self.x = x
        self.y = y
@dataclass
class Data:
    x: int
    y: int = 0
class Empty:
    pass
class Manager:
    def __enter__(self):
        return self
    def __exit__(self, *a):
        return None
def f0():
    return None
def f1(a):
    return a
def f2(a, b):
    return a
def f3(a, b, c):
    return a
def defaults(a, b=1, c=2):
    return a
def only(a, *, b=1):
    return a
def star(*args):
    return args
def keys(**kw):
    return kw
def count(n):
    k = 0
    while k < n:
        yield k
        k += 1
def chain(n):
    yield from count(n)
def closure(v):
    def inner(a):
        return a
    def reads():
        return v
    def writes():
        nonlocal v
        v += 1
    return inner, reads, writes
TOTAL = 0
def store_global():
    global TOTAL
    TOTAL = 1
"""

# Name, preparation (locals of the function), body.
OPERATIONS = [
    ("loop", "", "pass"),
    ("while", "k = 0", "k = 0\nwhile k < 10:\n    k += 1"),
    ("int +=", "s = 0", "s += i"),
    ("int * - //", "s = 0", "s = (i * 3 - 1) // 7 % 5"),
    ("int & | ^ <<", "s = 0", "s = (i & 255 | 3) ^ (1 << 4)"),
    ("float", "x = 1.5", "x = x * 0.5 + 1.25 - x / 3.0"),
    ("float ** abs round", "x = 1.5", "abs(-x) ** 0.5"),
    ("bigint", "b = 1 << 200; c = 3 ** 50", "b * c + b"),
    ("compare chain", "a = 0", "a < i <= 10 ** 9"),
    ("and or not", "a = 0", "(a and i) or not a"),
    ("str ==", "s = 'abc'; t = 'abd'", "s == t"),
    ("is None", "a = None", "a is None"),
    ("if elif", "a = 3", "if a == 1: pass\nelif a == 2: pass\nelif a == 3: pass"),
    ("global load", "", "f0"),
    ("global store", "", "store_global()"),
    ("attribute load", "p = Point(1, 2)", "p.x"),
    ("attribute store", "p = Point(1, 2)", "p.x = i"),
    ("attribute +=", "p = Point(1.0, 2)", "p.x += 1.0"),
    ("slots load store", "p = Slots(1, 2)", "p.x = p.y"),
    ("class attribute", "", "Point.same"),
    ("property", "p = Point(1, 2)", "p.half"),
    ("method", "p = Point(1, 2)", "p.same(i)"),
    ("method of attributes", "p = Point(1, 2)", "p.total()"),
    ("bound method", "m = Point(1, 2).same", "m(i)"),
    ("static class method", "p = Point(1, 2)", "p.static(i); Point.of(i)"),
    ("super method", "p = Child(1, 2)", "p.same(i)"),
    ("operator method", "p = Point(1, 2)", "p + p"),
    ("__getitem__", "p = Point(1, 2)", "p[i]"),
    ("__call__", "p = Point(1, 2)", "p(i)"),
    ("__len__", "p = Point(1, 2)", "len(p)"),
    ("call 0", "", "f0()"),
    ("call 1", "", "f1(i)"),
    ("call 2", "", "f2(i, i)"),
    ("call 3", "", "f3(i, i, i)"),
    ("call defaults", "", "defaults(i)"),
    ("call keywords", "", "f3(i, b=2, c=3)"),
    ("call keyword-only", "", "only(i, b=2)"),
    ("call *args", "t = (1, 2, 3)", "f3(*t)"),
    ("call to *args", "", "star(i, i)"),
    ("call to **kw", "", "keys(a=i, b=2)"),
    ("closure", "g = closure(3)[0]", "g(i)"),
    ("free variable", "g = closure(3)[1]", "g()"),
    ("nonlocal", "g = closure(3)[2]", "g()"),
    ("make closure", "", "closure(i)"),
    ("lambda", "g = lambda a: a", "g(i)"),
    ("object", "", "Empty()"),
    ("object with __init__", "", "Point(i, 2)"),
    ("object with super().__init__", "", "Child(i, 2)"),
    ("slots object", "", "Slots(i, 2)"),
    ("dataclass", "", "Data(i)"),
    ("dict get item", "d = {k: k for k in range(20)}", "d[7]"),
    ("dict set item", "d = {}", "d[i & 15] = i"),
    ("dict str keys", "d = {'abc': 1, 'b': 2}", "d['abc']"),
    ("dict in", "d = {k: k for k in range(20)}", "i in d"),
    ("dict .get", "d = {k: k for k in range(20)}; k = 3", "d[k] = d.get(k, 0) + 1"),
    ("dict tuple keys", "d = {(k, 1): k for k in range(20)}", "d[3, 1]"),
    ("dict items", "d = {k: k for k in range(10)}", "for k, v in d.items(): pass"),
    ("dict literal", "", "{'a': i, 'b': 2}"),
    ("dict comprehension", "", "{k: k for k in range(10)}"),
    ("list append pop", "l = []", "l.append(i); l.pop()"),
    ("list item", "l = [1, 2, 3]", "l[1]"),
    ("list store", "l = [1, 2, 3]", "l[1] = i"),
    ("list [-1]", "l = [1, 2, 3]", "l[-1]"),
    ("list slice", "l = list(range(10))", "l[2:5]"),
    ("list of lists", "l = [[1, 2], [3, 4]]", "l[1][0] += 1"),
    ("list literal", "", "[i, 2, 3]"),
    ("list +", "l = [1, 2, 3]", "l + l"),
    ("list in", "l = list(range(10))", "5 in l"),
    ("list comprehension", "", "[k for k in range(10)]"),
    ("list for", "l = list(range(10))", "for x in l: pass"),
    ("list sort", "l = [3, 1, 2, 5, 4]", "sorted(l)"),
    ("sorted key", "l = [3, 1, 2, 5, 4]", "sorted(l, key=lambda v: -v)"),
    ("set ops", "a = {1, 2, 3}; b = {3, 4}", "a & b"),
    ("set add in", "a = set()", "a.add(i & 15); 3 in a"),
    ("tuple", "", "(i, 2, 3)"),
    ("tuple unpack", "t = (1, 2, 3)", "a, b, c = t"),
    ("swap", "a = 1; b = 2", "a, b = b, a"),
    ("str +", "s = 'abc'", "s + 'def'"),
    ("str +=", "s = ''", "s += 'x'\nif i & 63 == 0: s = ''"),
    ("str %", "", "'%d of %s' % (i, 'abc')"),
    ("str .format", "", "'{} of {}'.format(i, 'abc')"),
    ("f-string", "s = 'abc'", "f'{i} of {s}'"),
    ("str join", "l = ['a', 'bc', 'def']", "','.join(l)"),
    ("str split", "s = 'a,bc,def'", "s.split(',')"),
    ("str item slice", "s = 'abcdef'", "s[2]; s[1:4]"),
    ("str for", "s = 'abcdefghij'", "for c in s: pass"),
    ("str methods", "s = ' aBc '", "s.strip().lower().startswith('a')"),
    ("str in", "s = 'abcdef'", "'cd' in s"),
    ("ord chr", "", "chr(ord('a') + 1)"),
    ("str(int)", "", "str(i)"),
    ("int(str)", "s = '12345'", "int(s)"),
    ("float(str)", "s = '1.25'", "float(s)"),
    ("len", "l = [1, 2, 3]", "len(l)"),
    ("isinstance", "p = Point(1, 2)", "isinstance(p, Point)"),
    ("type is", "p = Point(1, 2)", "type(p) is Point"),
    ("min max", "a = 3", "min(a, i); max(a, i)"),
    ("min of list", "l = [3, 1, 2]", "min(l)"),
    ("sum", "l = list(range(10))", "sum(l)"),
    ("range", "", "range(i)"),
    ("enumerate", "l = list(range(10))", "for k, v in enumerate(l): pass"),
    ("zip", "l = list(range(10))", "for k, v in zip(l, l): pass"),
    ("map", "l = list(range(10))", "list(map(f1, l))"),
    ("generator", "", "for k in count(10): pass"),
    ("generator expression", "l = list(range(10))", "sum(k for k in l)"),
    ("yield from", "", "for k in chain(10): pass"),
    ("next", "g = count(1 << 60)", "next(g)"),
    ("any all", "l = [0] * 10", "any(v for v in l)"),
    ("try", "", "try: pass\nexcept ValueError: pass"),
    ("raise", "", "try: raise ValueError(1)\nexcept ValueError: pass"),
    ("raise from call", "d = {}", "try: d[1]\nexcept KeyError: pass"),
    ("with", "m = Manager()", "with m: pass"),
    ("getattr hasattr", "p = Point(1, 2)", "getattr(p, 'x'); hasattr(p, 'z')"),
    ("match", "a = 3", "match a:\n    case 1: pass\n    case 3: pass"),
]


def function(preparation, body):
    """A function that runs a body so many times and says how long that took."""
    lines = ["def run(n):"]
    lines += ["    " + line for line in preparation.split("\n") if line]
    lines += ["    begin = clock()", "    for i in range(n):"]
    lines += ["        " + line for line in body.split("\n")]
    lines += ["    return clock() - begin"]
    space = {"clock": time.process_time, "__name__": "__main__"}
    exec(CLASSES + "\n".join(lines), space)
    return space["run"]


def measure(run, seconds):
    """Nanoseconds of one iteration."""
    n = 20
    while run(n) < seconds / 4 and n < 1 << 24:
        n *= 2
    n *= 2
    best = min(run(n) for _ in range(8))
    return best / n * 1e9


def main():
    seconds = float(sys.argv[1]) / 1e3 if len(sys.argv) > 1 else 0.004
    wanted = sys.argv[2:]
    for name, preparation, body in OPERATIONS:
        if wanted and name not in wanted:
            continue
        print(f"{name}\t{measure(function(preparation, body), seconds):.1f}", flush=True)


main()
