"""Two models in turn through one training loop: the optimizer's state is empty at the first step of each."""
import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(32, 4)
y = (x[:, 0] * x[:, 1] > 0).long()
for width in (8, 12, 5):
    model = nn.Sequential(nn.Linear(4, width), nn.Tanh(), nn.Linear(width, 2))
    spare = nn.Linear(2, 2)
    opt = torch.optim.Adam([*model.parameters(), *spare.parameters()], lr=0.02)
    for epoch in range(30):
        out = model(x)
        if epoch >= 20:
            out = spare(out)
        loss = nn.functional.cross_entropy(out, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if epoch % 10 == 9:
            print(width, epoch, f"{loss.item():.4f}", len(opt.state), sum(v.abs().sum() > 0 for s in opt.state.values() for v in s.values()).item())
