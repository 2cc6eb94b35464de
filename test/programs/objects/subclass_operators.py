"""What classes derived from built-in types define is what hot code does: operators in both directions and in place,
`in`, `len`, `reversed`, comparisons, truth, items, iteration, text, keys."""
import torch
from collections import Counter, OrderedDict, deque, namedtuple
from typing import NamedTuple

STEPS = 30


def hot(make):
    """The result of the last of many steps, and whether all steps came to one text."""
    t = torch.ones(2)
    seen = set()
    for i in range(STEPS):
        t = t * 0.5 + 1.0
        r = make(t)
        s = t.sum()
        seen.add(repr(r))
    assert s.item() == 4.0
    return r, len(seen)


def each(names, make):
    """As `hot`, in a loop of its own for each expression."""
    for name in names:
        scope = dict(globals(), make=make)
        exec(LOOP.replace("EXPRESSION", name), scope)
        print(name, scope["run"]())


LOOP = """
def run():
    t = torch.ones(2)
    seen = set()
    for i in range(STEPS):
        t = t * 0.5 + 1.0
        x, b, o = make()
        r = EXPRESSION
        s = t.sum()
        seen.add(repr(r))
    return r, len(seen)
"""


def wrapper(base, **methods):
    return type("C", (base,), methods)


def named(name):
    def method(self, *args):
        return name, *(type(a).__name__ for a in args)
    return method


BINARY = {"add": "+", "sub": "-", "mul": "*", "mod": "%", "or": "|", "and": "&", "matmul": "@"}
WITH = {
    tuple: ((1, 2), (3,)),
    list: ([1, 2], [3]),
    dict: ({"a": 1}, {"b": 2}),
    OrderedDict: (OrderedDict(a=1), OrderedDict(b=2)),
    Counter: (Counter("ab"), Counter("b")),
}

for base, (b, o) in WITH.items():
    print(base.__name__)
    forward = wrapper(base, **{f"__{n}__": named(n) for n in BINARY})
    reflected = wrapper(base, **{f"__r{n}__": named("r" + n) for n in BINARY})
    in_place = wrapper(base, **{f"__i{n}__": named("i" + n) for n in BINARY})
    for op in BINARY.values():
        each([f"x {op} b", f"x {op} 2", f"x {op} x"], lambda: (forward(b), base(b), base(o)))
        each([f"b {op} x", f"2 {op} x", f"[7] {op} x"], lambda: (reflected(b), base(b), base(o)))
    for op in BINARY.values():
        scope = dict(globals(), make=lambda: (in_place(b), base(b), base(o)))
        exec(LOOP.replace("r = EXPRESSION", f"r = x; r {op}= b"), scope)
        print(f"x {op}= b", scope["run"]())
    asked = wrapper(
        base,
        __contains__=lambda self, v: "yes",
        __reversed__=lambda self: iter("re"),
        __neg__=named("neg"),
        __invert__=named("invert"),
        __bool__=lambda self: False,
    )
    each(
        ["1 in x", "1 not in x", "list(reversed(x))", "-x", "~x", "bool(x)", "not x", "x and 1", "x or 1",
         "'y' if x else 'n'", "[v for v in reversed(x)]", "any([x])", "all([x])"],
        lambda: (asked(b), base(b), base(o)),
    )
    equal = wrapper(base, __eq__=lambda self, other: other is None or "equal", __hash__=None)
    each(
        ["x == b", "b == x", "x == None", "None == x", "x == t", "x in [b]", "b in [x]", "[x] == [b]", "x == 5"],
        lambda: (equal(b), base(b), base(o)),
    )
    differ = wrapper(base, __eq__=lambda self, other: False)
    each(["x == b", "b == x", "x != b", "b != x", "[b].count(x)"], lambda: (differ(b), base(b), base(o)))
    sized = wrapper(base, __len__=lambda self: 7, __iter__=lambda self: iter([8, 9]))
    each(
        ["len(x)", "list(x)", "tuple(x)", "[*x]", "sum(x)", "max(x)", "sorted(x)", "list(zip(x, x))",
         "list(enumerate(x))", "x == b", "b == x"],
        lambda: (sized(b), base(b), base(o)),
    )
    shown = wrapper(base, __repr__=lambda self: "<repr>")
    each(["str(x)", "repr(x)", "f'{x}'", "f'{x!r:>8}'", "'%s' % (x,)", "[x]", "x.__str__()", "'{}'.format(x)"],
         lambda: (shown(b), base(b), base(o)))

for base in (dict, OrderedDict, Counter):
    missing = wrapper(base, __missing__=lambda self, k: ("missing", k))
    each(["x['z']", "x.__getitem__('z')", "x.get('z')", "'z' in x", "x['a']"],
         lambda: (missing({"a": 1}), {}, {}))


