"""Loops in generators and coroutines that do not suspend them: exceptions, cells, closing and return from inside."""
def g(n):
    for k in range(n):
        t = 0
        for i in range(200): t += i * k
        yield t
print(sum(g(300)))
def h(n, xs):
    it = iter(xs)
    for k in range(n):
        best = None
        for x in xs:
            if best is None or x > best: best = x
        got = yield best
        if got: xs = [x + got for x in xs]
    try:
        for i in range(1000):
            if i == 999: raise ValueError(i)
    except ValueError as e:
        yield str(e)
    return best
gen = h(40, list(range(300)))
r = [next(gen)]
for i in range(39): r.append(gen.send(i % 3))
print(r[-3:])
print(next(gen))
try: next(gen)
except StopIteration as e: print(e.value)
def closing(log):
    try:
        while True:
            t = 0
            for i in range(500): t += i
            yield t
    finally:
        for i in range(700): log.append(i)
log = []
c = closing(log)
for _ in range(20): next(c)
c.close()
print(len(log))
def cells(n):
    s = 0
    def add(x):
        nonlocal s
        s += x
    for k in range(n):
        for i in range(300):
            s += 1
        add(k)
        yield s
print(list(cells(30))[-1])
import asyncio
async def co(n):
    t = 0
    for k in range(n):
        for i in range(400): t += i ^ k
        await asyncio.sleep(0)
    return t
async def main():
    print(await asyncio.gather(*[co(20) for _ in range(3)]))
asyncio.run(main())
def perms(n):
    def rec(p):
        if len(p) == n: yield p
        else:
            for i in range(n):
                if i not in p: yield from rec(p + (i,))
    return rec(())
print(sum(1 for v in perms(6) if 6 == len(set(v[i] + i for i in range(6))) == len(set(v[i] - i for i in range(6)))))
def ret(n):
    for i in range(n):
        for j in range(1000):
            if j == 900: return j + i
        yield
print(list(ret(5)))
def mod(n):
    acc = []
    for i in range(n):
        d = {}
        for j in range(100):
            d[j % 7] = d.get(j % 7, 0) + j
        yield d
print(list(mod(50))[-1])
