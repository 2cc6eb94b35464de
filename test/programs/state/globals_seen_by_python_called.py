"""Globals and cells that a loop assigns, read and assigned by Python that functions call, and by finalizers."""
g = 0
class K:
    def __init__(self, n): self.n = n
    def __add__(self, o):
        global g
        g += 100
        return self
    def __radd__(self, o):
        global g
        g += 10
        return 1
def bump():
    global g
    g += 1000
    return 1
fs = {"a": bump}
def unit(x, k):
    fs["a"]()
    return x
k = K(1)
total = 0
for i in range(3000):
    g = g + 1
    total += unit(i, k)
    total += g % 7
print(g, total)
lst = []
def unit2(x):
    sorted([3, 1, 2], key=lambda v: lst.append(v) or v)
    return x
cnt = 0
for i in range(2000):
    cnt += 1
    unit2(i)
    cnt += len(lst) % 5
print(cnt, len(lst))
def unit3(x):
    exec("h += 5", globals())
    return x
h = 0
t = 0
for i in range(1500):
    h += 1
    unit3(i)
    t += h
print(h, t)
class Fin:
    def __del__(self):
        global dels
        dels += 1
dels = 0
def mkfin(i):
    Fin()
    return i
s = 0
for i in range(2000):
    dels += 1
    s += mkfin(i) + dels
print(dels, s)
class Cyc:
    def __init__(self): self.me = self
    def __del__(self):
        global cyc
        cyc += 1
cyc = 0
s = 0
for i in range(5000):
    Cyc()
    s += 1
import gc; gc.collect()
print(cyc, s)
def outer():
    k = 0
    def hook(): 
        nonlocal k
        k += 3
        return k
    hs = [hook]
    def mid(x):
        return hs[x % 1]() + x
    t = 0
    for i in range(2000):
        k += 1
        t += mid(i)
        t += k % 11
    return k, t
print(outer())
def rec(n):
    global depthc
    if n == 0: return 0
    depthc += 1
    return fs["b"](n - 1) + 1
depthc = 0
fs["b"] = rec
t = 0
for i in range(300):
    depthc += 1
    t += rec(5) + depthc
print(depthc, t)
class Boom:
    def __del__(self):
        global flag
        flag = i
flag = -1
bad = 0
def keep(b): return len(hold)
hold = []
for i in range(3000):
    hold.append(Boom())
    if len(hold) > 3: hold.pop(0)
    bad += keep(1) - flag
print(flag, bad)
try:
    v = 0
    def ra(x):
        fs["a"]()
        if x == 1999: raise KeyError(x)
        return x
    for i in range(3000):
        v += 1
        g += 1
        v += ra(i)
except KeyError as e:
    print(e, v, g)
