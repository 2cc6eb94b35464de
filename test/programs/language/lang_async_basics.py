# Coroutines driven by hand: await, async with, async for, async comprehensions.
class Suspend:
    def __init__(self, value):
        self.value = value

    def __await__(self):
        got = yield self.value
        return got


class Manager:
    async def __aenter__(self):
        print("aenter", await Suspend("enter"))
        return self

    async def __aexit__(self, kind, value, tb):
        print("aexit", kind.__name__ if kind else None)
        return kind is KeyError


class Countdown:
    def __init__(self, n):
        self.n = n

    def __aiter__(self):
        return self

    async def __anext__(self):
        if self.n == 0:
            raise StopAsyncIteration
        self.n -= 1
        return await Suspend(self.n)


async def add(a, b):
    x = await Suspend(a)
    y = await Suspend(b)
    return x + y


async def main():
    print("sum", await add("first", "second"))
    async with Manager():
        raise KeyError("suppressed")
    async for value in Countdown(2):
        print("value", value)
    else:
        print("done")
    return [v async for v in Countdown(2) if v]


def run(coroutine):
    sent = None
    while True:
        try:
            request = coroutine.send(sent)
        except StopIteration as stop:
            return stop.value
        print("request", request)
        sent = f"<{request}>" if isinstance(request, str) else request


print(run(main()))
