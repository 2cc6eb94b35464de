# Gradient norm and value clipping between backward and step.
import torch
from torch import nn

torch.manual_seed(4)
model = nn.Sequential(nn.Linear(4, 6), nn.Tanh(), nn.Linear(6, 1))
opt = torch.optim.SGD(model.parameters(), lr=0.5)
x, y = torch.randn(10, 4), torch.randn(10, 1) * 10
for i in range(18):
    opt.zero_grad()
    loss = nn.functional.mse_loss(model(x), y)
    loss.backward()
    if i < 12:
        norm = nn.utils.clip_grad_norm_(model.parameters(), max_norm=1.0)
    else:
        nn.utils.clip_grad_value_(model.parameters(), 0.2)
    opt.step()
    if i % 6 == 0:
        print(i, f"{loss.item():.5f} {norm.item():.4f}")
print(f"{max(p.grad.abs().max().item() for p in model.parameters()):.4f}")
