# Parts of lists are written and deleted.
import torch
kept=[1,2,3,4,5]
def f(x,i,c):
    s=x*2+x.mean()
    p=[i,1,2,3,4,5]; q=[7,8]
    p[1:3]=q
    p[:0]=[i]
    del p[-2:]
    p[::2]=[0]*len(p[::2])
    q[:]=p
    q[5:2]=[99]
    if c: q[-1:]=[]
    else: q[1:1]=(5,6)
    del q[::3]
    kept[1:3]=[i]
    kept[len(kept):]=[i,i]
    kept[:]=kept[-5:]
    try: p[::2]=[1]
    except ValueError as e: print(e)
    return p,q,s.sum()
for i in range(20): print(f(torch.ones(3)*i,i,i%3==0),kept)
