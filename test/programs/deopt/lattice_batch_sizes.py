# The batch size moves with every call.
import torch
from torch import nn

torch.manual_seed(23)
net = nn.Sequential(nn.Linear(4, 6), nn.ReLU(), nn.Linear(6, 2))
opt = torch.optim.SGD(net.parameters(), lr=0.05)


def step(x, y):
    opt.zero_grad()
    loss = nn.functional.mse_loss(net(x), y)
    loss.backward()
    opt.step()
    return loss.item()


for i, n in enumerate([8, 8, 8, 8, 5, 8, 1, 13, 32, 7, 2, 64, 8, 9, 3]):
    x = torch.randn(n, 4)
    loss = step(x, x[:, :2])
    if i % 4 == 0:
        print(n, f"{loss:.5f}")
