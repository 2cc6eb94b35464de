# A gradient penalty, as in WGAN-GP.
import torch, torch.nn as nn
torch.manual_seed(0)
class D(nn.Module):
    def __init__(s):
        super().__init__()
        s.net = nn.Sequential(nn.Linear(8, 16), nn.LeakyReLU(0.2), nn.Linear(16, 16), nn.Tanh(), nn.Linear(16, 1))
    def forward(s, x): return s.net(x).view(-1)
class G(nn.Module):
    def __init__(s):
        super().__init__()
        s.net = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 8))
    def forward(s, z): return s.net(z)
d, g = D(), G()
od = torch.optim.Adam(d.parameters(), lr=1e-3, betas=(0.5, 0.9))
og = torch.optim.Adam(g.parameters(), lr=1e-3, betas=(0.5, 0.9))
def penalty(real, fake):
    eps = torch.rand(real.size(0), 1).expand(real.size())
    mixed = (eps * real + (1 - eps) * fake).requires_grad_(True)
    out = d(mixed)
    grad = torch.autograd.grad(outputs=out, inputs=mixed, grad_outputs=torch.ones(out.size()), create_graph=True, retain_graph=True, only_inputs=True)[0]
    grad = grad.view(grad.size(0), -1)
    return ((grad.norm(2, dim=1) - 1) ** 2).mean() * 10
for step in range(60):
    real = torch.randn(6, 8) * 0.5 + 1
    for _ in range(2):
        fake = g(torch.randn(6, 4)).detach()
        ld = d(fake).mean() - d(real).mean() + penalty(real, fake)
        od.zero_grad(); ld.backward(); od.step()
    lg = -d(g(torch.randn(6, 4))).mean()
    og.zero_grad(); lg.backward(); og.step()
    if step % 10 == 9: print(f"{step} {ld.item():.4f} {lg.item():.4f}")
