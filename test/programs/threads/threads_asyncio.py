import asyncio, threading, time, concurrent.futures as cf
def block(n): time.sleep(0.02); return n * n
async def main():
    loop = asyncio.get_running_loop()
    r = await asyncio.gather(*(loop.run_in_executor(None, block, i) for i in range(6)))
    print(r)
    print(await asyncio.to_thread(block, 9))
    async def handle(rd, wr):
        data = await rd.readline(); wr.write(data.upper()); await wr.drain(); wr.close()
    srv = await asyncio.start_server(handle, "127.0.0.1", 0)
    port = srv.sockets[0].getsockname()[1]
    rd, wr = await asyncio.open_connection("127.0.0.1", port)
    wr.write(b"hello\n"); print(await rd.readline()); wr.close()
    srv.close()
    fut = loop.create_future()
    threading.Thread(target=lambda: loop.call_soon_threadsafe(fut.set_result, 42)).start()
    print(await fut)
    try: await asyncio.wait_for(asyncio.sleep(5), 0.05)
    except asyncio.TimeoutError: print("timeout")
    q = asyncio.Queue()
    async def p():
        for i in range(3): await q.put(i)
    async def c(): return [await q.get() for _ in range(3)]
    print((await asyncio.gather(p(), c()))[1])
asyncio.run(main())
