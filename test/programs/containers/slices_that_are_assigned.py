# Slices of lists that are assigned: as many items, more, fewer, from itself; what is asked first, and what dies when.
class I:
    def __init__(s, v, f=None): s.v, s.f = v, f
    def __index__(s):
        print('index', s.v)
        if s.f: s.f()
        return s.v
def run(n):
    a = list(range(10)); t = 0
    for i in range(n):
        k = i % 9 + 1
        a[:k] = a[k - 1::-1]
        a[k:] = a[k:][::-1]
        a[::2] = a[::2][::-1]
        a[2:5] = [i, i + 1, i + 2]
        a[3:6] = (x for x in (7, 8, 9))
        t += a[0] * 3 + a[-1] + len(a[1:k:2]) + sum(a[k::-2])
        a[1:4] = [str(i)] * 3
        a[1:4] = [1, 2, 3]
    return t, a
print(run(2000))
a = [1, 2, 3, 4]
a[I(1):I(3)] = [9, 9]; print(a)
b = [0] * 2
a[I(0, lambda: b.append(5)):2] = b; print(a, b)
def bad():
    c = [1, 2, 3]
    for f in (lambda: c.__setitem__(slice('x', 2), 5), lambda: c.__setitem__(slice(0, 2), 5), lambda: c.__setitem__(slice(0, 3, 2), 5), lambda: c.__setitem__(slice(0, 3, 2), [1]), lambda: c.__setitem__(slice(0, 1, 0), [1])):
        try: f()
        except Exception as e: print(type(e).__name__, e)
bad()
class D:
    def __init__(s, n): s.n = n
    def __del__(s): log.append((s.n, len(lst)))
log = []; lst = [D(i) for i in range(4)]
lst[1:3] = [7, 8]; print(log, lst[1:3])
lst[0:4] = lst[0:4]; print(log)
lst[:] = []; print(log)
x = [1, 2, 3]; x[1:] = x; print(x); x[:] = x; print(x); x[::-1] = x; print(x)
def grow():
    y = [1, 2, 3, 4]
    def g():
        y.clear(); yield 1; yield 2
    y[1:3] = g(); return y
print(grow())
s = 'hello world'; print(s[::-1], s[4::-1], s[:5:-1], s[8:2:-1], s[100::-1], s[-100::-1], (1, 2, 3)[::-1], (1, 2, 3)[5:0:-1], b'abc'[::-1], [1, 2][0:0:-1], [][::-1])
