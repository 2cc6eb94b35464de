# Updates through .data end with an assignment of what is there.
import torch
import torch.nn as nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
for step in range(40):
    x = torch.randn(8, 4)
    loss = (net(x) - x.sum(1, keepdim=True)).pow(2).mean()
    net.zero_grad()
    loss.backward()
    for p in net.parameters():
        p.data -= 0.05 * p.grad.data
    print(f"{step} {loss.item():.4f}")

w = torch.ones(3, requires_grad=True)
other = torch.zeros(3)
for step in range(30):
    (w * w).sum().backward()
    version = w._version
    w.data -= 0.1 * w.grad
    w.data *= 0.99
    w.grad = None
    if step % 10 == 9:
        old = w.data
        w.data = torch.full((3,), float(step))
        old += 1
        print(step, w.tolist(), old.tolist())
        w.data = other
        other += 0.5
print(w.tolist(), w._version == version, other.tolist())
