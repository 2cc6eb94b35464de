# What may change between two calls of compiled code: attributes, containers, classes, modules, modes, hooks.
import torch, torch.nn as nn, torch.nn.functional as F, collections, enum, dataclasses, functools, itertools, math, random
torch.manual_seed(0)
X=torch.arange(6.).view(2,3)
class O: pass
o=O(); o.a=torch.ones(3); o.b=o.a; o.l=[1,2]; o.d={'k':1}; o.s={1,2}; o.t=(1,2); o.n=None; o.f=1.5; o.i=3; o.st='x'; o.flag=True
class P:
    scale=2
    def __init__(s,v): s.v=v
    @property
    def w(s): return s.v*P.scale
    def __add__(s,q): return P(s.v+q.v)
    def __eq__(s,q): return isinstance(q,P) and s.v==q.v
    def __hash__(s): return hash(s.v)
    def __len__(s): return int(s.v)
    def __bool__(s): return s.v>3
    def __contains__(s,x): return x==s.v
    def __iter__(s): return iter(range(int(s.v)))
    def __getitem__(s,i): return s.v*i
    def __call__(s,x): return x*s.v
    def __repr__(s): return f'P{s.v}'
class Q(P):
    def __call__(s,x): return super().__call__(x)+1
class E(enum.Enum):
    A=1; B=2
@dataclasses.dataclass
class DC:
    x:int=1
    y:list=dataclasses.field(default_factory=list)
NT=collections.namedtuple('NT','p q')
G={'mode':'a'}
def attr(i): o.i=i; return X.sum()*o.i
def attrs(i): o.st='xy'[i%2]; return X.sum()*(2 if o.st=='x' else 3)
def attrn(i): o.n=None if i%3 else X; return X.sum()*(2 if o.n is None else o.n.sum())
def flag(i): o.flag=i%5!=4; return X.sum()*(2 if o.flag else 5)
def lst(i): o.l.append(i); return X.sum()*len(o.l)+o.l[-1]
def lst2(i): o.l[0]=i; return X.sum()*o.l[0]
def lst3(i):
    if i%7==6: o.l=[5,6]
    return X.sum()+sum(o.l[:2])
def dct(i): o.d['k']=i; return X.sum()*o.d['k']
def dct2(i): o.d[i%4]=i; return X.sum()+len(o.d)+sum(v for v in o.d.values())
def sett(i): o.s.add(i%5); return X.sum()*len(o.s)
def tup(i): o.t=(i,)*(1+i%3); return X.sum()+sum(o.t)
def alias(i):
    o.a.add_(1); return (o.a+o.b).sum()
def alias2(i):
    if i%6==5: o.b=o.a.clone()
    o.a.mul_(0.5); return (o.a*o.b).sum()
def view(i):
    v=o.a[1:]; v+=i; return o.a.sum()
def view2(i):
    z=X.clone(); r=z[i%2]; r.zero_(); z[:,1]+=1; return z.sum()
def prop(i): p=P(i); P.scale=2+(i>10); return X.sum()*p.w
def cls(i): P.scale=i%4; return X.sum()*P.scale
def ops(i): return X.sum()*(P(i)+P(2)).v
def eq(i): return X.sum()*(P(i%4)==P(2))
def ln(i): return X.sum()*len(P(i%4))
def boo(i): return X.sum()*(1 if P(i%6) else 2)
def cont(i): return X.sum()*((i%3) in P(2))
def itr(i): return sum(((X*k).sum() for k in P(i%4)),torch.tensor(0.))
def geti(i): return X.sum()*P(i)[2]
def call(i): return (Q if i%3 else P)(i)(X).sum()
def en(i): return X.sum()*(E.A if i%3 else E.B).value
def dc(i): d=DC(i); d.y.append(i); return X.sum()*d.x+len(d.y)
def nt(i): a=NT(i,X); return (a.q*a.p).sum()
def ntr(i): a=NT(i,2)._replace(q=i%3); return X.sum()*a.p+a.q
def glob(i): G['mode']='ab'[i%2]; return X.sum()*(1 if G['mode']=='a' else -1)
fns=[torch.sin,torch.cos,lambda x:x*2]
def disp(i): return fns[i%3](X).sum()
def part(i): return functools.partial(torch.add,alpha=i%4)(X,X).sum()
def red(i): return functools.reduce(lambda a,b:a*b+i%3,[X.sum(),2.,3.])
def itc(i): return sum((X*a*b).sum() for a,b in itertools.product(range(i%3+1),[1,2]))
def chain(i): return sum((X*a).sum() for a in itertools.chain([1]*(i%3),[2]))
def acc(i): return X.sum()+list(itertools.accumulate(range(i%4+1)))[-1]
def gen(i):
    def g():
        for k in range(i%4): yield X*k
    return sum((v.sum() for v in g()),torch.tensor(0.))
