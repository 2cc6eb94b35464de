# Functions that are made anew each time that the one around them runs, called and run often: recursion through a cell, variables
# that are shared, what is not as it was, and who is alive.
import gc
import sys
import weakref


def fib_in(n):
    def fib(k):
        return k if k < 2 else fib(k - 1) + fib(k - 2)

    return fib(n)


def memo_in(n):
    memo = {}

    def value(k):
        if k < 2:
            return k
        if k in memo:
            return memo[k]
        result = value(k - 1) + value(k - 2)
        memo[k] = result
        return result

    return value(n)


def counted(n):
    calls = 0
    deepest = 0

    def go(k, depth):
        nonlocal calls, deepest
        calls += 1
        if depth > deepest:
            deepest = depth
        if k > 1:
            go(k // 2, depth + 1)
            go(k - k // 2, depth + 1)

    go(n, 0)
    return calls, deepest


def flood(grid):
    rows, cols = len(grid), len(grid[0])
    seen = set()

    def visit(r, c):
        if r < 0 or c < 0 or r >= rows or c >= cols or not grid[r][c] or (r, c) in seen:
            return 0
        seen.add((r, c))
        return 1 + visit(r + 1, c) + visit(r - 1, c) + visit(r, c + 1) + visit(r, c - 1)

    return max(visit(r, c) for r in range(rows) for c in range(cols))


def orders(items):
    found = []

    def go(at):
        if at == len(items):
            found.append(items[:])
            return
        for other in range(at, len(items)):
            items[at], items[other] = items[other], items[at]
            go(at + 1)
            items[at], items[other] = items[other], items[at]

    go(0)
    return found


print([fib_in(k) for k in range(18)], sum(fib_in(12) for _ in range(200)))
print(sum(memo_in(40) for _ in range(300)), memo_in(100), memo_in(300) % 10**9)
print(counted(1000), sum(counted(30)[0] for _ in range(200)))
field = [[(r * 7 + c * 3) % 5 != 0 for c in range(12)] for r in range(12)]
print([flood(field) for _ in range(60)][-1], len(orders(list(range(6)))), orders([1, 2, 3])[-1])


# Numbers leave 64 bits, and types change, in the midst of a recursion that was compiled for ints.
def powers(base, depth):
    def power(k):
        if k == 0:
            return 1
        return base * power(k - 1)

    return power(depth)


print([powers(3, 30) for _ in range(100)][-1], powers(3, 60), powers(1.5, 20), powers("ab", 1) if False else powers(True, 5))
try:
    powers([1], 3) and powers([1], 3) * powers({}, 3)
except TypeError as e:
    print(type(e).__name__, e)


# What is raised, and where it is caught.
def search(limit):
    steps = []

    def descend(k):
        steps.append(k)
        if k == limit:
            raise LookupError(k)
        try:
            descend(k + 1)
        except LookupError as e:
            steps.append(-k)
            if k == 2:
                return "caught at 2"
            raise
        finally:
            steps.append(0)

    try:
        return descend(0), len(steps)
    except LookupError as e:
        return type(e).__name__, e.args, sum(steps)


print([search(k) for k in (1, 3, 9)], [search(20) for _ in range(150)][-1])


# A variable that is not set yet, or not any more.
def early(flag):
    def read():
        return late

    if flag:
        late = 5
    try:
        return read()
    except NameError as e:
        return f"{type(e).__name__}: {e}"


print([early(k % 50 != 49) for k in range(200)].count(5), early(False))


def undone(k):
    value = k

    def again(times):
        nonlocal value
        if times == 0:
            del value
            return None
        value = value + 1
        return again(times - 1)

    again(3)
    try:
        return value
    except NameError as e:
        return str(e)


print({undone(k) for k in range(150)})


# Other code, other defaults and other globals in the place of what was called so far.
def twice(a, b=10):
    return a + b


def make(which, offset):
    def plain(a):
        return a + offset

    def negative(a):
        return -a - offset

    def given(a, extra=100):
        return a + extra + offset

    chosen = (plain, negative, given)[which]

    def call(a):
        return chosen(a)

    return sum(call(k) for k in range(20))


print([make(0, k) for k in range(100)][-1], [make(k % 3, k) for k in range(30)])


def changed(k):
    def inner(a):
        return a + k

    def other(a):
        return a * k

    total = 0
    for step in range(30):
        if step == 20 and k % 10 == 9:
            inner.__code__ = other.__code__
        total += inner(step)
    return total


print([changed(k) for k in (1, 2, 9, 19)], sum(changed(k) for k in range(100)))

space = {}
exec("def outer(k):\n    def inner(a):\n        return a + base\n    return [inner(n) for n in range(k)]\n", space)
totals = []
for base in (1, 2.5, 3):
    space["base"] = base
    totals.append([sum(space["outer"](10)) for _ in range(60)][-1])
print(totals)


# A function that lets go of itself while it runs.
class Held:
    def __init__(self, log):
        self.log = log

    def __del__(self):
        self.log.append("gone")


def last(log):
    held = Held(log)

    def itself(k):
        nonlocal itself
        if k == 3:
            itself = None
            gc.collect()
            log.append("still")
            return held is not None
        return itself(k + 1)

    return itself(0)


log = []
print([last(log) for _ in range(60)].count(True), log[:4], log.count("gone"))


# Frames, arguments by name, and functions in functions in functions.
def frames(k):
    def inner(a, *, b):
        if a == 0:
            names = []
            frame = sys._getframe()
            while frame.f_code.co_name != "<module>":
                names.append(frame.f_code.co_name)
                frame = frame.f_back
            return names + [b]
        return inner(a - 1, b=b)

    return inner(k, b=k)


print([frames(3) for _ in range(100)][-1])


def layers(n):
    total = 0

    def first(a):
        def second(b):
            def third(c):
                nonlocal total
                total += a * b - c
                return total

            return third(b + 1)

        return second(a + 1)

    for k in range(n):
        first(k)
    return total


print([layers(20) for _ in range(50)][-1], layers(200))


# A loop in the function around calls what assigns the variables that the loop uses.
def shared(n):
    count = 0
    sizes = []

    def bump(by):
        nonlocal count
        count += by
        if by == 3:
            sizes.append(count)

    for k in range(n):
        before = count
        bump(k % 5)
        if count - before != k % 5:
            return "lost"
    return count, sizes[-1] if sizes else None


print([shared(100) for _ in range(40)][-1], shared(3000))


def kinds(n):
    value = 0

    def put(new):
        nonlocal value
        value = new

    def get():
        return value

    seen = []
    for k in range(n):
        put(k if k % 7 else str(k))
        seen.append(get())
    return sum(len(s) if isinstance(s, str) else 1 for s in seen)


print([kinds(50) for _ in range(60)][-1], kinds(700))


# Local classes, whose methods are nested, too.
def local_class(n):
    class Base:
        def value(self):
            return n

    class Derived(Base):
        def value(self):
            return super().value() + 1

    objects = [Base(), Derived()]
    return sum(objects[k & 1].value() for k in range(n))


print([local_class(40) for _ in range(60)][-1])


# Callables in variables: others than those of the first time.
def apply(f, values):
    return [f(v) for v in values]


def square(v):
    return v * v


class Adder:
    def __init__(self, by):
        self.by = by

    def __call__(self, v):
        return v + self.by

    def method(self, v):
        return v - self.by


one = Adder(1)
for f in (square, abs, str, lambda v: -v, one, one.method, float, Adder, twice):
    result = [apply(f, range(5)) for _ in range(80)][-1]
    print([r.by if isinstance(r, Adder) else r for r in result])


def compose(*fs):
    def inner(x):
        for f in fs:
            x = f(x)
        return x

    return inner


print([compose(lambda x: x + 1, lambda x: x * 2, abs)(k) for k in range(-100, 100)][:5])
dead = []


def transient(k):
    def inner(a):
        return a + k

    dead.append(weakref.ref(inner))
    return inner(1)


print(sum(transient(k) for k in range(300)), sum(ref() is None for ref in dead))
print(hex(fib_in.__code__.co_flags), hex(compose().__code__.co_flags), hex(Adder.method.__code__.co_flags))
