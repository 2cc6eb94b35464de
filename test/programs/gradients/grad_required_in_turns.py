import torch
from torch import nn

torch.manual_seed(0)
critic, generator = nn.Linear(4, 1), nn.Linear(2, 4)
c_optimizer = torch.optim.SGD(critic.parameters(), 0.1)
g_optimizer = torch.optim.SGD(generator.parameters(), 0.1)
x, z = torch.randn(8, 4), torch.randn(8, 2)
for step in range(30):
    for p in critic.parameters():
        p.requires_grad_(True)
    loss = critic(generator(z).detach()).mean() - critic(x).mean()
    c_optimizer.zero_grad()
    loss.backward()
    c_optimizer.step()
    for p in critic.parameters():
        p.requires_grad = False
    g_optimizer.zero_grad()
    g_loss = -critic(torch.tanh(generator(z))).mean()
    g_loss.backward()
    g_optimizer.step()
    if step % 4 == 0:
        print(step, f"{loss.item():.5f} {g_loss.item():.5f}", [p.requires_grad for p in critic.parameters()],
              f"{critic.weight.grad.sum().item():.4f}")

frozen = nn.Linear(4, 4)
for step in range(20):
    if step == 10:
        for p in frozen.parameters():
            p.requires_grad_(False)
    out = critic(frozen(x)).sum() * 0.1
    critic.weight.requires_grad_(step % 2 == 0)
    total = (critic(frozen(x)) + out).sum()
    if total.requires_grad:
        total.backward()
    print(step, critic.weight.requires_grad, total.requires_grad, f"{critic.weight.grad.sum().item():.3f}",
          [None if p.grad is None else f"{p.grad.sum().item():.3f}" for p in frozen.parameters()])


def made_here(x):
    y = x * 2
    before = (y * y).sum()
    y.requires_grad_()
    loss = (y * 3).sum() + before
    loss.backward()
    return y.grad, loss


for i in range(12):
    grad, loss = made_here(torch.arange(3.0) + i)
    print(grad.tolist(), loss.item())
