import torch
import torch.nn as nn
import torch.nn.functional as F

x = torch.ones(1000)
torch.manual_seed(0)
y = F.dropout(x, 0.3)
values = sorted(set(round(v, 4) for v in y.tolist()))
print(values, 0.6 < (y > 0).float().mean().item() < 0.8)
print(F.dropout(x[:3], 0.5, training=False), F.dropout(x[:3], 0.0), F.dropout(x[:3], 1.0))
layer = nn.Dropout(0.25)
print(layer, layer.eval()(x[:4]))
z = torch.ones(100, requires_grad=True)
layer.train()
out = layer(z)
out.sum().backward()
print(torch.equal(z.grad, out.detach()))
print(nn.Dropout2d(0.5)(torch.ones(1, 4, 2, 2)).shape)
try:
    nn.Dropout(1.5)
except ValueError as e:
    print(e)
