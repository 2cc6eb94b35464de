# Random numbers on one side of a branch, in loops that move, in a loop that they end.
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(3)

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.GRUCell(4, 5)
        self.drop = nn.Dropout(0.3)
        self.out = nn.Linear(5, 2)

    def forward(self, xs):
        h = torch.zeros(2, 5)
        for x in xs:
            h = self.drop(self.cell(x, h))
        return self.out(h)

net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(30):
    n = 1 + (step * 7) % 40
    xs = torch.randn(n, 2, 4)
    loss = net(xs).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 5 == 0:
        print(step, n, round(loss.item(), 6))
print(torch.rand(3))

def maybe(x, p):
    if x.sum() > 0:
        x = x + torch.randn(3) * p
    else:
        x = x - 1
    y = torch.rand(3)
    return x * y

x = torch.ones(3)
for i in range(40):
    x = maybe(x if i % 3 else -x, 0.1)
    x = x / (x.abs().max() + 0.1)
print(x, torch.rand(2))

def walk(p):
    k = 0
    while torch.rand(1).item() < p:
        k += 1
    return k
print([walk(0.9) for _ in range(30)], torch.rand(2))

def pick(n, xs):
    total = torch.zeros(2)
    for i in range(n):
        j = torch.randint(0, len(xs), (1,)).item()
        total = total + xs[j]
    return total
xs = torch.arange(12.).reshape(6, 2)
for i in range(20):
    r = pick(i + 3, xs)
print(r, torch.rand(2))
