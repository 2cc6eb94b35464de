# What happened before a guard fails or an exception is raised happened once, and in order.
import torch
# deopt in the middle: order of side effects
log = []; counter = {"n": 0}; buf = torch.zeros(3)
class S: hits = 0
s = S()
def step(x, i):
    counter["n"] += 1
    log.append(i)
    buf.add_(x)
    s.hits += 1
    y = x * torch.rand(3)
    log.append(float(y.sum() > 1.5))
    if y.sum() > 2.2:
        counter["big"] = counter.get("big", 0) + 1
        log.append("big")
        y = y - buf / 100
        if i % 9 == 0: raise KeyError(i)
    s.last = y
    return y[: (2 if i % 31 == 30 else 3)]
torch.manual_seed(0); tot = torch.zeros(3); errs = 0
for i in range(400):
    x = torch.ones(3) if i % 50 != 49 else torch.ones(3, dtype=torch.float64)
    try: tot[:2] += step(x, i)[:2]
    except KeyError as e: errs += 1; log.append(e.args)
    if i == 200: s.hits = 0.5
    if i == 300: counter = dict(counter, n="x" if False else 7)
print(tot, errs, counter, buf, s.hits, s.last, len(log), log[-12:], torch.rand(1))
def order(xs):
    out = []
    def a(v): out.append("a"); return v
    def b(v): out.append("b"); return v
    r = a(xs[0]) + b(xs[1]) * a(xs[2])
    d = {b(1): a(2), a(3): b(4)}
    xs[a(0)], xs[b(1)] = b(xs[1]), a(xs[0])
    r += a(1) if b(r.sum()) > 3 else b(2)
    c = a(1) < b(2) < a(0) < b(5)
    return r, "".join(out), d, c
for i in range(80): q = order([torch.full((1,), float(i % 4)), torch.ones(1), torch.ones(1)])
print(q)
def it(n):
    seen = []
    class It:
        def __init__(self): self.i = 0
        def __iter__(self): seen.append("iter"); return self
        def __next__(self):
            self.i += 1; seen.append(self.i)
            if self.i > n: raise StopIteration
            return torch.tensor(float(self.i))
    t = 0
    for v in It():
        t = t + v
        if v == 4: break
    z = list(zip(It(), [1, 2]))
    a, *b = It()
    return t, len(z), len(b), seen
for n in range(3, 60): r = it(n % 4 + 3)
print(r)