def clos(i):
    c=0
    def inc(v):
        nonlocal c; c+=v; return c
    for k in range(i%4+1): inc(k)
    return X.sum()+c
def rec(i): return X.sum()*(lambda f,n:f(f,n))(lambda f,n:1 if n<2 else n*f(f,n-1),i%5)
def rnd(i): random.seed(i); return X.sum()*random.random()
def trn(i): torch.manual_seed(i); return (X+torch.randn(2,3)).sum() if i%3 else torch.rand(2).sum()
def drop(i): torch.manual_seed(i); return F.dropout(X,0.5,training=i%4!=3).sum()
def ng(i):
    w=torch.ones(3,requires_grad=True)
    with torch.set_grad_enabled(i%3!=0): y=(w*X).sum()
    if y.requires_grad: y.backward()
    return y.detach()+(w.grad.sum() if w.grad is not None else -1)
W=torch.ones(3,requires_grad=True)
def gacc(i):
    if i%4==0: W.grad=None
    (W*X).sum().backward(); return W.grad.sum()
def gz(i):
    if W.grad is not None: W.grad.zero_()
    (W*W*X*(i%3)).sum().backward(); return W.grad.sum()
def frz(i):
    W.requires_grad_(i%5!=4); y=(W*X).sum()
    return y.detach()*(2 if y.requires_grad else 3)
def det(i): y=W*X; z=(y.detach() if i%2 else y).sum(); return z.detach()*(1+z.requires_grad)
def dat(i): W.data=torch.full((3,),float(i%4)); return (W*X).sum().detach()
def nog(i):
    with torch.no_grad(): W.add_(0.1)
    return (W*X).sum().detach()
net=nn.Sequential(nn.Linear(3,4),nn.BatchNorm1d(4),nn.ReLU(),nn.Dropout(0.3),nn.Linear(4,1))
def mode(i):
    torch.manual_seed(i); net.train(i%4!=3); return net(X).sum().detach()
def swap(i):
    if i%6==5: net[2]=nn.Tanh() if i%12==5 else nn.ReLU()
    net.eval(); return net(X).sum().detach()
def par(i):
    with torch.no_grad(): net[0].weight.mul_(0.9)
    net.eval(); return net(X).sum().detach()
def newpar(i):
    if i%6==5: net[4].weight=nn.Parameter(torch.ones(1,4)*i)
    net.eval(); return net(X).sum().detach()
def hk(i):
    if i==8: o.h=net[0].register_forward_hook(lambda m,a,r:r*2)
    if i==16: o.h.remove()
    net.eval(); return net(X).sum().detach()
def dt(i): x=X.double() if i%5==4 else X; return (x*2).sum().item()*(2 if x.dtype==torch.float64 else 1)
def shp(i): x=torch.ones(i%4+1,i%3+1); return (x@x.t()).sum()+x.shape[0]*x.size(1)+x.numel()
def dev(i): return X.sum()*(X.device.type=='cpu')
def strd(i): x=X if i%3 else X.t(); return x.contiguous().view(-1)[1]*x.is_contiguous()+x.stride(0)
def exc(i):
    try:
        if i%5==4: raise KeyError('z')
        y=X.sum()
    except KeyError: y=X.mean()
    else: y=y+1
    finally: o.i=i
    return y
def mon(i):
    if i==9: P.__call__=lambda s,x:x*100
    return P(2)(X).sum()
def deln(i):
    o.tmp=i; v=o.tmp; del o.tmp; return X.sum()*v+hasattr(o,'tmp')
def getat(i): return X.sum()*getattr(o,'if'[i%2])+getattr(o,'zz',i)
def setat(i): setattr(o,'q%d'%(i%3),i); return X.sum()+len([k for k in vars(o) if k[0]=='q'])
def wal(i): return X.sum()*y if (y:=i%4)>1 else X.mean()
def mt(i):
    match (i%4, i%3):
        case (0,_): return X.sum()
        case (a,1) if a>1: return X.sum()*a
        case (a,b): return X.mean()*a+b
def sid(i): a=[X,X.clone()]; return X.sum()*(a[i%2] is X)
names=[k for k,v in list(globals().items()) if callable(v) and getattr(v,'__module__','')=='__main__' and type(v).__name__=='function']
LOOP = '''
f=globals()[k]; out=[]
for i in range(26):
    try:
        r=f(i); out.append(f'{float(r):.4g}')
    except Exception as e: out.append(type(e).__name__+str(e)[:24])
print(k,' '.join(out),flush=True)
'''
for k in names: exec(compile(LOOP,'<loop '+k+'>','exec'))
