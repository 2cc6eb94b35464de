# Loops of generators that yield only now and then, in hot code: searches, closures, coroutines, errors and closing.
import sys
def search(n):
    k = 0
    for i in range(n):
        s = sum(j*j for j in range(i % 7))
        if s % 5 == 4:
            k += 1
            yield i, k
    return k
def outer(n):
    r = yield from search(n)
    print('r', r)
    while n > 0:
        n -= 1
        if n % 1000 == 0:
            got = yield n
            if got: print('got', got)
print(sum(a*b for a, b in search(20000)))
g = outer(20000); t = 0
for v in g:
    if isinstance(v, tuple): t += v[0]
    else: t += v
print(t)
g = outer(5000); next(g); 
try:
    while True: g.send('x')
except StopIteration as e: print(e.value)
def raising(n):
    for i in range(n):
        if i == n - 1: raise ValueError(i)
        if i % 5000 == 4999: yield i
try:
    for v in raising(20001): print(v)
except ValueError as e: print('err', e, e.__traceback__.tb_next.tb_lineno)
def bindings(n):
    x = 0
    def get(): return x
    while x < n:
        x += 1
        if x % 3000 == 0: yield get()
print(list(bindings(10000)))
async def co(n):
    t = 0
    for i in range(n):
        t += i
        if i % 5000 == 0: await sl()
    return t
import asyncio
async def sl(): await asyncio.sleep(0)
print(asyncio.run(co(20000)))
def closing(n):
    try:
        for i in range(n):
            if i % 6000 == 5999: yield i
    finally: print('closed')
g = closing(100000); print(next(g), next(g)); g.close()
def loc(n):
    for i in range(n):
        if i == 7000: yield sorted(sys._getframe().f_locals.items())[0]
print(list(loc(9000)))
