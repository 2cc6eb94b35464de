# Sizes, indices and values that are right at one call and wrong at the next: compiled code must notice.
import torch, torch.nn.functional as F
W=torch.arange(12.).view(4,3); E=torch.randn(5,2,generator=torch.Generator().manual_seed(0))
def ce(x,n): return F.cross_entropy(W, torch.tensor([0,1,2,n%5]))
def nll(x,n): return F.nll_loss(W, torch.tensor([0,1,2,n%5]))
def emb(x,n): return F.embedding(torch.tensor([n,1]),E).sum()
def oneh(x,n): return F.one_hot(torch.tensor([n,1]),4).sum()
def bce(x,n): return F.binary_cross_entropy(x*0+n*0.3, x*0)
def gat(x,n): return W.gather(1, torch.tensor([[n],[0],[1],[2]])).sum()
def isel(x,n): return W.index_select(0, torch.tensor([n,0])).sum()
def iadd(x,n): return torch.zeros(4).index_add(0, torch.tensor([n,0]), torch.ones(2)).sum()
def scat(x,n): return torch.zeros(4).scatter(0, torch.tensor([n,0]), torch.ones(2)).sum()
def iput(x,n): 
    z=torch.zeros(4); z[torch.tensor([n,0])]=1.; return z.sum()
def take(x,n): return W[torch.tensor([n,0])].sum()
def neg(x,n): return W[-n].sum()
def view(x,n): return x.view(2,-1).sum()
def view2(x,n): return x.view(n//2,2).sum()
def cat(x,n): return torch.cat([x[None],torch.ones(1,3)]).sum()
def stack(x,n): return torch.stack([x,torch.ones(3)]).sum()
def mm(x,n): return x@torch.ones(3)
def mm2(x,n): return (x[None]@torch.ones(3,2)).sum()
def add(x,n): return (x+torch.ones(3)).sum()
def whr(x,n): return torch.where(x>2,x,torch.zeros(3)).sum()
def mask(x,n): return x[torch.tensor([True,False,True])].sum()
def unp(x,n):
    a,b,c=x; return a+b*c
def unp2(x,n):
    a,*b=x; return a+len(b)
def item(x,n): return torch.tensor(x[:n-2].item())
def boo(x,n): return torch.tensor(1 if x else 0)
def itm(x,n): return x.sum()/x.item()
def spl(x,n): 
    a,b=x.split(2); return a.sum()*b.sum()
def spl2(x,n): return x.split([2,2])[1].sum()
def chu(x,n):
    a,b=x.chunk(2); return (a*b).sum()
def lin(x,n): return F.linear(x,W).sum()
def ln(x,n): return F.layer_norm(x,(3,)).sum()
def bwd(x,n):
    w=torch.ones(n,requires_grad=True); (w*2).backward(); return w.grad.sum()
def cp(x,n):
    z=torch.zeros(3); z.copy_(x); return z.sum()
def setsl(x,n):
    z=torch.zeros(5); z[1:4]=x; return z.sum()
def setrow(x,n):
    z=torch.zeros(2,3); z[1]=x; return z.sum()
def inp(x,n):
    z=torch.zeros(3); z+=x; return z.sum()
def mse(x,n): return F.mse_loss(x,torch.ones(3))
def cosl(x,n): return F.cosine_similarity(x,torch.ones(3),dim=0)
def outer(x,n): return torch.outer(x,torch.ones(3)).sum()
def mea(x,n): return x[:n-3].mean()
def std(x,n): return x[:n-2].std()
def sqz(x,n): return x[:n-2].squeeze(0).dim()*x.sum()
def cyc(x,n): return x.roll(n).sum()
def rep(x,n): return x.repeat_interleave(n-2).sum()
def unf(x,n): return x.unfold(0,3,1).sum()
def pd(x,n): return F.pad(x,(0,2-n)).sum()
def mp(x,n): return F.max_pool1d(x[None,None],4).sum()
def ap(x,n): return F.avg_pool1d(x[None,None],4).sum()
def c1(x,n): return F.conv1d(x[None,None],torch.ones(1,1,4)).sum()
def srt(x,n): return x.sort()[0][2]
def tk(x,n): return x.topk(3)[0].sum()
def lst(x,n): return [x,x*2,x*3][n-1].sum()
def dic(x,n): return {1:x,2:x*2}[n].sum()
def mini(x,n): return min(x.tolist())+x.sum()
def cumm(x,n): return x.cumsum(0)[3]
def dt(x,n): return torch.dot(x,torch.ones(3))
def lerpp(x,n): return x.lerp(torch.ones(3),.5).sum()
def cro(x,n): return torch.maximum(x,torch.ones(3)).sum()
def flp(x,n): return x.flip(0)[2]
def trn(x,n): return x[:n-1].unsqueeze(0).transpose(0,1)[1].sum()
names=[k for k,v in list(globals().items()) if callable(v) and getattr(v,'__module__','')=='__main__']
LOOP = '''
f=globals()[k]; out=[]
for i in range(24):
    n=[3,3,4,3,3,4,2,3,1,4,0,5,3,2,3,1][i%16]
    try: r=f(torch.arange(float(n)),n); out.append(f'{float(r):.5g}')
    except Exception as e: out.append(type(e).__name__)
print(k,' '.join(out),flush=True)
'''
for k in names: exec(compile(LOOP,'<loop '+k+'>','exec'))
