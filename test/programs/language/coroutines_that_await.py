import asyncio, sys, inspect, warnings, types
warnings.simplefilter('ignore')
async def fib(n):
    if n <= 1: return n
    return await fib(n - 1) + await fib(n - 2)
def drive(c):
    try:
        while True: c.send(None)
    except StopIteration as e: return e.value
print([drive(fib(n)) for n in (1, 5, 12, 15)])
class Awaitable:
    def __init__(self, v): self.v = v
    def __await__(self):
        got = yield self.v
        return (self.v, got)
async def leaf(k):
    if k % 7 == 3: raise ValueError(k)
    a = await Awaitable(k)
    return a
async def mid(k):
    try:
        return await leaf(k)
    except ValueError as e:
        return ('caught', str(e))
    finally:
        LOG.append(k)
async def top(n):
    out = []
    for k in range(n):
        out.append(await mid(k))
    return out
LOG = []
def pump(n):
    c = top(n); sent = None; seen = []
    try:
        while True: seen.append(c.send(sent)); sent = len(seen)
    except StopIteration as e: return seen[-3:], e.value[-4:], len(LOG)
for _ in range(4): print(pump(300))
async def reuse():
    c = fib(3); a = await c
    try: await c
    except RuntimeError as e: return a, str(e)
print(drive(reuse()))
async def none(): pass
async def nones(n):
    for _ in range(n): assert await none() is None
    return 'done'
print(drive(nones(900)))
@types.coroutine
def old(x):
    r = yield x
    return r
async def uses(n):
    t = 0
    for k in range(n): t += await old(k) or 0
    return t
def pump2(n):
    c = uses(n); v = None
    try:
        while True: v = c.send(v and v * 2)
    except StopIteration as e: return e.value
print(pump2(600))
def gen_over_coro():
    yield from fib(2)
try: next(gen_over_coro())
except TypeError as e: print(e)
def many():
    t = 0
    for k in range(600):
        g = gen_over_coro()
        try: next(g)
        except TypeError: t += 1
    return t
print(many())
async def agen(n):
    for k in range(n):
        yield k
        await asyncio.sleep(0)
async def consume():
    return sum([k async for k in agen(200)]), [x async for x in agen(3)]
print(asyncio.run(consume()))
async def worker(q, out):
    while (k := await q.get()) is not None:
        out.append(k * k); q.task_done()
async def main():
    q, out = asyncio.Queue(), []
    ts = [asyncio.create_task(worker(q, out)) for _ in range(3)]
    for k in range(200): q.put_nowait(k)
    await q.join()
    for _ in ts: q.put_nowait(None)
    await asyncio.gather(*ts)
    return sum(out), await asyncio.gather(*(fib(k) for k in range(10)))
print(asyncio.run(main()))
async def cancel_me():
    try: await asyncio.sleep(10)
    except asyncio.CancelledError: LOG.append('cancelled'); raise
async def canceller():
    t = asyncio.create_task(cancel_me()); await asyncio.sleep(0); t.cancel()
    try: await t
    except asyncio.CancelledError: return LOG[-1], t.cancelled()
print(asyncio.run(canceller()))
async def deep(n): return n if n == 0 else 1 + await deep(n - 1)
print(drive(deep(200)))
try: drive(deep(5000))
except RecursionError as e: print('RecursionError')
c = leaf(1); print(inspect.getcoroutinestate(c)); c.send(None); print(inspect.getcoroutinestate(c), c.cr_await is not None, c.cr_frame.f_lineno > 0); c.close(); print(inspect.getcoroutinestate(c))
c = top(5); c.send(None)
try: c.throw(KeyError('in'))
except KeyError as e: print('KeyError', e, LOG[-1])
with warnings.catch_warnings(record=True) as w:
    warnings.simplefilter('always'); fib(3); print([str(x.message) for x in w])
