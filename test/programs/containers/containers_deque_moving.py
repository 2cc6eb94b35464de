# Deques in hot loops: windows, queues, frames that are stacked, a replay buffer.
import torch
from collections import deque
torch.manual_seed(0)
w = torch.randn(4, 4) * 0.3
window = deque(maxlen=10)
x = torch.full((4,), 0.1)
for i in range(200):
    x = torch.tanh(x @ w + 0.1) + 0.01
    window.append(x.sum().item())
    avg = sum(window) / len(window)
    if i % 40 == 0:
        print(i, f"{avg:.5f}", len(window), f"{window[-1]:.4f} {window[0]:.4f}")
print(window.maxlen, [round(v, 4) for v in window])
q = deque([1, 2, 3])
tot = torch.zeros(2)
for i in range(100):
    a = q.popleft()
    q.append(a + 1)
    tot = tot + a
    if i % 30 == 0: print(a, q, isinstance(q, deque), type(q) is deque)
print(tot)
hist = deque([torch.zeros(3)] * 4, maxlen=4)
for i in range(100):
    frame = torch.full((3,), float(i))
    hist.append(frame)
    state = torch.stack(list(hist)).mean(0)
    if i % 25 == 0: print(i, state)
class Buf:
    def __init__(self, n): self.mem = deque(maxlen=n)
    def add(self, s, r): self.mem.append((s, r))
    def __len__(self): return len(self.mem)
import random
random.seed(1)
b = Buf(50); acc = torch.zeros(3)
for i in range(150):
    s = torch.full((3,), i * 0.1)
    b.add(s, float(i))
    if len(b) >= 8:
        batch = random.sample(b.mem, 8)
        ss = torch.stack([t[0] for t in batch]); rr = torch.tensor([t[1] for t in batch])
        acc = acc + (ss.mean(0) * rr.mean())
    if i % 30 == 0: print(i, len(b), [round(v, 2) for v in acc.tolist()])
