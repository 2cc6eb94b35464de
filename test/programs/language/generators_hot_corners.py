"""Generators whose bodies are compiled after many resumptions: what others may see and do between two yields."""
import asyncio
import gc
import inspect
import sys
import types
import weakref

LIMIT = 600


def counter(n):
    total = 0
    label = "a"
    for i in range(n):
        total += i
        yield total
        label = label[-3:] + str(i % 10)


def shown():
    seen = []
    g = counter(LIMIT)
    for at, value in enumerate(g):
        if at % 97 == 0:
            seen.append((value, dict(inspect.getgeneratorlocals(g)), g.gi_frame.f_lineno, g.gi_running))
    h = counter(LIMIT)
    for _ in range(LIMIT - 3):
        next(h)
    seen.append(inspect.getgeneratorlocals(h))
    seen.append(list(h))
    seen.append((h.gi_frame, inspect.getgeneratorlocals(h)))
    return seen


def echo(start):
    got = []
    while True:
        try:
            sent = yield start + len(got)
        except KeyError as error:
            sent = repr(error)
        got.append(sent)
        if sent == "stop":
            return got[-4:]


def sends():
    out = []
    g = echo(10)
    next(g)
    for i in range(LIMIT):
        value = g.send((i, "x", 1.5, None)[i % 4])
        if i % 151 == 0:
            out.append(value)
        if i % 200 == 199:
            out.append(g.throw(KeyError(i)))
    try:
        g.send("stop")
    except StopIteration as stop:
        out.append(stop.value)
    g = echo(0)
    next(g)
    try:
        g.throw(ValueError("out"))
    except ValueError as error:
        out.append(str(error))
    out.append(list(g))
    return out


def cells():
    factor = 1

    def scaled(n):
        nonlocal factor
        for i in range(n):
            factor += i & 1
            yield i * factor, lambda: (i, factor)

    out = []
    for value, look in scaled(LIMIT):
        if value % 1000 == 7:
            factor = 1
        if look()[0] % 149 == 0:
            out.append((value, look()))
    return out, factor


RATE = 2


def rated(n):
    for i in range(n):
        yield i * RATE


def globals_change():
    global RATE
    out = []
    for value in rated(LIMIT):
        if isinstance(value, str):
            if len(value) > 700:
                out.append(len(value))
                RATE = 3
        elif len(out) < 6 and value % 100 == 0:
            out.append(value)
            RATE = RATE + 1 if len(out) != 4 else "ab"
    RATE = 2
    return out


def kinds(values):
    last = None
    for value in values:
        if last is not None and value is not None and type(value) is type(last):
            yield value + last
        elif value is None:
            if last is not None:
                del last
            last = 0
            yield "unset"
            continue
        else:
            yield type(value).__name__
        last = value


def changing():
    values = list(range(300)) + [2**62, 2**62, 2**70, 1.5, 2.5, "a", "b", None, [1], [2], (1,), (2,), True, False] * 4
    found = list(kinds(values))
    return found[298:320], found[-3:], sum(isinstance(v, str) for v in found)


def nested(n):
    if n:
        yield from nested(n - 1)
    yield n
    if n:
        return sum(x for x in range(n))
    return 0


def deep():
    out = [list(nested(k))[-1] for k in range(60)]

    def returns():
        for k in range(80):
            yield (yield from nested(k % 5))

    out.append(sum(v for v in returns()))
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(400)
    try:
        list(nested(1000))
    except RecursionError as error:
        out.append(type(error).__name__)
    sys.setrecursionlimit(limit)
    return out[-5:]


def reentered():
    def itself():
        for i in range(LIMIT):
            if i == LIMIT - 1:
                yield next(me)
            yield i

    me = itself()
    try:
        for _ in me:
            pass
    except ValueError as error:
        return str(error)


class Noted:
    log = []

    def __init__(self, name):
        self.name = name

    def __del__(self):
        Noted.log.append(self.name)


def holding(n):
    for i in range(n):
        held = Noted(i)
        yield i
    held = None
    yield "end"


def dropped():
    g = holding(LIMIT)
    for value in g:
        if value == 300:
            break
    out = [len(Noted.log), Noted.log[-1]]
    del g
    gc.collect()
    out.append((len(Noted.log), Noted.log[-1]))
    watched = weakref.ref(counter(3))
    out.append(watched() is None)
    return out


def guarded(log, n):
    try:
        for i in range(n):
            with Closing(log):
                yield i
    finally:
        log.append("finally")


class Closing:
    def __init__(self, log):
        self.log = log

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        if kind:
            self.log.append(kind.__name__)


def closed():
    log = []
    for k in range(60):
        g = guarded(log, 10)
        for value in g:
            if value == k % 10:
                break
        g.close()
    return len(log), log[-2:], [x for x in guarded(log, 3)]


def raises(n):
    for i in range(n):
        if i == n - 1:
            raise RuntimeError(f"at {i}")
        yield i


def where():
    lines = set()
    for k in range(120):
        try:
            for _ in raises(4):
                pass
        except RuntimeError as error:
            trace = error.__traceback__
            names = []
            while trace:
                names.append((trace.tb_frame.f_code.co_name, trace.tb_lineno))
                trace = trace.tb_next
            lines.add((str(error), tuple(names)))
    return sorted(lines)


def stops(n):
    for i in range(n):
        yield i
        if i == n - 2:
            raise StopIteration


def stopped():
    found = []
    for k in range(120):
        try:
            list(stops(4))
        except RuntimeError as error:
            found.append((str(error), type(error.__cause__).__name__))
    return len(found), found[-1]


async def awaits(n):
    total = 0
    for i in range(n):
        total += await half(i)
        if i % 100 == 99:
            await asyncio.sleep(0)
    return total


async def half(i):
    return i // 2


async def ticks(n):
    for i in range(n):
        yield i


async def together():
    out = await asyncio.gather(awaits(LIMIT), awaits(LIMIT // 2))
    out.append(sum([i async for i in ticks(LIMIT)]))
    return out


def other_globals():
    clone = types.FunctionType(rated.__code__, {"RATE": 5, "range": range}, "rated")
    return list(rated(5)), list(clone(5)), [sum(clone(LIMIT)) for _ in range(3)], list(rated(3))


def consumers():
    def numbers(n):
        for i in range(n):
            yield (i * 7) % 31

    out = []
    for k in range(30):
        out = [
            sum(numbers(40)), max(numbers(40)), sorted(numbers(9)), tuple(numbers(4)), len(set(numbers(100))),
            ",".join(str(x) for x in numbers(5)), any(x == 30 for x in numbers(40)), all(x < 31 for x in numbers(40)),
            dict(zip(numbers(4), numbers(9))), list(map(lambda a, b: a - b, numbers(4), numbers(3))), 5 in numbers(40),
            [a for a, *rest in zip(numbers(3), numbers(3), numbers(3))], next(numbers(1)), next(iter(numbers(0)), "none"),
        ]
    first, *others = numbers(6)
    return out, first, others


for part in (
    shown, sends, cells, globals_change, changing, deep, reentered, dropped, closed, where, stopped, other_globals, consumers,
):
    for line in [part(), part()]:
        print(part.__name__, line)
print("together", asyncio.run(together()))
