"""A vision transformer on handwritten digits, scaled to 16x16.

    python benches/models/vit.py [STEPS [SEED]]
"""

import os
import sys
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

BATCH = 32
SHOWN = 22


def load_digits():
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../examples/data/digits.csv")
    with open(path) as f:
        rows = torch.tensor([[float(v) for v in line.split(",")] for line in f])
    images = (rows[:, :64] / 16).view(-1, 1, 8, 8)
    return F.interpolate(images, scale_factor=2, mode="nearest"), rows[:, 64].long()


class Block(nn.Module):
    def __init__(self, width, heads, dropout):
        super().__init__()
        self.norm1 = nn.LayerNorm(width)
        self.attention = nn.MultiheadAttention(width, heads, batch_first=True)
        self.norm2 = nn.LayerNorm(width)
        self.mlp = nn.Sequential(
            nn.Linear(width, 2 * width), nn.GELU(), nn.Dropout(dropout), nn.Linear(2 * width, width)
        )

    def forward(self, x):
        y = self.norm1(x)
        y, _ = self.attention(y, y, y, need_weights=False)
        x = x + y
        return x + self.mlp(self.norm2(x))


class ViT(nn.Module):
    def __init__(self, size=16, patch=4, width=48, depth=3, heads=4, classes=10, dropout=0.1):
        super().__init__()
        self.patches = nn.Conv2d(1, width, patch, stride=patch)
        count = (size // patch) ** 2
        self.cls = nn.Parameter(torch.zeros(1, 1, width))
        self.positions = nn.Parameter(0.02 * torch.randn(1, count + 1, width))
        self.blocks = nn.ModuleList([Block(width, heads, dropout) for _ in range(depth)])
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, classes)

    def forward(self, images):
        x = self.patches(images).flatten(2).transpose(1, 2)
        x = torch.cat([self.cls.expand(x.size(0), -1, -1), x], dim=1) + self.positions
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x[:, 0]))


def main():
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else SHOWN
    torch.manual_seed(int(sys.argv[2]) if len(sys.argv) > 2 else 0)
    images, labels = load_digits()
    train = torch.utils.data.TensorDataset(images[300:], labels[300:])
    loader = torch.utils.data.DataLoader(train, batch_size=BATCH, shuffle=True, drop_last=True)
    model = ViT()
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=steps)
    step = 0
    start = time.perf_counter()
    while step < steps:
        for x, y in loader:
            if step == steps:
                break
            if step == steps // 2:
                start = time.perf_counter()
            loss = F.cross_entropy(model(x), y, label_smoothing=0.1)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            if step < SHOWN or step % (steps // 400 or 1) == 0:
                print(f"step {step:2d}  loss {loss.item():.6f}")
            step += 1
    seconds = time.perf_counter() - start
    model.eval()
    with torch.no_grad():
        hits = (model(images[:300]).argmax(1) == labels[:300]).sum().item()
    print(f"accuracy {hits / 300:.4f} after {steps} steps")
    if len(sys.argv) > 1:
        print(f"{(steps - steps // 2) / seconds:.2f} steps/s")


if __name__ == "__main__":
    main()
