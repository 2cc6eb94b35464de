# The last batch is smaller than the others.
import torch
from torch import nn

torch.manual_seed(20)
X = torch.randn(22, 4)
Y = X.sum(1, keepdim=True)
model = nn.Linear(4, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.05)


def epoch():
    sizes = []
    last = None
    for xb, yb in zip(X.split(6), Y.split(6)):
        loss = nn.functional.mse_loss(model(xb), yb)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sizes.append(len(xb))
        last = loss
    return sizes, last


for e in range(8):
    sizes, last = epoch()
print(sizes, f"{last.item():.6f}")
print([f"{v:.4f}" for v in model.weight[0].tolist()])
