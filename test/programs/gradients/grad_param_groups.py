# Parameter groups with rates of their own, one added on the way, one frozen.
import torch
from torch import nn

torch.manual_seed(17)
body, head, extra = nn.Linear(3, 3), nn.Linear(3, 1), nn.Parameter(torch.ones(1))
opt = torch.optim.SGD([{"params": body.parameters(), "lr": 0.01}, {"params": head.parameters()}], lr=0.1, momentum=0.8)
x = torch.randn(7, 3)
for i in range(18):
    if i == 6:
        opt.add_param_group({"params": [extra], "lr": 0.5, "momentum": 0})
    loss = (head(torch.relu(body(x))) * extra - 1).pow(2).mean()
    opt.zero_grad(set_to_none=i % 2 == 0)
    loss.backward()
    if i > 12:
        body.weight.grad = None
    opt.step()
    if i % 6 == 5:
        print(i, f"{loss.item():.5f} {extra.item():.4f} {body.weight.sum().item():.5f}")
print(len(opt.param_groups), [g["lr"] for g in opt.param_groups])
