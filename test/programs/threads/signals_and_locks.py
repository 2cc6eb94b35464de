import threading, signal, os, time, contextvars
signal.signal(signal.SIGINT, signal.default_int_handler)  # it may be ignored where this is run
log = []
def h(sig, frame): log.append((signal.Signals(sig).name, frame is not None))
signal.signal(signal.SIGUSR1, h)
os.kill(os.getpid(), signal.SIGUSR1); print(log)
signal.signal(signal.SIGALRM, lambda s, f: (_ for _ in ()).throw(TimeoutError("alarm")))
signal.setitimer(signal.ITIMER_REAL, 0.05)
try: time.sleep(5)
except TimeoutError as e: print("TO", e)
signal.setitimer(signal.ITIMER_REAL, 0.05)
try:
    while True:
        x = 1
except TimeoutError as e: print("TO", e)
print(signal.getsignal(signal.SIGINT) is signal.default_int_handler, signal.getsignal(signal.SIGTERM))
try: signal.raise_signal(signal.SIGINT)
except KeyboardInterrupt: print("KI")
lock = threading.Lock(); lock.acquire()
signal.setitimer(signal.ITIMER_REAL, 0.05)
try: lock.acquire()
except TimeoutError: print("lock TO")
print(lock.acquire(timeout=0.02), lock.acquire(False))
v = contextvars.ContextVar("v", default=1); v.set(5)
r = []
t = threading.Thread(target=lambda: r.append(v.get())); t.start(); t.join(); print(r, v.get())
def f():
    try: signal.signal(signal.SIGUSR2, h)
    except ValueError as e: print(e)
t = threading.Thread(target=f); t.start(); t.join()
rl = threading.RLock()
with rl:
    with rl: print("re")
try: rl.release()
except RuntimeError as e: print(e)
try: threading.Lock().release()
except RuntimeError as e: print(e)
s = threading.Semaphore(2); print(s.acquire(), s.acquire(), s.acquire(blocking=False)); s.release(2)
class L(threading.local):
    z = 7
    def __init__(self, a): self.a = [a]
l = L(3); l.a.append(1)
t = threading.Thread(target=lambda: r.append((l.a, l.z, sorted(l.__dict__)))); t.start(); t.join(); print(r, l.a, l.__dict__)
try: l.q
except AttributeError as e: print(e)
threading.excepthook = lambda a: print("hook", a.exc_type.__name__, a.exc_value, a.thread.name)
t = threading.Thread(target=lambda: {}[1], name="T"); t.start(); t.join()
try: t.start()
except RuntimeError as e: print(e)
try: threading.current_thread().join()
except RuntimeError as e: print(e)
