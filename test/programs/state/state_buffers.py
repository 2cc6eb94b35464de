# Module buffers updated in forward, as in batch norm; state_dict holds them.
import torch
from torch import nn


class Running(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.register_buffer("mean", torch.zeros(n))
        self.register_buffer("steps", torch.tensor(0))
        self.scale = nn.Parameter(torch.ones(n))

    def forward(self, x):
        if self.training:
            with torch.no_grad():
                self.mean.mul_(0.9).add_(x.mean(0), alpha=0.1)
                self.steps += 1
        return (x - self.mean) * self.scale


torch.manual_seed(14)
m = Running(3)
for i in range(16):
    if i == 10:
        m.eval()
    out = m(torch.randn(4, 3))
    out.pow(2).mean().backward()
print(m.steps.item(), [f"{v:.4f}" for v in m.mean.tolist()], [f"{v:.4f}" for v in m.scale.grad.tolist()])
print(list(m.state_dict()), m.state_dict()["steps"])
