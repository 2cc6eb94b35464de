"""A small generative adversarial network."""

import torch, torch.nn as nn
torch.manual_seed(0)
G = nn.Sequential(nn.Linear(4, 16), nn.LeakyReLU(0.2, inplace=True), nn.BatchNorm1d(16), nn.Linear(16, 2), nn.Tanh())
D = nn.Sequential(nn.Linear(2, 16), nn.LeakyReLU(0.2), nn.Dropout(0.0), nn.Linear(16, 1), nn.Sigmoid())

def init(m):
    classname = m.__class__.__name__
    if classname.find('Linear') != -1:
        m.weight.data.normal_(0.0, 0.1)
        m.bias.data.fill_(0)
G.apply(init)
D.apply(init)
print(G)
print(D)
bce = nn.BCELoss()
og = torch.optim.Adam(G.parameters(), lr=0.002, betas=(0.5, 0.999))
od = torch.optim.Adam(D.parameters(), lr=0.002, betas=(0.5, 0.999))
for i in range(30):
    real = torch.randn(32, 2) * 0.1 + 0.5
    D.zero_grad()
    label = torch.full((32,), 1.0)
    out = D(real).view(-1)
    errD_real = bce(out, label)
    errD_real.backward()
    D_x = out.mean().item()
    noise = torch.randn(32, 4)
    fake = G(noise)
    label.fill_(0.0)
    out = D(fake.detach()).view(-1)
    errD_fake = bce(out, label)
    errD_fake.backward()
    od.step()
    G.zero_grad()
    label.fill_(1.0)
    out = D(fake).view(-1)
    errG = bce(out, label)
    errG.backward()
    og.step()
    if i % 6 == 0:
        print('[%d] Loss_D: %.4f Loss_G: %.4f D(x): %.4f' % (i, (errD_real + errD_fake).item(), errG.item(), D_x))
