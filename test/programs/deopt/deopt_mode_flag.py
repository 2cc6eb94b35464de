# A mode flag flips in mid-training, on the module and on an object of the script's own.
import torch
import torch.nn as nn

torch.manual_seed(3)


class Config:
    def __init__(self):
        self.scale_loss = False
        self.steps = 0


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(6, 8)
        self.drop = nn.Dropout(0.25)
        self.b = nn.Linear(8, 3)

    def forward(self, x):
        h = torch.tanh(self.a(x))
        if self.training:
            h = self.drop(h)
        return self.b(h)


def step(net, opt, config, x, y):
    opt.zero_grad()
    loss = nn.functional.cross_entropy(net(x), y)
    if config.scale_loss:
        loss = loss * 0.5
    loss.backward()
    opt.step()
    config.steps += 1
    return loss.item()


net = Net()
config = Config()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(16, 6)
y = torch.randint(0, 3, (16,))
for phase in range(4):
    if phase == 1:
        config.scale_loss = True
    if phase == 2:
        net.eval()
    if phase == 3:
        net.train()
        config.scale_loss = False
    total = 0.0
    for i in range(12):
        total += step(net, opt, config, x, y)
    print(f"phase {phase}: {total / 12:.4f} after {config.steps} steps")
print(net.a.weight.sum().item() > -100, config.steps)
