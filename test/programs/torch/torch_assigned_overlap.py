# What assignments to parts of a tensor read of the same tensor, and what PyTorch refuses.
import torch
def t(f):
    m=torch.arange(9.).reshape(3,3).clone()
    try: f(m); print(m.tolist())
    except RuntimeError as e: print(str(e)[:60])
def a(m): m[0:2]=m[0]
def b(m): m[1:]=m[:-1]
def c(m): m[:,0:2]=m[:,1:2]
def d(m): m[0:2]=m[2]
def e(m): m[0]=m[0]
def f(m): m[0:2].add_(m[0])
def g(m): m[1:]=m[0:1]
def h(m): m[:]=m.t()
def i(m): m[0:1]=m[0]
def j(m): m[0]=m[0:1]
for i_ in range(3):
    for q in (a,b,c,d,e,f,g,h,i,j): t(q)
x=torch.ones(3,requires_grad=True)
for _ in range(8):
    y=x*torch.arange(9.).reshape(3,3); y[0:2]=y[0]; y.sum().backward(); print(x.grad); x.grad=None
