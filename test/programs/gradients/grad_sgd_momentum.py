# SGD with momentum, dampening, nesterov and weight decay in turn.
import torch
from torch import nn

options = [
    dict(lr=0.1),
    dict(lr=0.1, momentum=0.9),
    dict(lr=0.05, momentum=0.9, nesterov=True),
    dict(lr=0.1, momentum=0.5, dampening=0.3, weight_decay=0.01),
    dict(lr=0.01, maximize=True),
]
for kw in options:
    torch.manual_seed(1)
    model = nn.Linear(4, 2)
    opt = torch.optim.SGD(model.parameters(), **kw)
    x, y = torch.randn(12, 4), torch.randn(12, 2)
    for i in range(12):
        opt.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        opt.step()
    print(kw, f"{loss.item():.6f}", f"{model.weight.sum().item():.5f}")
