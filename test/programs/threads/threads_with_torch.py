# Models trained in threads; what each thread has of torch's modes for itself; batches from a thread.
import torch, threading, queue, sys
import torch.nn as nn
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 4))
def train(seed, out, i):
    g = torch.Generator().manual_seed(seed)
    m = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 4))
    with torch.no_grad():
        for p in m.parameters(): p.copy_(torch.randn(p.shape, generator=g) * 0.1)
    opt = torch.optim.SGD(m.parameters(), lr=0.1, momentum=0.9)
    x = torch.randn(64, 16, generator=g); y = torch.randint(0, 4, (64,), generator=g)
    for s in range(80):
        opt.zero_grad(); loss = nn.functional.cross_entropy(m(x), y); loss.backward(); opt.step()
    out[i] = round(loss.item(), 4)
out = [None] * 4
ts = [threading.Thread(target=train, args=(i, out, i)) for i in range(4)]
[t.start() for t in ts]; [t.join() for t in ts]; print(out)
def nog(q):
    with torch.no_grad(): 
        q.put(torch.is_grad_enabled()); 
        ev.wait()
    q.put(torch.is_grad_enabled())
ev = threading.Event(); q = queue.Queue()
t = threading.Thread(target=nog, args=(q,)); t.start(); print(q.get(), torch.is_grad_enabled()); ev.set(); t.join(); print(q.get())
# producer/consumer of batches
def produce(q):
    g = torch.Generator().manual_seed(5)
    try:
        for i in range(40): q.put((torch.randn(32, 16, generator=g), torch.full((32,), i % 4)))
    finally:
        q.put(None)
q = queue.Queue(4); threading.Thread(target=produce, args=(q,), daemon=True).start()
opt = torch.optim.Adam(net.parameters(), lr=1e-2); tot = 0.0
while (b := q.get()) is not None:
    x, y = b; opt.zero_grad(); l = nn.functional.cross_entropy(net(x), y); l.backward(); opt.step(); tot += l.item()
print(round(tot, 3))
big = torch.ones(400, 400)
res = []
def mm():
    s = 0.0
    for _ in range(10): s += (big @ big).sum().item()
    res.append(s)
ts = [threading.Thread(target=mm) for _ in range(3)]; [t.start() for t in ts]; [t.join() for t in ts]; print(res)
