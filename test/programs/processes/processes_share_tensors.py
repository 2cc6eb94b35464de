import torch, torch.nn as nn
import torch.multiprocessing as mp

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.f = nn.Linear(3, 2)
        self.register_buffer("count", torch.zeros(1))
    def forward(self, x):
        return self.f(x)

def train(rank, model, t):
    torch.manual_seed(rank)
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(50):
        opt.zero_grad()
        model(torch.ones(4, 3)).pow(2).mean().backward()
        opt.step()
    model.count += 1
    t[rank] = rank + 10.0

def produce(q, done):
    a = torch.arange(6).float().reshape(2, 3)
    q.put(a)
    q.put((a[1], "part"))
    done.wait()
    print("child sees", a.tolist())

if __name__ == "__main__":
    torch.manual_seed(0)
    for method in ("fork", "spawn"):
        ctx = mp.get_context(method)
        model = Net()
        print(model.f.weight.is_shared())
        model.share_memory()
        print(model.f.weight.is_shared(), model.count.is_shared())
        before = model.f.weight.detach().clone()
        t = torch.zeros(4).share_memory_()
        for rank in range(2):
            p = ctx.Process(target=train, args=(rank, model, t))
            p.start(); p.join()
            print(p.exitcode)
        print(method, model.count.item(), t.tolist(), torch.equal(before, model.f.weight), (model.f.weight.abs().sum() < before.abs().sum()).item())
        q, done = ctx.Queue(), ctx.Event()
        p = ctx.Process(target=produce, args=(q, done))
        p.start()
        a = q.get(); b, word = q.get()
        a[0, 0] = 77.0
        b[2] = 88.0
        print(a.tolist(), b.tolist(), word, a.is_shared())
        done.set()
        p.join()
        print(p.exitcode)
    w = torch.ones(2, requires_grad=True)
    try:
        q = mp.SimpleQueue()
        q.put(w * 2)
    except RuntimeError as e:
        print(e)
    v = torch.zeros(3)
    u = v[1:]
    print(u.share_memory_() is u, v.is_shared())
    u += 1
    print(v.tolist())
