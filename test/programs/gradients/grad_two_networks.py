# A generator and a discriminator with optimizers of their own, detach between them.
import torch
from torch import nn

torch.manual_seed(19)
G = nn.Sequential(nn.Linear(2, 6), nn.ReLU(), nn.Linear(6, 2))
D = nn.Sequential(nn.Linear(2, 6), nn.LeakyReLU(0.2), nn.Linear(6, 1))
og, od = torch.optim.Adam(G.parameters(), 0.01, betas=(0.5, 0.999)), torch.optim.Adam(D.parameters(), 0.01)
bce = nn.BCEWithLogitsLoss()
for i in range(16):
    real, z = torch.randn(8, 2) + 2, torch.randn(8, 2)
    fake = G(z)
    ld = bce(D(real), torch.ones(8, 1)) + bce(D(fake.detach()), torch.zeros(8, 1))
    od.zero_grad()
    ld.backward()
    od.step()
    lg = bce(D(fake), torch.ones(8, 1))
    og.zero_grad()
    lg.backward()
    og.step()
    if i % 5 == 0:
        print(i, f"{ld.item():.5f} {lg.item():.5f}")
print([f"{v:.4f}" for v in G(torch.zeros(1, 2))[0].tolist()])
