"""Generators of several kinds that are resumed often enough for their bodies to be compiled."""
import sys, time
def count(n):
    for i in range(n):
        yield i
def squares(it):
    for x in it:
        if x % 3:
            yield x * x
class Tree:
    def __init__(self, l, k, r):
        self.l, self.k, self.r = l, k, r
    def __iter__(self):
        if self.l is not None:
            yield from self.l
        yield self.k
        if self.r is not None:
            yield from self.r
def tree(a):
    n = len(a)
    if n == 0: return None
    i = n // 2
    return Tree(tree(a[:i]), a[i], tree(a[i+1:]))
def echo():
    total = 0
    while True:
        got = yield total
        if got is None: continue
        total += got
def fib():
    a, b = 0, 1
    while True:
        yield a
        a, b = b, a + b
def first(n, it):
    for _ in range(n):
        yield next(it)
def words(text):
    cur = []
    for ch in text:
        if ch == ' ':
            if cur:
                yield ''.join(cur)
                cur = []
        else:
            cur.append(ch)
    if cur:
        yield ''.join(cur)
def main():
    s = 0
    for x in squares(count(100000)): s += x
    print(s)
    print(sum(x*x for x in range(1000)), sum(sum(i*j for i in range(5)) for j in range(3000)))
    t = tree(list(range(2000)))
    for _ in range(5): s = sum(t)
    print(s, list(t)[:5])
    e = echo(); next(e)
    r = 0
    for i in range(5000): r = e.send(i)
    print(r)
    print(list(first(5, fib())), sum(first(90, fib())), max(first(300, fib())))
    for _ in range(20): w = list(words('the quick brown fox ' * 50))
    print(len(w), w[-1])
    k = 3
    print([any(x == k for x in range(j)) for j in range(300)].count(True))
    print(sorted(set(a + b for a in range(40) for b in range(40) if a != b))[:6])
    def gen_ret(n):
        for i in range(n):
            yield i
        return n * 2
    def deleg():
        tot = 0
        for j in range(500):
            tot += yield from gen_ret(3)
        return tot
    g = deleg(); out = []
    try:
        while True: out.append(next(g))
    except StopIteration as ex: print(len(out), ex.value)
    def fails(n):
        for i in range(n):
            if i == n - 1: raise ValueError(i)
            yield i
    caught = 0
    for j in range(400):
        try:
            for x in fails(3): pass
        except ValueError as ex: caught += ex.args[0]
    print(caught)
    def fin(log):
        try:
            for i in range(3):
                yield i
        finally:
            log.append(1)
    log = []
    for j in range(400):
        for x in fin(log):
            if x == 1: break
    print(len(log))
main()
