# Asynchronous generators, awaitables that types.coroutine makes, and what they are driven by.
import types


@types.coroutine
def pause(x):
    return (yield x)


async def add(a, b):
    return a + await pause(b)


def drive(coroutine, *sent):
    log = []
    sent = list(sent)
    value = None
    while True:
        try:
            log.append(coroutine.send(value))
        except StopIteration as e:
            return log, e.value
        except Exception as e:
            return log, f"{type(e).__name__}: {e}"
        value = sent.pop(0) if sent else None


print(drive(add(1, 2), 10))


async def count(n):
    try:
        for i in range(n):
            got = yield i
            if got:
                await pause(("got", got))
    finally:
        await pause("closing")


async def total(n):
    s = 0
    async for x in count(n):
        s += x
    return s


async def lists():
    a = [x async for x in count(3)]
    b = {x: x * x async for x in count(4) if x % 2}
    c = [await pause(x) for x in range(2)]
    d = {x + y async for x in count(2) for y in (10, 20)}
    return a, b, c, sorted(d)


async def by_hand():
    g = count(5)
    out = [await g.__anext__(), await g.asend("hello"), await anext(g)]
    try:
        out.append(await g.athrow(ValueError("thrown")))
    except ValueError as e:
        out.append(str(e))
    try:
        await anext(g)
    except StopAsyncIteration:
        out.append("stopped")
    out.append(await anext(g, "default"))
    h = count(2)
    await h.asend(None)
    await h.aclose()
    await h.aclose()
    out.append(h.ag_running)
    return out


print(drive(total(4)), drive(lists()), drive(by_hand()))


async def stubborn():
    try:
        yield 1
    except GeneratorExit:
        yield 2


async def close_stubborn():
    g = stubborn()
    await anext(g)
    await g.aclose()


async def raises_stop():
    yield 1
    raise StopAsyncIteration


async def run_raises():
    return [x async for x in raises_stop()]


async def twice():
    g = count(2)
    step = g.asend(None)
    await step
    await step


async def sends_first():
    g = count(2)
    await g.asend(1)


print(drive(close_stubborn()), drive(run_raises()), drive(twice()), drive(sends_first()))
g = count(1)
print(hasattr(g, "__aiter__"), g.__aiter__() is g, type(g).__name__, type(g.asend(None)).__name__, type(g.aclose()).__name__)
for f in (lambda: iter(g), lambda: next(g), lambda: g.send(None)):
    try:
        f()
    except (TypeError, AttributeError) as e:
        print(type(e).__name__, e)


class Items:
    def __init__(self, n):
        self.n = n

    def __aiter__(self):
        return self

    async def __anext__(self):
        if not self.n:
            raise StopAsyncIteration
        self.n -= 1
        await pause(self.n)
        return self.n


async def use_items():
    out = []
    async for x in Items(3):
        if x == 1:
            continue
        out.append(x)
    else:
        out.append("else")
    return out, [x async for x in aiter(Items(2))]


print(drive(use_items()))


class Manager:
    async def __aenter__(self):
        await pause("enter")
        return self

    async def __aexit__(self, *exc):
        await pause("exit")
        return exc[0] is KeyError


async def managed():
    async with Manager() as m, Manager():
        raise KeyError(1)
    return type(m).__name__


print(drive(managed()))
hot = [drive(total(n % 5))[1] for n in range(60)]
print(sum(hot), hot[:6])
