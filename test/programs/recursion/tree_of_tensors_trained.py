# Training: leaves hold inputs, and a step changes what others of them share memory with.
import torch

torch.manual_seed(1)


class Leaf:
    def __init__(self, x):
        self.x = x
        self.children = []


class Inner:
    def __init__(self, x, children):
        self.x = x
        self.children = children


w = torch.randn(4, 4, requires_grad=True)
u = torch.randn(4, 4, requires_grad=True)


def encode(node):
    h = node.x @ w
    for child in node.children:
        h = h + encode(child) @ u
    return torch.tanh(h)


def make(n):
    if n == 0:
        return Leaf(torch.randn(4))
    return Inner(torch.randn(4), [make(n - 1) for _ in range(n)])


data = [make(n) for n in (0, 1, 2, 3)]
opt = torch.optim.SGD([w, u], lr=0.01)
losses = []
for step in range(120):
    h = encode(data[step % 4])
    loss = (h - 0.3).pow(2).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
    losses.append(loss.item())
print([f"{v:.2f}" for v in losses[::20]], f"{losses[-1]:.2f}")

# The tensors of a tree share memory with a parameter that each step changes.
data[1].x = w.detach()[0]
for step in range(40):
    loss = encode(data[1]).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
print(f"{loss.item():.2f}", data[1].x is w, (data[1].x == w[0]).all().item())
