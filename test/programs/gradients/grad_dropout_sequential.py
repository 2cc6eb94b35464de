# Sequential with dropout inside ModuleDict, trained with two losses.
import torch
from torch import nn

torch.manual_seed(14)
net = nn.ModuleDict({
    "body": nn.Sequential(nn.Linear(4, 12), nn.LeakyReLU(0.1), nn.Dropout(0.25)),
    "a": nn.Linear(12, 3),
    "b": nn.Linear(12, 1),
})
opt = torch.optim.Adam(net.parameters(), lr=0.01)
x = torch.randn(10, 4)
ya, yb = torch.randint(0, 3, (10,)), torch.rand(10, 1)
for i in range(14):
    h = net["body"](x)
    la = nn.functional.cross_entropy(net["a"](h), ya)
    lb = nn.functional.binary_cross_entropy_with_logits(net["b"](h), yb)
    loss = la + 0.5 * lb
    opt.zero_grad()
    loss.backward()
    opt.step()
    if i % 5 == 0:
        print(i, f"{la.item():.5f} {lb.item():.5f}")
print(sorted(net.keys()), f"{torch.rand(1).item():.6f}")
