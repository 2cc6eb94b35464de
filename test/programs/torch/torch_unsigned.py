# uint16, uint32 and uint64: what PyTorch has of them, and what it refuses.
import torch
U=[torch.uint16,torch.uint32,torch.uint64]
for u in U:
    row=[]
    for d in [torch.bool,torch.uint8,torch.int8,torch.int16,torch.int32,torch.int64,torch.float16,torch.float32,torch.float64,torch.complex64]+U:
        try: row.append(str(torch.promote_types(u,d))[6:])
        except Exception as e: row.append('!'+str(e)[:100])
    print(u,row)
def t(s):
    try: print(s,'->',eval(s))
    except Exception as e: print(s,'!!',type(e).__name__,str(e).split('\n')[0][:200])
for u in U:
    row=[]
    for d in [torch.bool,torch.uint8,torch.int8,torch.int16,torch.int32,torch.int64,torch.float16,torch.float32,torch.float64,torch.complex64]+U:
        try: row.append(str(torch.promote_types(u,d))[6:])
        except Exception as e: row.append('!'+str(e)[:100])
    print(u,row)
x=torch.tensor([1,2,3],dtype=torch.uint16)
y=torch.tensor([3,2,1],dtype=torch.uint16)
def t(s):
    try: print(s,'->',eval(s))
    except Exception as e: print(s,'!!',type(e).__name__,str(e).split('\n')[0][:200])
for u in ['uint16','uint32','uint64']:
  x=torch.tensor([1,2,3],dtype=getattr(torch,u)); y=torch.tensor([3,2,1],dtype=getattr(torch,u))
  for s in '''x+y
x+1
x+1.5
x-y
x*y
x/y
x//y
x%y
x**2
-x
abs(x)
~x
x&y
x|y
x^y
x<<1
x>>1
x==y
x<y
x>1
x.sum()
x.mean()
x.prod()
x.max()
x.min()
x.argmax()
x.sort()
x.cumsum(0)
x.to(torch.int64)
x.to(torch.float32)
x.float()
x.bool()
torch.cat([x,y])
torch.stack([x,y])
torch.where(x==y,x,y)
x[1]
x[x==y]
x.clone()
x.tolist()
torch.arange(3,dtype=x.dtype)
torch.zeros(2,dtype=x.dtype)
torch.ones(2,dtype=x.dtype)
torch.full((2,),7,dtype=x.dtype)
torch.equal(x,y)
x.unique()
x.flip(0)
x.bitwise_and(y)
torch.maximum(x,y)
x.index_select(0,torch.tensor([0]))
x.gather(0,torch.tensor([0]))
x.any()
x.all()
x.nonzero()
x.fill_(3)
x.copy_(y)
x.view(torch.int16) if x.element_size()==2 else x.view(torch.int32)
x.masked_fill(x==y,1)
x.matmul(y)
x.item()
torch.tensor(-1,dtype=x.dtype)
torch.tensor(2**64-1,dtype=x.dtype)
torch.tensor(1.5).to(x.dtype)
torch.tensor(-1.5).to(x.dtype)
torch.tensor([-1]).to(x.dtype)
torch.isin(x,y)
x.repeat(2)
x.bincount()
x + torch.ones(3)
x + torch.ones(3,dtype=torch.uint8)
x + torch.ones(3,dtype=torch.int64)
x.scatter_add(0,torch.tensor([0]),y)
torch.empty_like(x).dtype
x.sign()
x.eq(1)
x.zero_()
x.random_()'''.split('\n'): t(s)