class Reflected:
    """Of no built-in type: asked before a sequence, and after a number."""

    def __radd__(self, other):
        return "radd", type(other).__name__

    def __rmul__(self, other):
        return "rmul", type(other).__name__

    def __ror__(self, other):
        return "ror", type(other).__name__

    def __eq__(self, other):
        return "eq", type(other).__name__

    def __lt__(self, other):
        return "lt", type(other).__name__


each(
    ["[1] + x", "(1,) + x", "[1] * x", "{} | x", "{1} | x", "3 + x", "2.5 * x", "None == x", "x == None", "x == t",
     "t == x", "i == x and 1", "[1] > x", "'a' > x", "t + x", "t * x", "t > x"],
    lambda: (Reflected(), 0, 0),
)


class OnlyReflected(list):
    def __radd__(self, other):
        return "radd"


each(["x + x", "b + x", "x + b"], lambda: (OnlyReflected([1]), [1], 0))


class Point(NamedTuple):
    x: float
    y: float = 2.0

    def __add__(self, other):
        return Point(self.x + other.x, self.y + other.y)

    def __radd__(self, other):
        return self if other == 0 else NotImplemented

    def __mul__(self, k):
        return Point(self.x * k, self.y * k)

    def __neg__(self):
        return self * -1

    def __bool__(self):
        return bool(self.x)

    def __contains__(self, v):
        return v == "in"

    def __lt__(self, other):
        return self.y < other.y

    def __getitem__(self, i):
        return "item", i

    @property
    def norm(self):
        return (self.x ** 2 + self.y ** 2) ** 0.5


each(
    ["x + x", "sum([x, x, x])", "x * 3", "-x", "bool(x)", "not o", "'in' in x", "1.0 in x", "x == Point(1.0)",
     "Point(1, 5) < x", "x[0]", "list(x)", "x.norm", "x._replace(x=5)", "x._asdict()", "max(x, o)", "sorted([x, o])",
     "Point(t.sum(), i)[1]", "[x.x, x.y]", "x + Point(t.sum(), 1)"],
    lambda: (Point(1.0, 2.0), 0, Point(0.0, 1.0)),
)


class Chatty(dict):
    def __setitem__(self, k, v):
        super().__setitem__(k, ("set", v))

    def __getitem__(self, k):
        return "got", super().__getitem__(k)

    def update(self, *args, **named):
        super().update(*args, **named)
        return "updated"


each(
    ["x['a']", "x.get('a')", "x.update(n=i * 0)", "dict(x)", "{**x}", "x.pop('a')", "x.setdefault('a', 5)",
     "x.setdefault('q', 5)", "sorted(x.items())", "list(x.values())"],
    lambda: (Chatty(a=1), 0, 0),
)


class Queue(deque):
    def __len__(self):
        return 99

    def append(self, v):
        super().append(v * 2)

    def __add__(self, other):
        return "sum"


each(["len(x)", "x + b", "x.append(4) or list(x)", "x == b", "b == x"],
     lambda: (Queue([1, 2]), deque([1, 2]), 0))


class Whole(int):
    def __add__(self, other):
        return "whole", other

    def __str__(self):
        return "whole"

    def __bool__(self):
        return False

    def __eq__(self, other):
        return "same"

    def __hash__(self):
        return 7


class Real(float):
    def __rmul__(self, other):
        return "real", other

    def __lt__(self, other):
        return "less"


class Word(str):
    def __len__(self):
        return 0

    def __mod__(self, other):
        return "mod"

    def __contains__(self, other):
        return True

    def __getitem__(self, i):
        return "letter"


each(["x + 1", "1 + x", "str(x)", "f'{x}'", "f'{x:>3}'", "bool(x)", "x == 5", "5 == x", "x in [5]", "{5: 1}.get(x)",
      "t * 1 + (x or 0)", "[x] == [5]"], lambda: (Whole(5), 0, 0))
each(["2.0 * x", "x * 2.0", "x < 3", "3 > x", "x <= 3", "{2.5: 'a'}[x]"], lambda: (Real(2.5), 0, 0))
each(["len(x)", "bool(x)", "x % 5", "'q' in x", "x[0]", "x == 'abc'", "{'abc': 1}[x]", "'%s' % x", "x + 'd'"],
     lambda: (Word("abc"), 0, 0))


class Key(float):
    def __hash__(self):
        return super().__hash__()


def keys():
    t = torch.ones(2)
    for i in range(STEPS):
        t = t * 0.5 + 1.0
        x = Key(2.5)
        d = {}
        d[x] = 1
        d[2.5] = 2
        s = {x}
        s.add(2.5)
        r = len(d), type(next(iter(d))).__name__, len(s), 2.5 in s, d.get(2.5)
    return r, t


print(keys())
