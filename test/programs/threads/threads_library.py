import threading, time, queue
from concurrent.futures import ThreadPoolExecutor, as_completed, wait
def work(n, out):
    s = 0
    for i in range(n): s += i
    out.append(s)
out = []
ts = [threading.Thread(target=work, args=(200000+i, out)) for i in range(4)]
for t in ts: t.start()
for t in ts: t.join()
print(sorted(out))
q = queue.Queue(maxsize=2)
def prod():
    for i in range(10): q.put(i)
    q.put(None)
got=[]
def cons():
    while True:
        x = q.get()
        if x is None: break
        got.append(x); q.task_done()
a=threading.Thread(target=prod,name="p"); b=threading.Thread(target=cons)
a.start(); b.start(); a.join(); b.join(); print(got)
l = threading.local()
def f(n):
    l.x = n; time.sleep(0.01); return l.x
with ThreadPoolExecutor(4) as ex:
    print(list(ex.map(f, range(8))))
    fs=[ex.submit(lambda k: k*k, k) for k in range(5)]
    print(sorted(x.result() for x in as_completed(fs)))
    e = ex.submit(lambda: 1/0)
    try: e.result()
    except ZeroDivisionError as z: print("ZDE", z)
ev=threading.Event()
def waiter(): 
    print("w", ev.wait(5))
t=threading.Thread(target=waiter); t.start(); time.sleep(0.05); ev.set(); t.join()
c=threading.Condition(); items=[]
def cw():
    with c:
        while not items: c.wait()
        print("items", items.pop())
t=threading.Thread(target=cw); t.start()
with c: items.append(3); c.notify()
t.join()
b=threading.Barrier(3, action=lambda: print("barrier"))
ts=[threading.Thread(target=b.wait) for _ in range(3)]
[t.start() for t in ts]; [t.join() for t in ts]
def boom(): raise ValueError("in thread")
t=threading.Thread(target=boom, name="Boom"); t.start(); t.join()
tm=threading.Timer(0.05, lambda: print("timer")); tm.start(); tm.join()
print(threading.active_count(), threading.current_thread().name, threading.main_thread() is threading.current_thread())
t=threading.Thread(target=time.sleep, args=(0.3,)); t.start(); t.join(0.01); print(t.is_alive()); t.join(); print(t.is_alive())
cnt=0; lock=threading.Lock()
def inc():
    global cnt
    for _ in range(20000):
        with lock: cnt+=1
ts=[threading.Thread(target=inc) for _ in range(4)]
[t.start() for t in ts]; [t.join() for t in ts]; print(cnt)
d=threading.Thread(target=lambda: time.sleep(100), daemon=True); d.start()
def late(): time.sleep(0.1); print("late done")
threading.Thread(target=late).start()
print("main end")
