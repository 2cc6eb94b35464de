# Python's own errors and borders, where the number that decides moves from call to call.
import torch, math
L=[10,20,30]; T=(1,2,3); D={1:'a',2:'b'}; S="hello"
def li(x,n): return x.sum()*L[n]
def lneg(x,n): return x.sum()*L[-n]
def ti(x,n): return x.sum()*T[n]
def di(x,n): return str(x.sum().item())+D[n]
def dg(x,n): return str(x.sum().item())+str(D.get(n))
def si(x,n): return str(x.sum().item())+S[n]
def dz(x,n): return x.sum()*(7//(n-2))
def mz(x,n): return x.sum()*(7%(n-2))
def tz(x,n): return x.sum()*(7/(n-2))
def dm(x,n): return x.sum()*divmod(9,n-3)[1]
def sh(x,n): return x.sum()*(1<<(n-2))
def shr(x,n): return x.sum()*(100>>(n-2))
def pw(x,n): return x.sum()*(2**(n-3))
def sq(x,n): return x.sum()*math.sqrt(n-2)
def lg(x,n): return x.sum()*math.log(n-1+1e-9 if n>1 else n-1)
def rg(x,n): return sum(x.sum()*i for i in range(0,6,n-2))
def rg2(x,n): return sum((x.sum()*i for i in range(n,-1,-1)), torch.tensor(0.))
def mul(x,n): return x.sum()+len([0]*(n-2))
def mul2(x,n): return x.sum()+len('ab'*(n-2))
def pop(x,n):
    l=[1,2,3]; v=l.pop(n-1); return x.sum()*v+len(l)
def ins(x,n):
    l=[1,2,3]; l.insert(n,9); return x.sum()+l[1]*10+len(l)
def dl(x,n):
    l=[1,2,3]; del l[n-1]; return x.sum()+sum(l)
def sl(x,n): return x.sum()+sum(L[n-3:n])
def sl2(x,n): return x.sum()+sum(L[:-n])
def sl3(x,n): return x.sum()+sum(L[::n-2])
def unpk(x,n):
    a,b=L[:n-1]; return x.sum()+a-b
def mn(x,n): return x.sum()+min(L[n:])
def mx(x,n): return x.sum()+max(L[:n-2])
def inn(x,n): return x.sum()+(n*10 in L)
def idx(x,n): return x.sum()+L.index(n*10)
def rem(x,n):
    l=[1,2,3]; l.remove(n); return x.sum()+sum(l)
def big(x,n): return x.sum()*0+((2**62)*(n-1))%1000
def big2(x,n): return x.sum()*0+float((n-2)*4611686018427387904)
def ab(x,n): return x.sum()*abs(n-3)
def rnd(x,n): return x.sum()*round((n-2)*0.5)
def it(x,n): return x.sum()*int((n-3)*0.7)
def fl(x,n): return x.sum()*math.floor((n-3)*0.7)+math.ceil((n-3)*.3)
def ch(x,n): return str(x.sum().item())+chr(97+n-3)
def fm(x,n): return f"{x.sum().item():.{n}f}"
def fm2(x,n): return f"{n:0{n+1}d} {n:>4} {n/3:.2e}" + str(x.sum().item())
def cmpc(x,n): return x.sum()*(1<n<4)
def bo(x,n): return x.sum()*((n-3) or 5)
def an(x,n): return x.sum()*((n-3) and 5)
def nt(x,n): return x.sum()*(not n-3)
def bw(x,n): return x.sum()*((n&1)|(n^2))
def inv(x,n): return x.sum()*(~n)
def cond(x,n): return x.sum() if n%2 else x.mean()
def whl(x,n):
    k=n; s=0
    while k>0: s+=k; k-=2
    return x.sum()*s
def whl2(x,n):
    s=x.sum(); k=0
    while s<20 and k<8: s=s*1.5+n; k+=1
    return s+k
def fore(x,n):
    for i in range(5):
        if i==n: break
    else: return x.sum()*100
    return x.sum()*i
def enu(x,n): return sum((x.sum()*i for i,v in enumerate(L) if i<n-1),torch.tensor(0.))
def zp(x,n): return sum((a*b for a,b in zip(x,L)),torch.tensor(0.))
def rv(x,n): return sum((v*i for i,v in enumerate(reversed(x))),torch.tensor(0.))
def st(x,n): return x.sum()+len({i%n for i in range(5)})
def dc(x,n): return x.sum()+len({i//n:i for i in range(5)})
def srt(x,n): return x.sum()+sorted(L,key=lambda v:-v*(n-2.5))[0]
def al(x,n): return x.sum()*(all(v>n*5 for v in L)+2*any(v<n*5 for v in L))
def mp(x,n): return sum(map(lambda v:v*x.sum(),L[:n-1]),torch.tensor(0.))
def ex(x,n):
    try: return x.sum()*L[n]
    except IndexError: return -x.sum()
def ex2(x,n):
    try:
        if n==4: raise ValueError(n)
        return x.sum()
    except ValueError as e: return x.sum()*2+e.args[0]
    finally: L[0]=10
def ass(x,n):
    assert n!=4, f"no {n}"
    return x.sum()
def kw(x,n): return x.sum()*(lambda a,b=2,*c,**d: a*b+len(c)+len(d))(n,*range(n-1),**{'k':1})
def stf(x,n): return x.sum()+int(str(n)+"1")
def join(x,n): return ",".join(str(i) for i in range(n))+str(x.sum().item())
def cplx(x,n): return x.sum()+abs(complex(n-3,4))
def fdiv(x,n): return x.sum()*((n-3)*0.1//0.3)
def fmod(x,n): return x.sum()*((n-3)*-0.7%0.4)
def frem(x,n): return x.sum()*math.fmod((n-3)*-0.7,0.4)
def isint(x,n): return x.sum()*isinstance(n,int)+hash(n)
def swap(x,n):
    a,b=n,x.sum(); a,b=b,a; return a*b
names=[k for k,v in list(globals().items()) if callable(v) and getattr(v,'__module__','')=='__main__']
LOOP = '''
f=globals()[k]; out=[]
for i in range(24):
    n=[3,3,4,3,3,4,2,3,1,4,0,5,3,2,3,1][i%16]
    try:
        r=f(torch.arange(float(n)),n); out.append(r if isinstance(r,str) else f'{float(r):.4g}')
    except Exception as e: out.append(type(e).__name__+str(e)[:24])
print(k,' '.join(out),flush=True)
'''
for k in names: exec(compile(LOOP,'<loop '+k+'>','exec'))
