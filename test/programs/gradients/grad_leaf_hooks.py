# Hooks on parameters: there from the start, added later, removed again.
import torch

w = torch.ones(2, requires_grad=True)


def step():
    w.grad = None
    (w * w).sum().backward()
    return w.grad.tolist()


handle = None
for i in range(216):
    if i == 6:
        handle = w.register_hook(lambda g: g * 10)
    if i == 12:
        handle.remove()
    print(i, step())

m = torch.nn.Linear(8, 1)
torch.nn.init.constant_(m.weight, 0.1)
torch.nn.init.zeros_(m.bias)
x = torch.linspace(-1, 2, 64).view(8, 8)
m.weight.register_hook(lambda g: torch.clamp(g, -0.1, 0.1))
opt = torch.optim.SGD(m.parameters(), lr=0.1)
for i in range(168):
    opt.zero_grad()
    loss = (m(x) - 1).pow(2).mean()
    loss.backward()
    opt.step()
    print(i, f"{loss.item():.4f}")
