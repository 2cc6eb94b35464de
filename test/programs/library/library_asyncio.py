"""asyncio: tasks, gather, queues, locks, timeouts, cancelling, streams, async generators."""

import asyncio
import contextvars
import time

name = contextvars.ContextVar("name", default="none")


async def say(text, delay):
    await asyncio.sleep(delay)
    print("say", text, name.get())
    return text


async def first():
    print(await asyncio.gather(say("b", 0.02), say("a", 0.01)))
    task = asyncio.create_task(say("never", 10), name="slow")
    await asyncio.sleep(0)
    print(task.get_name(), task.done(), task.cancel())
    try:
        await task
    except asyncio.CancelledError:
        print("cancelled", task.cancelled())
    try:
        await asyncio.wait_for(say("late", 5), 0.01)
    except asyncio.TimeoutError:
        print("timed out")
    try:
        async with asyncio.timeout(0.01):
            await asyncio.sleep(5)
    except TimeoutError:
        print("timeout")
    name.set("outer")

    async def inner():
        name.set("inner")
        await asyncio.sleep(0)
        return name.get()

    print(await asyncio.create_task(inner()), name.get())


async def producer(queue):
    for item in range(5):
        await queue.put(item)
        await asyncio.sleep(0)
    await queue.put(None)


async def consumer(queue):
    total = 0
    while (item := await queue.get()) is not None:
        total += item
        queue.task_done()
    return total


async def queues():
    queue = asyncio.Queue(2)
    _, total = await asyncio.gather(producer(queue), consumer(queue))
    print("total", total, queue.empty())
    lock, order = asyncio.Lock(), []

    async def locked(n):
        async with lock:
            order.append(n)
            await asyncio.sleep(0)
            order.append(n)

    await asyncio.gather(*map(locked, range(3)))
    print(order)
    event, semaphore = asyncio.Event(), asyncio.Semaphore(2)
    running = 0
    most = 0

    async def limited():
        nonlocal running, most
        await event.wait()
        async with semaphore:
            running += 1
            most = max(most, running)
            await asyncio.sleep(0.001)
            running -= 1

    tasks = [asyncio.create_task(limited()) for _ in range(5)]
    await asyncio.sleep(0)
    event.set()
    done, pending = await asyncio.wait(tasks)
    print(len(done), len(pending), most)


async def groups():
    async with asyncio.TaskGroup() as group:
        one = group.create_task(say("one", 0.002))
        two = group.create_task(say("two", 0.001))
    print(one.result(), two.result())

    async def fails():
        raise ValueError("in group")

    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(fails())
            group.create_task(asyncio.sleep(10))
    except* ValueError as caught:
        print(caught.exceptions)
    results = await asyncio.gather(fails(), say("ok", 0), return_exceptions=True)
    print(results)
    async for done in as_they_come([0.02, 0.001]):
        print(done)


async def as_they_come(delays):
    for future in asyncio.as_completed([asyncio.sleep(d, d) for d in delays]):
        yield await future


async def streams():
    async def answer(reader, writer):
        while line := await reader.readline():
            writer.write(line.upper())
            await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"hello\nworld\n")
    writer.write_eof()
    print(await reader.read())
    writer.close()
    await writer.wait_closed()
    server.close()
    await server.wait_closed()
    try:
        await asyncio.open_connection("127.0.0.1", port)
    except ConnectionRefusedError as e:
        print(type(e).__name__)


async def calls():
    loop = asyncio.get_running_loop()
    future = loop.create_future()
    loop.call_later(0.002, future.set_result, "later")
    loop.call_soon(print, "soon")
    print(await future)
    print(await loop.run_in_executor(None, sum, [1, 2, 3]), await asyncio.to_thread(max, 4, 5))
    condition = asyncio.Condition()

    async def waiter():
        async with condition:
            await condition.wait()
            return "notified"

    task = asyncio.create_task(waiter())
    await asyncio.sleep(0)
    async with condition:
        condition.notify_all()
    print(await task, asyncio.current_task() is not None, len(asyncio.all_tasks()))
    shielded = asyncio.create_task(asyncio.sleep(0.002, "kept"))
    try:
        await asyncio.wait_for(asyncio.shield(shielded), 0.0001)
    except asyncio.TimeoutError:
        print(await shielded)


for main in (first, queues, groups, streams, calls):
    asyncio.run(main())
with asyncio.Runner() as runner:
    print(runner.run(say("runner", 0)))
start = time.monotonic()
loop = asyncio.new_event_loop()
print(loop.run_until_complete(asyncio.sleep(0.01, "slept")), time.monotonic() - start >= 0.01)
loop.close()
try:
    loop.run_until_complete(asyncio.sleep(0))
except RuntimeError as e:
    print(e)
