import torch, torch.nn as nn
torch.manual_seed(0)
D = nn.Sequential(nn.Linear(6, 8), nn.LeakyReLU(0.2, inplace=True), nn.Linear(8, 4), nn.ReLU(inplace=True), nn.Linear(4, 1))
opt = torch.optim.Adam(D.parameters(), lr=1e-2)
def penalty(D, real, fake):
    alpha = torch.rand(real.size(0), 1)
    inter = (alpha * real + (1 - alpha) * fake).requires_grad_(True)
    d = D(inter)
    ones = torch.ones(real.shape[0], 1)
    g = torch.autograd.grad(outputs=d, inputs=inter, grad_outputs=ones, create_graph=True, retain_graph=True, only_inputs=True)[0]
    return ((g.view(g.size(0), -1).norm(2, dim=1) - 1) ** 2).mean()
for i in range(60):
    real, fake = torch.randn(5, 6), torch.randn(5, 6) * 2
    opt.zero_grad()
    loss = -D(real).mean() + D(fake).mean() + 10 * penalty(D, real, fake.data)
    loss.backward()
    opt.step()
    if i % 6 == 0:
        print(i, f"{loss.item():.4f}")
w = torch.randn(3, requires_grad=True)
def several(x):
    y = x * w
    z = y * 2
    y.add_(w * w)      # z was made of y before
    y.sigmoid_()
    u = y + z
    u.mul_(0.5).neg_()
    u.add_(y)
    g, = torch.autograd.grad(u.sum(), w, create_graph=True)
    h, = torch.autograd.grad((g * g).sum(), w)
    return g.detach(), h
for i in range(300):
    g, h = several(torch.randn(3))
    if i % 60 == 0:
        print([f"{v:.4f}" for v in g.tolist() + h.tolist()])
