# detach, requires_grad_ toggled on the way, frozen layers, item().
import torch
from torch import nn

torch.manual_seed(7)
a, b = nn.Linear(3, 3), nn.Linear(3, 1)
opt = torch.optim.SGD(list(a.parameters()) + list(b.parameters()), lr=0.1)
x, y = torch.randn(6, 3), torch.randn(6, 1)
before = a.weight.clone()
for i in range(100):
    if i == 5:
        for p in a.parameters():
            p.requires_grad_(False)
    if i == 12:
        a.requires_grad_(True)
    h = a(x)
    out = b(h.detach() if i % 4 == 3 else h)
    loss = (out - y).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if i in (4, 5, 11, 12, 15):
        print(i, f"{loss.item():.5f}", a.weight.grad is None, out.requires_grad, h.requires_grad)
print(f"{(a.weight - before).abs().sum().item():.4f}", a.weight.is_leaf, h.is_leaf, h.grad_fn is None)
