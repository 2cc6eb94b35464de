import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(6, 8)
        self.norm = nn.BatchNorm1d(8)
        self.drop = nn.Dropout(0.3)
        self.last = nn.Linear(8, 2)

    def forward(self, x):
        return self.last(self.drop(torch.relu(self.norm(self.first(x)))))


net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
x = torch.randn(12, 6)
y = torch.randint(0, 2, (12,))

# The mode is decided in the loop.
total = 0.0
for step in range(60):
    net.train(step % 3 != 2)
    loss = F.cross_entropy(net(x), y)
    if net.training:
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    total += loss.item()
print(f"{total:.4f} {net.norm.num_batches_tracked.item()} {net.norm.running_mean.sum().item():.5f}")

# As arguments that the loop computes.
weight = torch.randn(6, 6, requires_grad=True)
shown = []
for step in range(60):
    noisy = (x.sum() * (step + 1)).item() % 1.0 > 0.5
    keep = step % 4 == 1
    h = F.dropout(x @ weight, 0.5, training=noisy)
    s = h.sum(1, keepdim=keep)
    total += s.sum().item() + s.dim()
    if step % 20 == 19:
        h.sum().backward()
        shown.append(round(weight.grad.sum().item(), 4))
print(f"{total:.3f}", shown)


def run(x, training):
    return F.dropout(torch.tanh(x), 0.25, training).mean()


parts = [run(x, bool(i % 2)).item() for i in range(40)]
print(f"{sum(parts[::2]):.5f} {sum(parts[1::2]):.5f}")
