# Natives that go through a generator run it without leaving it; what scripts see between two values is as it was.
import sys


def numbers(n, log=None):
    try:
        for k in range(n):
            if log is not None:
                log.append(k)
            yield k
    finally:
        if log is not None:
            log.append("end")


print(sum(numbers(10)), sum(numbers(10), 0.5), sum(x * 0.5 for x in numbers(5)))
print(sum((2**62 for _ in range(4))), sum(([k] for k in range(3)), []))
print(any(x > 3 for x in numbers(10)), all(x < 3 for x in numbers(10)), all(()), any(x for x in ([], "", 0, None)))
print(max(numbers(5)), min(x * -1.5 for x in numbers(5)), max((str(x) for x in numbers(12)), key=len))
print(max((x for x in [1, 2.5, True, 2.5]), default=0), min((x for x in []), default="none"))
print(list(numbers(3)), tuple(numbers(3)), sorted(-x for x in numbers(4)), [*numbers(2), *numbers(2)])
print({x % 3 for x in numbers(9)}, set(x % 4 for x in numbers(9)), frozenset((x, x) for x in numbers(2)))
print(",".join(str(x) for x in numbers(4)), dict((x, x * x) for x in numbers(3)))

# What is left when the consumer stops: the generator goes on where it stopped.
log = []
g = numbers(6, log)
print(any(x == 2 for x in g), log)
print(next(g), list(g), log)
log = []
g = numbers(5, log)
try:
    sum(x if x < 3 else "three" for x in g)
except TypeError as e:
    print(e, log, next(g))
log = []
g = numbers(5, log)
try:
    set([x] if x == 1 else x for x in g)
except TypeError as e:
    print(e, log, next(g))


class Loud:
    def __init__(self, x):
        self.x = x

    def __radd__(self, other):
        print("add", other, self.x, g.gi_running, g.gi_frame is not None)
        return other + self.x

    def __bool__(self):
        print("bool", self.x, type(next(g, "over")).__name__)
        return False

    def __lt__(self, other):
        print("lt", self.x, g.gi_running)
        return self.x < other.x

    __gt__ = None
    __hash__ = None


g = (Loud(x) for x in range(3))
print(sum(g))
g = (Loud(x) for x in range(5))
print(any(g))
g = (Loud(3 - x) for x in range(3))
print(min(g).x)
g = (Loud(x) if x == 2 else x for x in range(4))
try:
    print(set(g))
except TypeError as e:
    print(e, list(g))


# Errors inside, and generators that resume themselves.
def failing(n):
    yield from range(n)
    raise ValueError("inside")


def stops():
    yield 1
    raise StopIteration("no")


for make in (lambda: list(failing(3)), lambda: sum(failing(3)), lambda: set(stops()), lambda: max(stops())):
    try:
        make()
    except (ValueError, RuntimeError) as e:
        tb, names = e.__traceback__, []
        while tb:
            names.append(tb.tb_frame.f_code.co_name)
            tb = tb.tb_next
        print(type(e).__name__, e, names, repr(e.__cause__))


def myself():
    yield 1
    yield sum(me)


me = myself()
try:
    print(list(me))
except ValueError as e:
    print(e)


def nested(n):
    return sum(sum(x * y for y in range(x)) for x in range(n))


print(nested(30), [nested(k) for k in range(6)])


def deep(n):
    return n if n == 0 else 1 + sum(deep(n - 1) for _ in range(1))


print(deep(50))
try:
    deep(10**6)
except RecursionError as e:
    print(type(e).__name__)


# What an exception that is being handled is inside.
def handles():
    yield sys.exc_info()[0]
    try:
        raise KeyError
    except KeyError:
        yield sys.exc_info()[0].__name__
    yield sys.exc_info()[0]


try:
    raise OSError
except OSError:
    print(list(handles()) == [OSError, "KeyError", OSError], sys.exc_info()[0].__name__)


def hot(n):
    total = 0
    for k in range(n):
        total += sum(x + k for x in range(4)) + len(set(x % 3 for x in range(k % 7))) + any(x == k for x in range(5))
        total += max(x ^ k for x in range(3)) + len(tuple(x for x in range(k % 5)))
    return total


print(hot(300))


async def coroutine():
    return [x async for x in agen()]


async def agen():
    for k in range(3):
        yield k


import asyncio

print(asyncio.run(coroutine()))
g = numbers(3)
print(next(g), g.gi_frame.f_lineno > 0, list(g), g.gi_frame)
