"""Views that were made before the loop: writes to their base, through them, and between them."""

import torch
torch.manual_seed(0)
a = torch.zeros(4, 6)
r = a[1]; c = a[:, 2]; t = a.t(); e = torch.zeros(3, 1); ex = e.expand(3, 4); blk = a[1:3, ::2]; v = a.view(2, 12)
tot = 0.0
for i in range(40):
    a += i % 5
    tot += r.sum().item() + c.sum().item()
print(f"{tot:.0f}")
for i in range(40):
    r.mul_(0.5)
    t[0] += 1
    c.sub_(0.25)
    tot += a.sum().item() + blk.mean().item()
print(f"{tot:.0f}", a.sum().item())
for i in range(40):
    e += i % 3
    tot += ex.sum().item()
print(f"{tot:.0f}")
for i in range(40):
    v[0].add_(blk.sum())
    v *= 0.1
    tot += t.sum().item() + (a * a.t().t()).sum().item()
print(f"{tot:.0f}")
class M:
    def __init__(self):
        self.buf = torch.zeros(5, 3)
        self.last = self.buf[-1]
        self.head = self.buf[:2]
    def step(self, x):
        self.head += x
        self.last.copy_(self.head.sum(0))
        return self.buf.sum()
m = M()
for i in range(40):
    s = m.step(torch.ones(3) * (i % 4))
    m.buf.mul_(0.9)
    if i % 10 == 0: print(f"{s.item():.4f}", m.last.tolist())
w = torch.randn(3, requires_grad=True)
wd = w.detach()
for i in range(40):
    loss = (w * 2).sum()
    loss.backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
        w.grad = None
    tot += wd.sum().item()
print(f"{tot:.0f}")
