# Frames that Python sees from operators, functions and finalizers that hot code calls: names and lines, each time anew.
import sys, traceback
class A:
    def __init__(self, v): self.v = v
    def __add__(self, o):
        global D
        D = [f.f_lineno for f in frames()]
        return A(self.v + o.v)
    def __eq__(self, o):
        raise ValueError("eq")
def frames():
    f = sys._getframe(1)
    out = []
    while f:
        out.append(f); f = f.f_back
    return out
def inner(a, n):
    b = a
    for i in range(n):
        b = b + a
        c = b + \
            b
    return b
def outer(n):
    s = A(0)
    for k in range(n):
        s = inner(s, 3)
    return s
for t in range(200):
    outer(6)
    if t % 60 == 0: print(D)
def look(*a): return [f.f_lineno for f in frames()], [f.f_code.co_name for f in frames()]
def calls(n):
    out = None
    for i in range(n):
        x = look(*[1])
        y = (look(),
             look(*[2]))
        out = x, y
    return out
for t in range(100):
    r = calls(20)
print(r)
def err(a, n):
    for i in range(n):
        try:
            a == a
        except ValueError:
            t = traceback.format_exc()
    return t
for t in range(50): r = err(A(1), 30)
print(r)
kept = []
def keeps(*a):
    kept.append(sys._getframe(1)); return kept[-1].f_lineno
def kk(n):
    s = 0
    for i in range(n):
        s += keeps(*[i])
        s += keeps(*[i])
    return s
for t in range(40): kk(20)
print(len(kept), {f.f_code.co_name for f in kept})
