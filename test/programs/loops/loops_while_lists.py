# Lists that grow in while loops: nothing tells beforehand how many items they get.
import torch
import torch.nn as nn
torch.manual_seed(0)
def collatz(n, x):
    out = []
    vals = []
    while n != 1:
        x = torch.tanh(x * 0.9 + n * 0.01)
        out.append(x)
        vals.append(n)
        n = n // 2 if n % 2 == 0 else 3 * n + 1
    return torch.stack(out), vals
for i in range(2, 40):
    o, v = collatz(i, torch.ones(3))
    if i % 7 == 0:
        print(i, o.shape, round(o.sum().item(), 4), v[-3:], sum(v))
cell = nn.GRUCell(4, 4)
opt = torch.optim.SGD(cell.parameters(), lr=0.1)
def gen(limit):
    h = torch.ones(1, 4)
    outs = []
    while len(outs) < limit and h.abs().sum().item() > 0.05:
        h = cell(h, h * 0.9)
        outs.append(h)
    return outs
for i in range(25):
    outs = gen(3 + i * 5 % 90)
    loss = torch.cat(outs).pow(2).mean() + outs[-1].sum() * 0.1
    opt.zero_grad()
    loss.backward()
    opt.step()
    if i % 6 == 0:
        print(i, len(outs), round(loss.item(), 6))
class Memory:
    def __init__(self):
        self.items = []
        self.rewards = []
    def fill(self, x, stop):
        total = 0.0
        while True:
            x = x * 1.1
            self.items.append(x)
            total += x.sum().item()
            self.rewards.append(total)
            if total > stop:
                break
        return total
for i in range(20):
    m = Memory()
    t = m.fill(torch.ones(2), 10 + i * 37 % 200)
    if i % 5 == 0:
        print(i, len(m.items), len(m.rewards), t, m.items[-1], m.rewards[-2:])
def count(n):
    x = torch.zeros(2)
    out = []
    while len(out) < n:
        x = x + 1
        out.append(x)
    return out
for n in [3, 5, 4, 6, 70, 100, 600, 5, 700, 80, 20]:
    out = count(n)
    print(len(out), out[-1], out[n // 2])
