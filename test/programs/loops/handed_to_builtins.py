# Generator expressions that a built-in is handed and is through with: their loops are part of the function, and nobody can
# tell.
import sys
import traceback


def folds(rows, n):
    a = sum(x * y for x, y in rows if x != n)
    b = any(x > n for x, _ in rows)
    c = all(y for _, y in rows)
    d = sum(sum(v * k for v in row) for k, row in enumerate(rows))
    e = sum(x / 2 for x, _ in rows), sum(x == 1 for x, _ in rows)
    return a, b, c, d, e


def collects(text, rows):
    return (
        list(c for c in text if c.isalpha()),
        tuple(c * 2 for c in text),
        sorted(-x for x, _ in rows),
        sorted(set(c.lower() for c in text)),
        frozenset(y for _, y in rows) == {2, 4},
        ", ".join(f"{x}:{y}" for x, y in rows),
        "".join(c for c in reversed(text) if c not in "aeiou"),
        list((x, z) for x, _ in rows for z in range(x) if any(z == w for w in (1, 2))),
    )


for i in range(300):
    r = folds([(1, 2), (3, 4)], i % 5)
    s = collects("Hello, you", [(1, 2), (3, 4)])
print(r, s)


class Loud:
    def __init__(self, name, truth):
        self.name, self.truth = name, truth

    def __bool__(self):
        print("asked", self.name)
        return self.truth

    def __radd__(self, other):
        print("added to", other)
        return 10

    def __hash__(self):
        raise TypeError(f"no hash of {self.name}")


def asks(items):
    return any(item for item in items), all(item for item in items)


print(asks([Loud("a", False), Loud("b", True), Loud("c", True)]))
print(sum(x for x in [Loud("d", 1)]))


def tries(what, *args):
    try:
        return what(*args)
    except Exception as e:
        lines = traceback.format_exc().splitlines()
        return [line.split(", line")[-1] for line in lines[1:]], repr(e.__cause__), repr(e.__context__)


def divides(xs):
    return sum(
        1 / x
        for x in xs
    )


def adds(xs):
    return sum(x for x in xs)


def hashes(xs):
    return set(x for x in xs)


def stops(iterator):
    return list(next(iterator) + x for x in range(5))


def stops_below(iterator):
    return any(all(next(iterator) < y for y in (9, 9)) for x in range(5) if not x)


def unpacks(xs):
    return tuple(a + b for a, b in xs)


def outermost(x):
    return all(y for y in x)


for i in range(2):
    print(tries(divides, [1, 0]))
    print(tries(adds, [1, "a"]))
    print(tries(adds, ["a"]))
    print(tries(hashes, [1, Loud("e", True)]))
    print(tries(stops, iter([1, 2])))
    print(tries(stops_below, iter([1])))
    print(tries(unpacks, [(1, 2), (3,)]))
    print(tries(outermost, 5))

# Who has the name of a built-in is asked each time.
KEPT = []


def keeps(generator):
    KEPT.append(generator)
    return type(generator).__name__


def shadowed(n):
    k = n
    r = sum(k * x for x in range(n)), sorted(str(x + n) for x in range(2)), any(any(x > y for y in range(n)) for x in (n,))
    return r


before = [shadowed(4) for _ in range(3)]
import builtins

saved = builtins.sum, builtins.any
builtins.sum = keeps
builtins.any = keeps
now = shadowed(4)
builtins.sum, builtins.any = saved
print(before[-1], now, [next(g) for g in KEPT], list(KEPT[0]), KEPT[0].gi_code.co_name)


def takes_all(all, values):
    return all(v for v in values)


print(takes_all(lambda g: [*g], (0, 1)))


# Variables of the function, of cells and of the loop are told apart.
def scopes(x, n):
    total = lambda: x
    y = 5
    found = any((last := x) > y for x in range(n))
    z = sum(x + y for x in range(n)) + sum(y * x for y in (1, 2))
    names = sorted(k for k in locals() if "." in k or "<" in k)
    return x, total(), y, z, found, last, names


print(scopes(7, 4))


class C:
    tags = ["p", "q"]
    both = ", ".join(t for t in tags)
    __secret = 3

    def m(self):
        return sum(self.__secret for __x in self.tags), tuple(type(self).__name__ for _ in "ab")


print(C.both, C().m())


# What ends early lets go of its iterators.
class Closing:
    def __iter__(self):
        return self

    def __next__(self):
        return 1

    def __del__(self):
        print("let go")


def early():
    r = any(x for x in Closing())
    print("after")
    return r


print(early())


def numbers():
    try:
        for i in range(5):
            yield i
    finally:
        print("closed")


def early_in_generator():
    r = all(x < 2 for x in numbers())
    print("after")
    return r


print(early_in_generator())


def in_try(xs):
    try:
        return list(10 // x for x in xs)
    except ZeroDivisionError:
        return "zero"
    finally:
        xs.append(1)


xs = [1, 0]
print(in_try(xs), xs)


async def waits(xs):
    return [sum(x for x in xs), "-".join(str(x) for x in xs)]


try:
    waits([1, 2]).send(None)
except StopIteration as e:
    print(e.value)
print(sum(x for x in range(4)), max(x for x in (3, 9)), list(map(str, (x for x in "ab"))))
