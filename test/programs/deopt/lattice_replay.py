# The transitions of a replay buffer are data: one that moves says so of all of them.
import torch, random
from collections import deque
random.seed(0); torch.manual_seed(0)
buf=deque(maxlen=20)
w=torch.randn(4,2,requires_grad=True)
opt=torch.optim.Adam([w],lr=0.01)
def step(i):
    s=torch.randn(4)
    a=(s@w).argmax().item()
    r=float(s[a])
    s2=torch.randn(4)
    buf.append((s,a,r,s2,i%7==0))
    if len(buf)<8: return 0.0
    batch=random.sample(buf,8)
    S=torch.stack([b[0] for b in batch]); A=torch.tensor([b[1] for b in batch]); R=torch.tensor([b[2] for b in batch]); S2=torch.stack([b[3] for b in batch]); D=torch.tensor([float(b[4]) for b in batch])
    q=(S@w).gather(1,A.unsqueeze(1)).squeeze(1)
    with torch.no_grad(): t=R+0.9*(S2@w).max(1).values*(1-D)
    loss=((q-t)**2).mean()
    opt.zero_grad(); loss.backward(); opt.step()
    return loss.item()
for i in range(60): print(f"{step(i):.3f}")
