import torch
log = []
def n(k, v=None):
    log.append(k)
    return v if v is not None else k

class T:
    def __getitem__(self, i):
        log.append(("get", i)); return 1
    def __setitem__(self, i, v):
        log.append(("set", i, v))
    def __getattr__(self, a):
        log.append(("attr", a)); return 2
    def __setattr__(self, a, v):
        log.append(("sattr", a, v))

def f(x, i):
    del log[:]
    t = T()
    n("t", t)[n(1)] = n(2)
    n("t", t)[n(3)] += n(4)
    n("t", t).q = n(5)
    n("t", t).r += n(6)
    a, (b, *c), d = n(1), [n(2), n(3), n(4)], n(5)
    e = g = n([0])
    e += [1]
    x1, x1 = 1, 2
    lst = [n(9)]
    lst[0], lst[n(0, 0) * 1] = n(7), n(8)
    dd = {n("k1"): n("v1"), n("k2"): n("v2"), **{n("k3"): n("v3")}}
    fn = lambda *a, **k: (a, k)
    r = fn(n(1), *[n(2)], n(3), z=n(4), **{"y": n(5)}, w=n(6))
    s = n(1) < n(5) < n(3) < n(100)
    u = n(0, 0) or n("", "") or n([], [1][:0]) or n("last")
    v = [y for z in range(3) if (y := z * 2) > 0]
    w = (n("cond") if n(1) else n(2))
    q = x[n(0)] + x[n(1)] * (k := n(3)) - k
    del lst[n(0, 0)]
    m = f"{n('a')!r:>{n(6)}} {n('b')}"
    o = not n(1) == n(2)
    p = {**{"a": 1}, "a": 2, **{"b": 3}}
    h = [*range(2), *"ab", *{"k": 1}]
    j = (lambda a, b=n("def"), *, c=n("kw"): (a, b, c))(1)
    z = sum((y for y in (n(1), n(2))), n(10))
    zz = list(zip([1, 2, 3], "ab")), list(enumerate("ab", 5)), dict(zip("ab", [1, 2])), [*map(lambda a, b: a + b, [1, 2], [3, 4, 5])], list(filter(None, [0, 1, "", "a"])), max([3, 1, 2], key=lambda v: -v), min("b", "a", key=ord), max([], default=7), sorted([3, 1, 2], reverse=True), sorted(["b", "A", "a"], key=str.lower), any([]), all([]), divmod(-7, 2), -7 // 2, -7 % 3, 7 % -3, -7.5 % 2, 2 ** -1, round(2.5), round(3.5), round(-2.5), round(2.675, 2), int(-3.7), 10 ** 20 + i, 1 << 70, (-5) >> 1, ~5, 0.1 + 0.2, 1e16 + 1, 5 & 3 | 4 ^ 1
    return a, b, c, d, e is g, e, x1, lst, dd, r, s, u, v, w, q, m, o, p, h, j, z, zz

for i in range(30):
    r = f(torch.arange(4.0), i)
for v in r:
    print(v)
print(log)

def default(a, b=[], c={}):
    b.append(a); c[a] = len(b)
    return b, c
for i in range(25):
    r = default(i % 3)
print(len(r[0]), r[1])

def star(a, /, b, *c, d=4, **e):
    return a, b, c, d, e
for i in range(25):
    r = [star(1, 2), star(1, b=2), star(1, 2, 3, 4, d=5, f=6), star(*[1, 2, 3], **{"d": 9, "a": 7})]
    errs = []
    for bad in (lambda: star(), lambda: star(1), lambda: star(a=1, b=2), lambda: star(1, 2, b=3), lambda: default(), lambda: len(), lambda: len(1, 2), lambda: f(1), lambda: star(1, 2, **{"d": 1}, d=2) if False else star(1, 2, **{3: 4})):
        try:
            errs.append(bad())
        except TypeError as e:
            errs.append(str(e))
print(r, errs)

acc = 0.0
big = 1
h = 0
for i in range(5000):
    acc += i * 0.1
    big = big * 3 % (2 ** 61 - 1) if i % 100 else big * big + i
    h = (h * 31 + i) & 0xFFFFFFFF
    if i % 1000 == 0:
        big %= 10 ** 30
print(acc, big, h)
k = 2 ** 62
for i in range(3000):
    k += 2 ** 51
print(k, k - 2 ** 63, -k // 7, k % 1000, k * k, k / 3, float(k), hash(k), k.bit_length())
