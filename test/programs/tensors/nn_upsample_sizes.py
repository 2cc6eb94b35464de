# Sizes that settings decide: one module at two sizes, a factor that is no whole number, one that moves.
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)


class Up(nn.Module):
    def __init__(self, factor):
        super().__init__()
        self.up = nn.Upsample(scale_factor=factor, mode="bilinear", align_corners=True)
        self.conv = nn.Conv2d(2, 2, 3, padding=1)

    def forward(self, x, skip):
        x = self.up(x)
        d = skip.size(2) - x.size(2)
        x = F.pad(x, [d // 2, d - d // 2, d // 2, d - d // 2])
        return F.relu(self.conv(x + skip))


inc, first, second = nn.Conv2d(1, 2, 3, padding=1), Up(2), Up(1.5)
opt = torch.optim.SGD([*inc.parameters(), *first.parameters(), *second.parameters()], lr=0.05)
for step in range(12):
    x = torch.randn(2, 1, 14, 14)
    a = inc(x)
    b = F.max_pool2d(a, 2)
    c = F.max_pool2d(b, 2)
    loss = (second(first(c, b), a) - x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 4 == 3:
        print(step, f"{loss.item():.4f}")


class Crop:
    """Keeps a part of the columns; how large that is changes now and then, or in each step."""

    def __init__(self):
        self.share = 0.75
        self.level = 0.1

    def __call__(self, x):
        k = math.ceil(x.shape[1] * self.share)
        low = int(self.level * 10) % 3
        return x[:, low:k] * k


crop = Crop()
w = torch.ones(3, 8)
for i in range(30):
    y = crop(w)
    w = w * 0.9 + y.mean() * 0.1
    if i == 15:
        crop.share = 0.4
    if i > 20:
        crop.level += 0.07
print(k := tuple(y.shape), f"{w.mean().item():.1f}")

scale = 1.0
total = torch.zeros(4)
for i in range(20):
    scale *= 1.1
    total = total + torch.ones(4) * int(scale) + math.floor(scale / 2)
print(total.tolist())
