import threading, sys
# hot code in several threads at once, objects, exceptions, generators
class P:
    def __init__(self, x): self.x = x
    def step(self, k): self.x = (self.x * 31 + k) % 1000003; return self.x
def gen(n):
    for i in range(n): yield i * 2
def work(seed, out, i):
    p = P(seed); d = {}; t = 0
    for k in range(60000):
        v = p.step(k)
        d[v % 97] = d.get(v % 97, 0) + 1
        if v % 5 == 0:
            try:
                if v % 10 == 0: raise KeyError(v)
                t += len(str(v))
            except KeyError as e: t += e.args[0] % 3
    t += sum(gen(2000))
    s = sorted(d.items(), key=lambda kv: (kv[1], kv[0]))
    out[i] = (t, s[0], s[-1], p.x)
sys.setswitchinterval(0.0005)
n = 6
out = [None] * n
ts = [threading.Thread(target=work, args=(i, out, i)) for i in range(n)]
for t in ts: t.start()
for t in ts: t.join()
for o in out: print(o)
