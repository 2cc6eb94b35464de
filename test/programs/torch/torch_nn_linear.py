import torch
import torch.nn as nn

torch.manual_seed(0)
layer = nn.Linear(3, 2)
print(layer, layer.weight, layer.bias)
x = torch.randn(4, 3)
print(layer(x), layer(x[0]), layer(x.view(2, 2, 3)).shape)
print(nn.Linear(2, 2, bias=False), nn.Linear(2, 2, bias=False).bias)
model = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1), nn.Sigmoid())
print(model)
print(model(x), len(model), model[0], model[-1], model[:2])
for name, p in model.named_parameters():
    print(name, tuple(p.shape), p.requires_grad)
print(sum(p.numel() for p in model.parameters()))
loss = model(x).sum()
loss.backward()
print([p.grad.abs().sum().item() > 0 for p in model.parameters()], model[2].bias.grad)
model.zero_grad()
print([p.grad for p in model.parameters()])
print(nn.Bilinear(2, 3, 1)(torch.ones(2, 2), torch.ones(2, 3)).shape, nn.Identity()(x).shape, nn.Flatten()(x.view(2, 2, 3)).shape)
emb = nn.Embedding(5, 3, padding_idx=0)
print(emb, emb(torch.tensor([0, 2, 4])), emb.weight.shape)
emb(torch.tensor([0, 2, 2])).sum().backward()
print(emb.weight.grad)
try:
    layer(torch.ones(4, 5))
except RuntimeError as e:
    print(e)
