import os, sys
pid = os.fork()
if pid == 0:
    print("child"); sys.stdout.flush(); os._exit(3)
print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
import multiprocessing as mp
def work(q, n): q.put((n, n * n))
def sq(x): return x * x
def bad(): raise ValueError("child fails")
if __name__ == "__main__":
    print(mp.get_start_method(), mp.current_process().name)
    q = mp.Queue(); ps = [mp.Process(target=work, args=(q, i)) for i in range(3)]
    [p.start() for p in ps]; got = sorted(q.get() for _ in ps); [p.join() for p in ps]
    print(got, [p.exitcode for p in ps])
    with mp.Pool(2) as pool:
        print(pool.map(sq, range(10)), pool.apply_async(sq, (7,)).get(), list(pool.imap_unordered(sq, [3, 3])))
        try: pool.apply(bad)
        except ValueError as e: print("VE", e)
    a, b = mp.Pipe()
    def echo(c):
        while (m := c.recv()) is not None: c.send(m[::-1])
    p = mp.Process(target=echo, args=(b,)); p.start(); a.send("abc"); print(a.recv()); a.send(None); p.join()
    l = mp.Lock(); e = mp.Event()
    def w(): e.wait(); print("event seen", flush=True)
    p = mp.Process(target=w); p.start(); e.set(); p.join()
    p = mp.Process(target=os.kill, args=(os.getpid(), 0)); p.start(); p.join(); print(p.exitcode)
    p = mp.Process(target=sys.exit, args=(5,)); p.start(); p.join(); print(p.exitcode)
    import time
    p = mp.Process(target=time.sleep, args=(10,)); p.start(); print(p.is_alive()); p.terminate(); p.join(); print(p.exitcode)
    from concurrent.futures import ProcessPoolExecutor
    with ProcessPoolExecutor(2) as ex: print(list(ex.map(sq, range(5))))
    x = 5
    def mut():
        global x; x = 9
    p = mp.Process(target=mut); p.start(); p.join(); print(x)
    s = mp.Semaphore(2); print(s.acquire(), s.acquire(), s.acquire(block=False), s.get_value())
    jq = mp.JoinableQueue(); jq.put(1); print(jq.get()); jq.task_done(); jq.join()
    sq_ = mp.SimpleQueue(); sq_.put("x"); print(sq_.get())
