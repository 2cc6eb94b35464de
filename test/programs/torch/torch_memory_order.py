"""Random numbers go where the elements lie in memory, not where they come in the shape."""

import torch
import torch.nn as nn
import torch.nn.functional as F


def show(name, t):
    print(name, tuple(t.shape), t.stride(), [round(v, 4) for v in t.flatten().double().tolist()[:8]])


def likes(x):
    show("rand_like", torch.rand_like(x))
    show("randn_like", torch.randn_like(x))
    show("randint_like", torch.randint_like(x, 100))
    show("bernoulli", torch.bernoulli(x, 0.5))


torch.manual_seed(0)
x = torch.arange(60.0).view(3, 4, 5) + 1
print(torch.rand(1).item())
for x in (x, x.transpose(0, 1), x.permute(2, 0, 1), x.transpose(0, 1)[-1], x[:, ::2].transpose(1, 2)):
    likes(x)
likes(torch.ones(3, 1).expand(3, 4).t())
print(torch.randn_like(torch.ones(2, 1, 9).transpose(0, 1))[0, 1].tolist()[:3])


def filled(name, *args):
    for make in (lambda: torch.zeros(4, 6).t(), lambda: torch.zeros(4, 6, 2)[:, :, 0].t(), lambda: torch.zeros(6, 8)[:, ::2]):
        t = make()
        getattr(t, name)(*args)
        print(name, t.stride(), [round(v, 4) for v in t.flatten().tolist()[:8]])


filled("normal_")
filled("uniform_")
filled("bernoulli_", 0.5)
filled("bernoulli_", torch.linspace(0, 1, 24).view(6, 4))
filled("exponential_")
filled("random_", 100)

image = torch.zeros(1, 3, 2, 2).permute(0, 2, 3, 1)
show("image", torch.randn_like(image))
p = torch.tensor([[1.0, 2, 3], [4, 1, 1], [1, 1, 5], [2, 2, 2]])
print(torch.multinomial(p.t(), 2).tolist(), torch.multinomial(p.t(), 3, True).tolist())


def masked(x):
    a = F.dropout(x.transpose(0, 1), 0.5)
    b = F.dropout(x.permute(2, 0, 1)[:, 1], 0.3)
    c = F.dropout2d(x.transpose(0, 1).unsqueeze(0), 0.5)
    d = torch.randn_like(x.transpose(1, 2)) * 2
    return [round(t.double().pow(2).sum().item(), 3) for t in (a, b, c, d)]


x = torch.arange(60.0).view(3, 4, 5) / 10
for _ in range(4):
    print(masked(x))

torch.manual_seed(0)
x = torch.randn(3, 5, 8)
layer = nn.TransformerEncoderLayer(8, 2, 16, 0.1, activation="gelu", batch_first=True)
for _ in range(4):
    torch.manual_seed(1)
    print(f"{layer(x).pow(3).sum().item():.3f}")
print(torch.rand(1).item())
