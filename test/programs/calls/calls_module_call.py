# nn.Module.__call__ with hooks, nested modules, and forward that takes keywords.
import torch
from torch import nn

torch.manual_seed(6)


class Block(nn.Module):
    def __init__(self, n, residual):
        super().__init__()
        self.lin = nn.Linear(n, n)
        self.residual = residual

    def forward(self, x, scale=1.0, *, act=torch.relu):
        y = act(self.lin(x)) * scale
        return x + y if self.residual else y


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([Block(4, i % 2 == 0) for i in range(3)])
        self.out = nn.Sequential(nn.Linear(4, 2), nn.LogSoftmax(dim=1))

    def forward(self, x):
        for i, block in enumerate(self.blocks):
            x = block(x, 0.5 + i, act=torch.tanh if i == 1 else torch.relu)
        return self.out(x)


net = Net()
seen = []
hook = net.blocks[1].register_forward_hook(lambda m, inp, out: seen.append(tuple(out.shape)))
for i in range(14):
    loss = -net(torch.randn(3, 4))[:, 0].mean()
    loss.backward()
    if i == 9:
        hook.remove()
print(len(seen), seen[0], f"{loss.item():.4f}", f"{net.blocks[0].lin.weight.grad.norm().item():.4f}")
