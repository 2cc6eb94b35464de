# Calls with random batch sizes, lengths, flags and options: a bounded number of compiles.
import random
import torch
import torch.nn as nn

random.seed(1)
torch.manual_seed(1)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Linear(8, 16)
        self.cell = nn.Linear(32, 16)
        self.head = nn.Linear(16, 4)

    def forward(self, x, scale, normalise, layers):
        h = torch.zeros(x.size(1), 16)
        for t in range(x.size(0)):
            h = torch.tanh(self.cell(torch.cat([self.embed(x[t]), h], 1)))
        for _ in range(layers):
            h = h + torch.relu(h) * scale
        if normalise:
            h = h / (h.norm() + 1.0)
        return self.head(h)


net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.01)


def call(batch, length, scale, normalise, layers):
    x = torch.randn(length, batch, 8)
    y = torch.randint(4, (batch,))
    out = net(x, scale, normalise, layers)
    loss = nn.functional.cross_entropy(out, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss.detach()


total = torch.zeros(())
for i in range(400):
    total = total + call(random.randint(1, 32), random.randint(1, 12), random.randint(1, 5), random.random() < 0.5, random.randint(0, 3))
print(f"{total.item():.2f}")
