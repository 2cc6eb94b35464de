def gen(n):
    got = yield n
    try:
        yield from other(got)
    finally:
        yield
    return 1


async def coroutine(x):
    result = await x
    async with manager() as m:
        return result
    async for item in x:
        if item:
            break
    else:
        done()
    return [y async for y in x if await y]


async def agen():
    yield 1


lazy = (lambda: (yield))
