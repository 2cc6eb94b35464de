"""Tensors, functions and objects of other kinds where one kind came before."""
import torch
from torch import nn
torch.manual_seed(0)
base = torch.ones(3)
ts = [base, base + 1, base, base, nn.Parameter(torch.ones(3), requires_grad=False), nn.Parameter(torch.ones(3)), torch.ones(3, dtype=torch.float64), torch.ones(2), torch.ones(3, 1), torch.ones(6)[::2], torch.ones(3).requires_grad_(), torch.zeros(0)]
def f(v, x):
    y = v * 2 + 1
    return x * 0.9 + 0.1, type(v).__name__, isinstance(v, nn.Parameter), round(float(v.sum()), 3), str(y.dtype), tuple(y.shape), y.requires_grad, v.is_contiguous()
x = torch.randn(3)
for rep in range(3):
    for i, v in enumerate(ts):
        for again in range(2):
            x, *r = f(v, x)
            print(i, r)
class M(nn.Module):
    def forward(self, x): return x * 2
class N(M):
    def forward(self, x): return x * 3
class O(M):
    def __call__(self, x): return x * 5
def plain(x): return x * 7
fs = [M(), M(), M(), N(), O(), plain, torch.tanh, nn.Tanh(), (lambda x: x + 1), [].append]
def g(h, x):
    y = h(x)
    return x * 0.9 + 0.1, None if y is None else round(float(y.sum()), 3), type(h).__name__
for rep in range(3):
    for i, h in enumerate(fs):
        for again in range(2):
            x, *r = g(h, x)
            print(i, r)
class C:
    k = 1
    def m(self): return self.k
class D(C):
    def m(self): return -self.k
class E(C):
    def __getattr__(self, n): return 99
class F(C):
    @property
    def k(self): return 50
class G(C):
    def __getattribute__(self, n): return (lambda: 123) if n == "m" else 321
class H(C): __slots__ = ()
a, b = C(), C()
b.k = 5
cs = [C(), a, b, D(), E(), F(), G(), H(), C]
def h(o, x):
    return x * 0.9 + 0.1, o.k, (o.m() if not isinstance(o, type) else 0), getattr(o, "zz", None)
for rep in range(3):
    for i, o in enumerate(cs):
        for again in range(2):
            x, *r = h(o, x)
            print(i, r)
