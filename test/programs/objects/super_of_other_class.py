"""super() of what is no instance of the class raises: a frozen dataclass with slots is made anew behind its methods."""
from dataclasses import dataclass
class A:
    pass
class B:
    def f(self): return 1
    def __setattr__(self, n, v): super(B, self).__setattr__(n, v)
OldB = B
class C:
    __slots__ = ('a',)
    def __setattr__(self, n, v): super(OldB, self).__setattr__(n, v)
def step(i):
    c = C()
    try:
        c.new = i
    except Exception as e:
        return type(e).__name__, str(e)
    return 'none'
for i in range(10): print(i, step(i))
@dataclass(frozen=True, slots=True)
class R:
    a: int = 1
def step2(i):
    r = R(i)
    try:
        r.new = i
    except Exception as e:
        return type(e).__name__, str(e)
    return 'none'
for i in range(10): print(i, step2(i))
import torch
def step3(x,i):
    r = R(i)
    x=x*2
    try:
        r.new = i
    except Exception as e:
        return x,type(e).__name__, str(e)
    return 'none'
for i in range(10): print(i, step3(torch.ones(2),i))
