"""Sequences and sizes, of derived classes too, put together: what class comes out of it."""
import torch
from collections import namedtuple
P = namedtuple("P", "a b")
class L(list): pass
class ST(str): pass
class BY(bytes): pass
torch.manual_seed(0)
x = torch.randn(2, 3)
def f(i, x):
    y = x * 0.9 + 0.1
    s = y.shape
    n = i % 3
    return y, (n,) + s, s + (n,), s * 2, n * s, s + s, [(1,) + P(n, 2), P(n, 1) + (2,), [n] + L([1]), L([n]) + [1]], torch.zeros((n,) + s).shape, type((n,) + s).__name__, s[1:] + s[:1]
def g(i, x):
    sh = (0,)
    for k in range(i % 4):
        if k % 2: sh = sh + (k,)
        else: sh = x.shape
    return x * 0.9, sh, [sh]
for i in range(40):
    x, *r = f(i, x)
    print(r)
for i in range(40):
    x, *r = g(i, x)
    print(r)
print("a" + ST("b"), ST("a") + "b", type(ST("a") + "b").__name__, b"a" + BY(b"b"), {1} | frozenset([2]), "%s" % ST("q"), [1] * True, (1,) * 2)
class SE(set): pass
class DS(dict): pass
print({1} | SE([2]), {1, 2} & SE([2]), {1} - SE([1]), {"a": 1} | DS(b=2), {1} == SE([1]), {1} <= SE([1, 2]), {"a": 1} == DS(a=1), 2 + True, [0][False])
l = [1]; l += L([2]); l += (3,); print(l, [1] == L([1]), (1, 2) == P(1, 2), (1, 2) < P(1, 3), P(1, 2) in [(1, 2)], [1, 2] < L([3]), sum([L([1]), [2]], []), "ab" == ST("ab"), ST("a") < "b")
