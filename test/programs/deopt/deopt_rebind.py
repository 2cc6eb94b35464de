# A method, a function and an attribute that holds a callable are rebound in mid-training.
import torch
import torch.nn as nn

torch.manual_seed(5)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)
        self.act = torch.relu

    def head(self, h):
        return h.sum(dim=1)

    def forward(self, x):
        return self.head(self.act(self.fc(x)))


def penalty(net):
    return 0.0


def step(net, opt, x, y):
    opt.zero_grad()
    loss = ((net(x) - y) ** 2).mean() + penalty(net)
    loss.backward()
    opt.step()
    return loss.item()


def train(title, count=10):
    last = 0.0
    for _ in range(count):
        last = step(net, opt, x, y)
    print(f"{title}: {last:.5f}")


net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.02)
x = torch.randn(8, 4)
y = torch.randn(8)
train("as written")
Net.head = lambda self, h: h.mean(dim=1)
train("class method rebound")
net.act = torch.tanh
train("activation replaced")
net.head = lambda h: h.max(dim=1).values
train("instance attribute over the method")
del net.head
train("and away again")


def penalty(net):
    return 0.01 * sum((p * p).sum() for p in net.parameters())


train("global function rebound")
for group in opt.param_groups:
    group["lr"] = 0.001
train("learning rate changed")
net.fc = nn.Linear(4, 6)
opt = torch.optim.SGD(net.parameters(), lr=0.02)
train("layer replaced")
