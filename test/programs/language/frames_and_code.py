# Frames and code objects: where a program is, and what its functions are made of.
import sys
import types


def outer(a):
    b = a + 1

    def inner(c):
        frame = sys._getframe()
        return (frame.f_code.co_name, frame.f_locals["c"], frame.f_back.f_code.co_name, frame.f_back.f_locals["b"],
                sys._getframe(1).f_lineno - frame.f_code.co_firstlineno, frame.f_back.f_back.f_globals is globals())

    d = inner(b)
    return d, sorted(sys._getframe().f_locals)


print(outer(1))
print(sys._getframe().f_back, sys._getframe().f_locals is globals(), type(sys._getframe()) is types.FrameType)
try:
    sys._getframe(100)
except ValueError as e:
    print(e)


def kept():
    x = 1
    f = sys._getframe()
    x = 2
    return f


f = kept()
print("x" in f.f_locals, f.f_code.co_filename == __file__, f == f, f != sys._getframe())


def gen(n):
    for i in range(n):
        yield i
    yield from [10, 20]
    return "end"


g = gen(2)
print(g.gi_frame.f_locals, g.gi_code is gen.__code__, g.gi_suspended, g.gi_yieldfrom)
next(g), next(g)
print(sorted(g.gi_frame.f_locals.items()), g.gi_suspended)
next(g)
print(type(g.gi_yieldfrom).__name__, g.gi_running)
print(list(g), g.gi_frame, g.gi_yieldfrom, g.gi_code.co_name)


async def coro():
    await other()


@types.coroutine
def other():
    yield 1


c = coro()
print(c.cr_frame.f_code.co_name, c.cr_await, c.cr_code.co_name)
c.send(None)
print(type(c.cr_await).__name__, c.cr_suspended, bool(other.__code__.co_flags & 0x100))
c.close()
print(c.cr_frame)

code = outer.__code__
renamed = code.replace(co_name="renamed", co_filename="elsewhere.py")
print(renamed.co_name, renamed.co_filename, code.co_name, renamed.co_varnames == code.co_varnames, type(code.co_code).__name__)
lines = {line for _, _, line in code.co_lines() if line}
print(max(lines) - code.co_firstlineno)
print(code.co_stacksize > 0, code.co_argcount, code.co_cellvars, code.co_nlocals)


def count_depth():
    n, f = 0, sys._getframe()
    while f:
        n, f = n + 1, f.f_back
    return n


def deep(n):
    return count_depth() if n == 0 else deep(n - 1)


print(count_depth(), deep(10))
hot = 0
for i in range(60):
    hot += sys._getframe().f_lineno - sys._getframe().f_lineno + len(outer(i)[0])
print(hot)
