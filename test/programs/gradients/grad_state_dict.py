# state_dict saved in the loop, restored when the loss gets worse.
import copy

import torch
from torch import nn

torch.manual_seed(16)
model = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
opt = torch.optim.SGD(model.parameters(), lr=1.5, momentum=0.9)
x, y = torch.randn(12, 3), torch.randn(12, 1)
best, saved, restores = float("inf"), None, 0
for i in range(24):
    loss = nn.functional.mse_loss(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if loss.item() < best:
        best = loss.item()
        saved = copy.deepcopy(model.state_dict())
    elif i % 4 == 3:
        model.load_state_dict(saved)
        for g in opt.param_groups:
            g["lr"] *= 0.5
        restores += 1
print(restores, f"{best:.5f}", f"{opt.param_groups[0]['lr']:.4f}", list(saved))
print(len(opt.state_dict()["state"]), f"{sum(p.sum().item() for p in model.parameters()):.4f}")
