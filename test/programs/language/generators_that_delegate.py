# Generators that delegate to one another: who is resumed, what comes back, who sees whom.
import sys, traceback
class Node:
    def __init__(self, l, v, r): self.l, self.v, self.r = l, v, r
    def __iter__(self):
        if self.l: yield from self.l
        yield self.v
        if self.r: yield from self.r
def tree(xs):
    if not xs: return None
    i = len(xs)//2
    return Node(tree(xs[:i]), xs[i], tree(xs[i+1:]))
t = tree(list(range(300)))
for _ in range(40): s = sum(t)
print(s, list(t)[:5], [x for x in t][-3:])
# return values through chains
def leaf(n):
    for i in range(n): yield i
    return n * 10
def mid(n):
    a = yield from leaf(n)
    b = yield from leaf(n + 1)
    return a + b
def top(n):
    t = yield from mid(n)
    yield ('total', t)
    return t
r = []
for k in range(400):
    r.append(list(top(k % 5)))
print(r[3], r[-1], len(r))
# send and throw into chains
def echo():
    got = []
    try:
        while True:
            x = yield len(got)
            if x is None: continue
            if x == 'stop': return got
            got.append(x)
    except KeyError as e:
        got.append(('caught', str(e)))
        yield 'handled'
        return got
    finally:
        got.append('fin')
def chain(d):
    if d == 0:
        r = yield from echo()
    else:
        r = yield from chain(d - 1)
    return [d] + r
outs = []
for k in range(300):
    g = chain(4)
    a = [next(g), next(g), next(g)]
    a.append(g.send('x')); a.append(next(g)); a.append(g.send('y'))
    if k % 3 == 0:
        a.append(g.throw(KeyError('k')))
        try: next(g)
        except StopIteration as e: a.append(e.value)
    elif k % 3 == 1:
        try: g.send('stop')
        except StopIteration as e: a.append(e.value)
    else:
        g.close()
    outs.append(a)
print(outs[0], outs[1], outs[2], len(outs), outs[297:] == outs[:3])
# exceptions out of the leaf: traceback goes through all
def bad(n):
    for i in range(n):
        yield i
    raise ValueError(n)
def d1(n): yield from bad(n)
def d2(n):
    try:
        yield from d1(n)
    finally:
        log.append(n)
def d3(n): yield from d2(n)
log = []
tb = None
for k in range(300):
    try:
        for x in d3(k % 7): pass
    except ValueError as e:
        tb = [f.name for f in traceback.extract_tb(e.__traceback__)]
print(tb, len(log), log[-3:])
# who looks at the frames, and at what runs
def looks():
    for i in range(3):
        f = sys._getframe(); names = []
        while f and f.f_code.co_name != '<module>':
            names.append(f.f_code.co_name); f = f.f_back
        yield names
def l1(): yield from looks()
def l2(): yield from l1()
for k in range(300): q = list(l2())
print(q)
def reenter():
    for i in range(3):
        try: next(outer_g)
        except ValueError as e: yield str(e)
def o1(): yield from reenter()
for k in range(300):
    outer_g = o1(); w = list(outer_g)
print(w)
# a deep chain: recursion limit
def deep(n):
    if n == 0:
        yield 1; yield 2
    else:
        yield from deep(n - 1)
sys.setrecursionlimit(400)
for k in range(60): z = list(deep(50))
print(z)
try: list(deep(1000))
except RecursionError as e: print('RecursionError')
g = deep(300)
try:
    print(next(g))
    def nest(n): return next(g) if n == 0 else nest(n - 1)
    print(nest(5))
    try: print(nest(200))
    except RecursionError: print('RecursionError 2')
except RecursionError: print("RecursionError 3")
# state while suspended
import inspect
def s1():
    a = 1
    yield from s2()
    a = 2
    yield a
def s2():
    for b in range(250): yield b
g = s1()
for x in g:
    if x == 240: break
print(inspect.getgeneratorstate(g), g.gi_frame.f_lineno - s1.__code__.co_firstlineno, inspect.getgeneratorlocals(g), g.gi_yieldfrom.__name__, inspect.getgeneratorlocals(g.gi_yieldfrom))
print(list(g)[-3:], g.gi_frame, g.gi_yieldfrom)
# one inner generator that two delegate to
def shared(n):
    for i in range(n): yield i
def via(s): yield from s
for k in range(200):
    s = shared(10); a, b = via(s), via(s)
    got = [next(a), next(b), next(a), next(b), next(s), next(a)]
    rest = list(b), list(a), list(s)
print(got, rest)
