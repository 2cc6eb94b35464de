import torch
torch.manual_seed(1)
layers = [torch.nn.Linear(4, 4) for _ in range(4)]
opt = torch.optim.SGD([p for l in layers for p in l.parameters()], lr=0.05)
def forward(x, gates):
    active = [l for l, g in zip(layers, gates) if g > 0]
    for l in active:
        x = torch.tanh(l(x))
    return x, len(active)
for i in range(40):
    gates = torch.randn(4).tolist()
    x, n = forward(torch.randn(3, 4), gates)
    loss = (x - 0.1).pow(2).mean()
    if n:
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(i, n, round(loss.item(), 5))
