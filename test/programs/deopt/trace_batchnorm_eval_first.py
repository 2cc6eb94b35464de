# Batch norm evaluated before it is trained: the switch must not be frozen at its first value.
import torch
import torch.nn as nn

torch.manual_seed(3)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 4, 3, padding=1)
        self.bn = nn.BatchNorm2d(4)
        self.fc = nn.Linear(4, 2)

    def forward(self, x):
        x = torch.relu(self.bn(self.conv(x)))
        if not self.training:
            x = x * 0.5
        return self.fc(x.mean((2, 3)))


def evaluate(net, x, y):
    net.eval()
    with torch.no_grad():
        return nn.functional.cross_entropy(net(x), y).item()


def train_step(net, optimizer, x, y):
    net.train()
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(net(x), y)
    loss.backward()
    optimizer.step()
    return loss.item()


net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(8, 1, 5, 5) + 1.0
y = torch.arange(8) % 2
for i in range(6):
    print(f"before {evaluate(net, x, y):.5f}")
for i in range(30):
    loss = train_step(net, optimizer, x, y)
    if i % 6 == 5:
        print(f"train {loss:.5f} eval {evaluate(net, x, y):.5f} seen {net.bn.num_batches_tracked.item()}")
print([f"{v:.4f}" for v in net.bn.running_mean.tolist()])
print([f"{v:.4f}" for v in net.bn.running_var.tolist()])
