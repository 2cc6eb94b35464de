# What derived containers do besides: __missing__ through super(), __init__ of a tuple, mappings that are no dicts; hooks.
import torch
class P(tuple):
    def __init__(self, items):
        self.total = sum(items)
class D(dict):
    def __missing__(self, k):
        return 10
class E(D):
    def __getitem__(self, k):
        return super().__getitem__(k) + 1
class Keyed:
    def __init__(self, x): self.x = x
    def keys(self): return ["ab", "cd"]
    def __getitem__(self, k): return self.x
    def __iter__(self): return iter(["xy", "zw"])
class Box: pass
def f(x):
    p = P([x, x + 1])
    return p.total + p[0]
def g(x):
    d = D(); d["a"] = x
    e = E(); e["a"] = x
    try:
        m = e["q"]
    except KeyError:
        m = -1
    try:
        n = d["q"]
    except KeyError:
        n = -1
    return d["a"] + e["a"], m, n, "q" in d, d.get("q")
def h(x):
    d = {}
    d.update(Keyed(x))
    return d, dict(Keyed(x + 1)), x * 2
def k(x):
    if x.sum() > 3:
        a = b = Box()
        a.v = x
        c = d = [x]
    else:
        a = b = c = d = None
    return a, b, c, d, x * 2
w = torch.ones(3, requires_grad=True)
def make():
    w.register_hook(lambda g: g * 3)
def hooked(x):
    y = (w * w * x).sum()
    (g,) = torch.autograd.grad(y, w, create_graph=True)
    (q,) = torch.autograd.grad(g.sum(), w)
    return g, q
make()
for i in range(40):
    x = torch.full((3,), float(i % 4))
    r = k(x)
    if r[0] is not None:
        r[0].z = 1; r[2].append(5)
        same = (r[0] is r[1], r[2] is r[3], hasattr(r[1], "z"), len(r[3]))
    else: same = None
    o = f(x), g(x), h(x), hooked(x)
    if i > 30: print(o, same)
