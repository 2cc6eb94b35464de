# A differential equation's residual: second derivatives in the loss.
import torch, torch.nn as nn, math
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 16), nn.Tanh(), nn.Linear(16, 1))
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
def grad(y, x):
    return torch.autograd.grad(y, x, torch.ones_like(y), create_graph=True)[0]
def residual(x, t):
    u = net(torch.cat([x, t], dim=1))
    ux = grad(u, x); ut = grad(u, t)
    uxx = grad(ux, x)
    return ut - 0.1 * uxx + u * ux
for step in range(60):
    x = (torch.rand(20, 1) * 2 - 1).requires_grad_()
    t = torch.rand(20, 1, requires_grad=True)
    r = residual(x, t)
    x0 = torch.rand(10, 1)
    b = net(torch.cat([x0, torch.zeros(10, 1)], 1)) + torch.sin(math.pi * x0)
    loss = (r ** 2).mean() + (b ** 2).mean()
    opt.zero_grad(); loss.backward(); opt.step()
    if step % 10 == 9: print(f"{step} {loss.item():.5f} {x.grad is None}")
