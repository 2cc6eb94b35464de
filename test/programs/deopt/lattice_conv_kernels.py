# One forward method for convolutions of several kernels, paddings and widths: what they have in
# common is compiled once, their kernels are not.
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(3)


class Block(nn.Module):
    def __init__(self, inputs, outputs, **how):
        super().__init__()
        self.conv = nn.Conv2d(inputs, outputs, bias=False, **how)

    def forward(self, x):
        return F.relu(self.conv(x))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = Block(2, 3, kernel_size=1)
        self.wide = Block(3, 4, kernel_size=3, padding=1)
        self.wider = Block(4, 4, kernel_size=5, padding=2)
        self.flat = Block(4, 6, kernel_size=(1, 3), padding=(0, 1))
        self.point = Block(6, 4, kernel_size=1)
        self.again = Block(4, 4, kernel_size=3, padding=1)
        self.point2 = Block(4, 5, kernel_size=1)
        self.last = Block(5, 2, kernel_size=3, stride=2)

    def forward(self, x):
        x = self.wide(self.first(x))
        x = self.flat(self.wider(x))
        x = self.again(self.point(x))
        return self.last(self.point2(x))


net = Net()


def step(size):
    y = net(torch.randn(2, 2, size, size))
    y.sum().backward()
    print(list(y.shape), f"{y.sum().item():.4f}")


step(7)
step(7)
step(9)
step(8)
step(7)
print([f"{p.grad.sum().item():.4f}" for p in net.parameters()])
