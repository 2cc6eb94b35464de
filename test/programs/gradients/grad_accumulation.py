# Gradients accumulate over micro-batches; the step happens every third one.
import torch
from torch import nn

torch.manual_seed(5)
model = nn.Linear(3, 1)
opt = torch.optim.Adam(model.parameters(), lr=0.05)
steps = 0
opt.zero_grad()
for i in range(24):
    x = torch.randn(4, 3)
    y = x.sum(1, keepdim=True)
    loss = nn.functional.mse_loss(model(x), y) / 3
    loss.backward()
    if (i + 1) % 3 == 0:
        opt.step()
        opt.zero_grad()
        steps += 1
    if i % 8 == 0:
        print(i, f"{loss.item():.5f}", model.weight.grad is None)
print(steps, [f"{v:.4f}" for v in model.weight[0].tolist()])
