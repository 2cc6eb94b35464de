# Built-in functions, operators and iterators in loops that are compiled: their short ways, and where these end.
import sys


def points(text):
    total = 0
    for c in text * 40:
        total += ord(c)
        if chr(ord(c)) != c:
            return "differs"
    return total


print(points("abcäß€😀\ud800"), points(""))


def codes(numbers):
    found = []
    for n in numbers:
        try:
            found.append(chr(n))
        except (ValueError, OverflowError) as e:
            found.append(type(e).__name__)
    return found


print([codes([65, 228, 8364, 128512, 55296, 1114111, 1114112, -1, 10**30]) for _ in range(80)][-1])


def ords(values):
    found = []
    for v in values:
        try:
            found.append(ord(v))
        except TypeError as e:
            found.append(str(e))
    return found


print([ords(["a", "é", "ab", "", b"x", b"xy", 5, None]) for _ in range(80)][-1])


class Base:
    pass


class Meta(type):
    def __call__(cls, *args):
        made = super().__call__()
        made.args = args
        return made


class Derived(Base, metaclass=Meta):
    pass


class Text(str):
    def __add__(self, other):
        return "Text+" + str(other)


class Numbers(list):
    def __add__(self, other):
        return ("sum", len(self), len(other))


def kinds(values):
    names = {}
    bases = 0
    for v in values * 60:
        t = type(v)
        names[t.__name__] = names.get(t.__name__, 0) + 1
        if type(v) is Base or type(v) == Derived:
            bases += 1
        if t in (int, float):
            names["numbers"] = names.get("numbers", 0) + type(v)(1)
    return names, bases


print(kinds([1, 2.5, True, None, "a", b"b", (1,), [2], {3: 4}, {5}, Base(), Derived(), len, print, sys, Base, range(3), 10**30, 1j]))


def classes(n):
    alive = []
    for k in range(n):
        cls = type("Made", (), {"k": k})
        obj = cls()
        alive.append(type(obj).k)
        del cls, obj
    return sum(alive)


print(classes(300))


def texts(parts):
    out = ""
    total = 0
    for p in parts * 50:
        out = out + p
        out += p
        total += len(out)
        if len(out) > 100:
            out = ""
    return total, out


print(texts(["a", "", "bcä", "x" * 30]), texts([Text("t"), "u"]))


def lists(a, b):
    r = None
    for _ in range(200):
        r = a + b
    return r, r is a


print(lists([1, "x"], [2.5, None]), lists([], []), lists(Numbers([1]), [2]), lists((1,), (2, 3)))
try:
    lists([1], (2,))
except TypeError as e:
    print(e)


def conversions(words):
    out = []
    for w in words * 30:
        try:
            out.append(float(w))
        except ValueError as e:
            out.append(str(e))
        try:
            out.append(int(w))
        except ValueError as e:
            out.append(str(e))
        out.append(str(w) + str(len(out)) + repr(w) + f"{w!r:>6}|{len(out):03d}|{w}")
        out.append(bool(w))
    return out[-16:], len(out)


print(conversions(["1", " 2 ", "2.5", "x", "", "1_000", "nan"]))


def pairs(a, b):
    found = []
    for x, y in zip(a, b):
        found.append((x, y))
    for n, x in enumerate(a, 10):
        found.append((n, x))
    for n, (x, y) in enumerate(zip(b, a)):
        found.append((n, y, x))
    return found


for _ in range(80):
    result = pairs([1, 2, 3], ("a", "b"))
print(result)
print([pairs(range(2), [0.5]) for _ in range(80)][-1], [pairs("xyz", {1: 2, 3: 4}) for _ in range(80)][-1])


def same(values):
    it = iter(values)
    return [(x, y) for x, y in zip(it, it)], list(it)


print([same(list(range(7))) for _ in range(100)][-1], [same(range(4)) for _ in range(100)][-1])


def growing(n):
    values = [1, 2, 3]
    found = []
    for x, y in zip(values, range(n)):
        found.append(x + y)
        if len(values) < n:
            values.append(x + 1)
        else:
            values.clear()
    it = iter(values)
    counts = []
    for x, y in zip(iter([1, 2, 3, 4]), it):
        counts.append((x, y))
    return len(found), sum(found), counts


print([growing(40) for _ in range(60)][-1])


def shorter(a, b):
    first, second = iter(a), iter(b)
    for x, y in zip(first, second):
        pass
    return next(first, "end"), next(second, "end")


print([shorter([1, 2, 3], [4, 5]) for _ in range(90)][-1], [shorter((1, 2), [4, 5, 6]) for _ in range(90)][-1])


def characters(text):
    found = {}
    for c in text:
        found[c] = found.get(c, 0) + 1
    for n, c in enumerate(text):
        found[n] = c
    return found


print([characters("aäa€😀b") for _ in range(90)][-1])


class Odd:
    def __init__(self, k):
        self.k = k

    def __hash__(self):
        if self.k == 3:
            raise ValueError("no hash")
        return self.k

    def __eq__(self, other):
        return isinstance(other, Odd) and self.k == other.k

    def __repr__(self):
        return f"Odd({self.k})"


def sets(n):
    found = set()
    kept = {}
    for k in range(n):
        o = Odd(k % 5)
        try:
            found.add(o)
            kept |= {o: k}
            kept[o, k % 2] = {o, k % 3}
        except ValueError as e:
            kept["error"] = str(e)
    return sorted(found, key=lambda o: o.k), {str(k): v for k, v in kept.items() if not isinstance(k, tuple)}


print(sets(300))
print([{Odd(k % 3) for k in range(9)} == {Odd(0), Odd(1), Odd(2)} for _ in range(60)].count(True))
try:
    for _ in range(100):
        {Odd(k): k for k in range(3)}
    {Odd(k): k for k in range(4)}
except ValueError as e:
    print(e, e.__traceback__.tb_lineno - e.__traceback__.tb_next.tb_lineno)

# A namespace that is any dict, and one with very many names: what code takes for constant is looked at again.
plain = {}
exec(
    """
def helper(x): return x + 1
def run(n):
    total = 0
    for k in range(n):
        total += helper(k)
        total += len(str(k))
        if k == 500: change()
    return total
def change():
    global helper
    helper = other
def other(x): return -x
""",
    plain,
)
print(plain["run"](400), plain["run"](1000), plain["run"](400))
plain["helper"] = lambda x: x * 2
print(plain["run"](300))
del plain["helper"]
try:
    plain["run"](300)
except NameError as e:
    print(e)
many = {f"name_{k}": k for k in range(3000)}
exec("def run(n):\n    t = 0\n    for k in range(n):\n        t += name_2999 + size('ab')\n    return t\ndef size(x):\n    return len(x)\n", many)
print(many["run"](1000))
many["name_2999"] = 0.5
many["size"] = lambda x: 7
print(many["run"](1000))
many["len"] = lambda x: 100
exec("def size(x):\n    return len(x)\n", many)
print(many["run"](1000))
del many["len"]
print(many["run"](1000))


# What there is but one of, wherever it comes from.
def ones(values):
    found = 0
    for v in values * 40:
        found += v is ...
        found += 10 * (v is NotImplemented) + 100 * (v is None) + 1000 * (v is True)
        found += sum(10000 for other in values if other is v)
    return found


print(ones([1, ..., None, True, NotImplemented, slice(1), 2.5]), [[...] + [k] for k in range(3)][2][0] is ...)


def dots(n):
    made = []
    for k in range(n):
        made = [..., k, NotImplemented] + [(..., k)]
    return made, {...: k}.get(...)


print([dots(30) for _ in range(100)][-1])
