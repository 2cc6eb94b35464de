# Adam, AdamW, RMSprop, Adagrad and NAdam-like settings train the same small net.
import torch
from torch import nn


def train(make):
    torch.manual_seed(2)
    model = nn.Sequential(nn.Linear(5, 8), nn.ReLU(), nn.Linear(8, 1))
    opt = make(model.parameters())
    x, y = torch.randn(16, 5), torch.randn(16, 1)
    for i in range(15):
        opt.zero_grad()
        loss = ((model(x) - y) ** 2).mean()
        loss.backward()
        opt.step()
    return loss.item(), model[2].bias.item()


for name, make in {
    "adam": lambda p: torch.optim.Adam(p, lr=0.01),
    "adam wd": lambda p: torch.optim.Adam(p, lr=0.01, betas=(0.8, 0.99), eps=1e-6, weight_decay=0.1),
    "amsgrad": lambda p: torch.optim.Adam(p, lr=0.01, amsgrad=True),
    "adamw": lambda p: torch.optim.AdamW(p, lr=0.01, weight_decay=0.1),
    "rmsprop": lambda p: torch.optim.RMSprop(p, lr=0.01),
    "rmsprop m": lambda p: torch.optim.RMSprop(p, lr=0.01, momentum=0.9, centered=True, alpha=0.9),
    "adagrad": lambda p: torch.optim.Adagrad(p, lr=0.05),
}.items():
    loss, bias = train(make)
    print(f"{name:<10} {loss:.6f} {bias:.5f}")
