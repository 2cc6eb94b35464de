import torch
import torch.nn as nn

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([nn.Linear(4, 4) for _ in range(3)])
        self.stack = nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 4))

    def forward(self, x):
        for block in self.blocks[:-1]:
            x = torch.relu(block(x))
        x = self.stack[:2](x)
        if hasattr(self, 'extra'):
            x = x + self.extra
        return self.blocks[-1](x) * getattr(self, 'scale', 0.5) + len(self.blocks[1:])


class Clip(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, high):
        ctx.save_for_backward(x)
        return x.clamp(max=high)

    @staticmethod
    def backward(ctx, g):
        x, = ctx.saved_tensors
        return g * 2 * x, None


net = Net()
high = 0.5
x = torch.randn(2, 4)
w = torch.ones(5, requires_grad=True)
for i in range(40):
    x = x + 0.01 * net(x).detach()
    Clip.apply(w * 1.5, high).sum().backward()
    if i == 20:
        net.extra, net.scale, high = 0.1, 0.25, 0.75
    if i % 5 == 0:
        print(i, f'{x.sum().item():.4f}', [f'{g:.2f}' for g in w.grad.tolist()])
