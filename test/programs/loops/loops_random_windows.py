# Windows of a text that begin where random numbers say.
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
T, V = 8, 20
data = torch.randint(0, V, (200,))
net = nn.Sequential(nn.Embedding(V, 16), nn.Linear(16, V))
opt = torch.optim.AdamW(net.parameters(), lr=1e-2)
for it in range(60):
    ix = torch.randint(len(data) - T, (4,))
    x = torch.stack([data[i:i + T] for i in ix])
    y = torch.stack([data[i + 1:i + 1 + T] for i in ix])
    loss = F.cross_entropy(net(x).view(-1, V), y.view(-1))
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"{it} {loss.item():.4f}")
n = torch.tensor(0)
for it in range(40):
    n = (n + 7) % 196
    try:
        print(data[n - 2 : n + 2].tolist(), data[n : n + 6].sum().item(), len(data[n + 3 : n + 5]))
    except IndexError as e:
        print(e)
