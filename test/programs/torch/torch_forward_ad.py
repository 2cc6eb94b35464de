# Forward derivatives: dual tensors and what they carry.
import torch, torch.autograd.forward_ad as fwAD
torch.manual_seed(0)
p=torch.randn(3,3); t=torch.randn(3,3)
def fn(x,y): return x**2+y**2
with fwAD.dual_level():
    d=fwAD.make_dual(p,t); print(fwAD.unpack_dual(d).tangent is not None, torch.equal(fwAD.unpack_dual(d).tangent,t))
    o=fn(d,torch.ones(3,3)); q=fwAD.unpack_dual(o); print(q.primal, q.tangent, q.tangent.requires_grad)
    print(fwAD.unpack_dual(torch.ones(2)).tangent)
    print(fwAD.unpack_dual((d*2).sum()+1))
    print(fwAD.unpack_dual(torch.softmax(d,1)@d.T).tangent)
print(fwAD.unpack_dual(o).tangent)
m=torch.nn.Linear(3,2)
tans={n:torch.rand_like(q) for n,q in m.named_parameters()}
with fwAD.dual_level():
    for n,q in list(m.named_parameters()):
        delattr(m,n); setattr(m,n,fwAD.make_dual(q,tans[n]))
    o=m(p); jvp=fwAD.unpack_dual(o).tangent; print(jvp.detach())
    s=fwAD.unpack_dual(o).primal.requires_grad; print(s)
x=torch.randn(3,requires_grad=True)
with fwAD.dual_level():
    d=fwAD.make_dual(x,torch.ones(3)); y=(d**3).sum(); tt=fwAD.unpack_dual(y).tangent; print(round(tt.item(),4), torch.autograd.grad(tt,x))
with torch.no_grad():
    with fwAD.dual_level():
        d=fwAD.make_dual(p,t); print(fwAD.unpack_dual(d.sin().sum()).tangent)
    print(torch.is_grad_enabled())
for f in (lambda: fwAD.make_dual(p,t), lambda: fwAD.exit_dual_level()):
    try: f()
    except Exception as e: print(type(e).__name__,e)
with fwAD.dual_level():
    for f in (lambda: fwAD.make_dual(p,t[0]), lambda: fwAD.enter_dual_level(), lambda: fwAD.make_dual(torch.ones(2,dtype=torch.long),torch.ones(2))):
        try: f()
        except Exception as e: print(type(e).__name__,str(e).split('\n')[0])
