# Generators that delegate to one another, deep: what is thrown into them, resumed in their midst, and let go of.
import sys, weakref, gc
class Tree:
    def __init__(s, l, v, r): s.l, s.v, s.r = l, v, r
    def __iter__(s):
        if s.l: yield from s.l
        yield s.v
        if s.r: yield from s.r
def tree(lo, hi):
    if lo >= hi: return None
    m = (lo + hi) // 2
    return Tree(tree(lo, m), m, tree(m + 1, hi))
t = tree(0, 3000)
for _ in range(3): print(sum(t), list(t) == list(range(3000)))
def leaf(n, log):
    try:
        for i in range(n):
            try:
                yield i
            except KeyError as e:
                log.append(('leaf', str(e)))
    finally: log.append('leaf done')
    return n
def mid(n, log):
    r = 0
    for k in range(n):
        try:
            r += yield from leaf(k % 4 + 1, log)
        except ValueError as e: log.append(('mid', str(e)))
    return r
def stubborn(log):
    while True:
        try: yield 's'
        except GeneratorExit: log.append('no'); yield 'still'
def top(n, log):
    for _ in range(n):
        r = yield from mid(3, log)
        yield ('r', r)
    try: yield from over(stubborn(log), log)
    except RuntimeError as e: log.append(str(e))
    yield 'after'
def over(g, log):
    try: yield from g
    except RuntimeError as e: log.append(('over', str(e))); yield 'over'
log = []; out = []
g = top(300, log); n = 0
for v in g:
    out.append(v); n += 1
    if n % 97 == 0 and isinstance(v, int): out.append(g.throw(ValueError(n)))
    if n % 89 == 0 and isinstance(v, int): out.append(g.throw(KeyError(n)))
    if v == 's' and out.count('s') > 30: break
print(len(out), len(log), out[-5:], log[-3:])
try: print(g.throw(GeneratorExit))
except RuntimeError as e: print('rt', e)
print(next(g, None), log[-2:])
m = mid(500, log)
def wrap(g): yield from g
a = wrap(wrap(wrap(m))); got = []
for k in range(800):
    try:
        got.append(next(a))
        if k % 7 == 3: got.append(('m', next(m)))
    except StopIteration as e: got.append(('stop', e.value)); break
print(len(got), got[-6:])
def re(box):
    while True:
        try: next(box[0])
        except ValueError as e: yield str(e)
box = []; w = wrap(wrap(re(box))); box.append(w)
print([next(w) for _ in range(400)][-1])
class D:
    def __del__(s): print('gone')
def holds():
    d = D(); yield 1; yield 2
def seq():
    yield from holds(); print('between'); yield from holds(); yield 3
s = wrap(wrap(seq()))
for v in s: print(v)
def deep(n):
    if n: yield from deep(n - 1)
    else:
        while True: yield n
d = deep(400); print(sum(next(d) for _ in range(500)))
sys.setrecursionlimit(300)
d = deep(250)
try: print([next(d) for _ in range(300)][-1])
except RecursionError as e: print('re')
