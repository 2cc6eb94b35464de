# Dropout draws in a training step, and none in evaluation: the random stream goes on exactly.
import torch
from torch import nn

torch.manual_seed(10)
net = nn.Sequential(nn.Linear(6, 10), nn.ReLU(), nn.Dropout(0.4), nn.Linear(10, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.05)
x, y = torch.randn(9, 6), torch.randn(9, 1)


def train():
    opt.zero_grad()
    loss = nn.functional.mse_loss(net(x), y)
    loss.backward()
    opt.step()
    return loss.item()


for epoch in range(14):
    net.train()
    loss = train()
    net.eval()
    with torch.no_grad():
        val = nn.functional.mse_loss(net(x), y)
    if epoch % 4 == 0:
        print(epoch, f"{loss:.5f} {val.item():.5f}")
print(torch.rand(3).tolist())
