# A small convolutional net with batch norm and pooling.
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(10)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 3, 3, padding=1)
        self.bn = nn.BatchNorm2d(3)
        self.conv2 = nn.Conv2d(3, 4, 3, stride=2)
        self.fc = nn.Linear(4 * 1 * 1, 2)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.bn(self.conv1(x))), 2)
        x = F.relu(self.conv2(x))
        return self.fc(torch.flatten(x, 1))


net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
x, y = torch.randn(6, 1, 8, 8), torch.tensor([0, 1, 0, 1, 1, 0])
for i in range(10):
    opt.zero_grad()
    loss = F.cross_entropy(net(x), y)
    loss.backward()
    opt.step()
    if i % 3 == 0:
        print(i, f"{loss.item():.4f}")
net.eval()
print((net(x).argmax(1) == y).sum().item(), f"{net.bn.running_mean.sum().item():.4f}", net.bn.num_batches_tracked.item())
