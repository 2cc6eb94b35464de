import asyncio, warnings, sys, gc
async def f(): return 1
async def main():
    f()
    x = f()
    del x
    y = f(); await y
    z = f(); z.close()
    asyncio.sleep(0)
    t = [f() for _ in range(2)]
    t.append(t)
    del t
    gc.collect()
warnings.simplefilter('always')
def show(message, category, filename, lineno, file=None, line=None): print(category.__name__, message, lineno)
warnings.showwarning = show
asyncio.run(main())
class A:
    async def m(self): pass
A().m()
async def g():
    yield 1
g()
warnings.simplefilter('error')
sys.unraisablehook = lambda u: print('unraisable', u.exc_type.__name__, u.exc_value)
f()
def loop(n):
    warnings.simplefilter('ignore')
    for _ in range(n): f()
loop(500)
print('end')
