"""Inception-v3 with its towers and its auxiliary classifier, on small pictures made by a formula.

    python benches/models/inception_v3.py [STEPS [SEED]]
"""

import sys
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

BATCH = 8
SIZE = 107
CLASSES = 10
SHOWN = 22


class ConvBN(nn.Module):
    def __init__(self, in_channels, out_channels, **kwargs):
        super().__init__()
        self.conv = nn.Conv2d(in_channels, out_channels, bias=False, **kwargs)
        self.bn = nn.BatchNorm2d(out_channels, eps=0.001)

    def forward(self, x):
        return F.relu(self.bn(self.conv(x)), inplace=True)


class InceptionA(nn.Module):
    def __init__(self, in_channels, pool_features):
        super().__init__()
        self.branch1x1 = ConvBN(in_channels, 64, kernel_size=1)
        self.branch5x5_1 = ConvBN(in_channels, 48, kernel_size=1)
        self.branch5x5_2 = ConvBN(48, 64, kernel_size=5, padding=2)
        self.branch3x3dbl_1 = ConvBN(in_channels, 64, kernel_size=1)
        self.branch3x3dbl_2 = ConvBN(64, 96, kernel_size=3, padding=1)
        self.branch3x3dbl_3 = ConvBN(96, 96, kernel_size=3, padding=1)
        self.branch_pool = ConvBN(in_channels, pool_features, kernel_size=1)

    def forward(self, x):
        branch1x1 = self.branch1x1(x)
        branch5x5 = self.branch5x5_2(self.branch5x5_1(x))
        branch3x3 = self.branch3x3dbl_3(self.branch3x3dbl_2(self.branch3x3dbl_1(x)))
        pooled = self.branch_pool(F.avg_pool2d(x, kernel_size=3, stride=1, padding=1))
        return torch.cat([branch1x1, branch5x5, branch3x3, pooled], 1)


class InceptionB(nn.Module):
    def __init__(self, in_channels):
        super().__init__()
        self.branch3x3 = ConvBN(in_channels, 384, kernel_size=3, stride=2)
        self.branch3x3dbl_1 = ConvBN(in_channels, 64, kernel_size=1)
        self.branch3x3dbl_2 = ConvBN(64, 96, kernel_size=3, padding=1)
        self.branch3x3dbl_3 = ConvBN(96, 96, kernel_size=3, stride=2)

    def forward(self, x):
        branch3x3 = self.branch3x3(x)
        double = self.branch3x3dbl_3(self.branch3x3dbl_2(self.branch3x3dbl_1(x)))
        return torch.cat([branch3x3, double, F.max_pool2d(x, kernel_size=3, stride=2)], 1)


class InceptionC(nn.Module):
    def __init__(self, in_channels, c7):
        super().__init__()
        self.branch1x1 = ConvBN(in_channels, 192, kernel_size=1)
        self.branch7x7_1 = ConvBN(in_channels, c7, kernel_size=1)
        self.branch7x7_2 = ConvBN(c7, c7, kernel_size=(1, 7), padding=(0, 3))
        self.branch7x7_3 = ConvBN(c7, 192, kernel_size=(7, 1), padding=(3, 0))
        self.branch7x7dbl_1 = ConvBN(in_channels, c7, kernel_size=1)
        self.branch7x7dbl_2 = ConvBN(c7, c7, kernel_size=(7, 1), padding=(3, 0))
        self.branch7x7dbl_3 = ConvBN(c7, c7, kernel_size=(1, 7), padding=(0, 3))
        self.branch7x7dbl_4 = ConvBN(c7, c7, kernel_size=(7, 1), padding=(3, 0))
        self.branch7x7dbl_5 = ConvBN(c7, 192, kernel_size=(1, 7), padding=(0, 3))
        self.branch_pool = ConvBN(in_channels, 192, kernel_size=1)

    def forward(self, x):
        outputs = [self.branch1x1(x)]
        outputs.append(self.branch7x7_3(self.branch7x7_2(self.branch7x7_1(x))))
        double = x
        for layer in (
            self.branch7x7dbl_1,
            self.branch7x7dbl_2,
            self.branch7x7dbl_3,
            self.branch7x7dbl_4,
            self.branch7x7dbl_5,
        ):
            double = layer(double)
        outputs.append(double)
        outputs.append(self.branch_pool(F.avg_pool2d(x, kernel_size=3, stride=1, padding=1)))
        return torch.cat(outputs, 1)


class InceptionD(nn.Module):
    def __init__(self, in_channels):
        super().__init__()
        self.branch3x3_1 = ConvBN(in_channels, 192, kernel_size=1)
        self.branch3x3_2 = ConvBN(192, 320, kernel_size=3, stride=2)
        self.branch7x7x3_1 = ConvBN(in_channels, 192, kernel_size=1)
        self.branch7x7x3_2 = ConvBN(192, 192, kernel_size=(1, 7), padding=(0, 3))
        self.branch7x7x3_3 = ConvBN(192, 192, kernel_size=(7, 1), padding=(3, 0))
        self.branch7x7x3_4 = ConvBN(192, 192, kernel_size=3, stride=2)

    def forward(self, x):
        branch3x3 = self.branch3x3_2(self.branch3x3_1(x))
        branch7x7 = self.branch7x7x3_4(self.branch7x7x3_3(self.branch7x7x3_2(self.branch7x7x3_1(x))))
        return torch.cat([branch3x3, branch7x7, F.max_pool2d(x, kernel_size=3, stride=2)], 1)


class InceptionE(nn.Module):
    def __init__(self, in_channels):
        super().__init__()
        self.branch1x1 = ConvBN(in_channels, 320, kernel_size=1)
        self.branch3x3_1 = ConvBN(in_channels, 384, kernel_size=1)
        self.branch3x3_2a = ConvBN(384, 384, kernel_size=(1, 3), padding=(0, 1))
        self.branch3x3_2b = ConvBN(384, 384, kernel_size=(3, 1), padding=(1, 0))
        self.branch3x3dbl_1 = ConvBN(in_channels, 448, kernel_size=1)
        self.branch3x3dbl_2 = ConvBN(448, 384, kernel_size=3, padding=1)
        self.branch3x3dbl_3a = ConvBN(384, 384, kernel_size=(1, 3), padding=(0, 1))
        self.branch3x3dbl_3b = ConvBN(384, 384, kernel_size=(3, 1), padding=(1, 0))
        self.branch_pool = ConvBN(in_channels, 192, kernel_size=1)

    def forward(self, x):
        branch3x3 = self.branch3x3_1(x)
        branch3x3 = torch.cat([self.branch3x3_2a(branch3x3), self.branch3x3_2b(branch3x3)], 1)
        double = self.branch3x3dbl_2(self.branch3x3dbl_1(x))
        double = torch.cat([self.branch3x3dbl_3a(double), self.branch3x3dbl_3b(double)], 1)
        pooled = self.branch_pool(F.avg_pool2d(x, kernel_size=3, stride=1, padding=1))
        return torch.cat([self.branch1x1(x), branch3x3, double, pooled], 1)


class InceptionAux(nn.Module):
    def __init__(self, in_channels, num_classes):
        super().__init__()
        self.conv0 = ConvBN(in_channels, 128, kernel_size=1)
        self.conv1 = ConvBN(128, 768, kernel_size=5)
        self.fc = nn.Linear(768, num_classes)

    def forward(self, x):
        # The pictures are smaller than ImageNet's, so nothing is pooled before the convolutions.
        x = self.conv1(self.conv0(x))
        x = F.adaptive_avg_pool2d(x, (1, 1))
        return self.fc(torch.flatten(x, 1))


class Inception3(nn.Module):
    def __init__(self, num_classes, aux_logits=True, dropout=0.5):
        super().__init__()
        self.aux_logits = aux_logits
        self.Conv2d_1a_3x3 = ConvBN(3, 32, kernel_size=3, stride=2)
        self.Conv2d_2a_3x3 = ConvBN(32, 32, kernel_size=3)
        self.Conv2d_2b_3x3 = ConvBN(32, 64, kernel_size=3, padding=1)
        self.Conv2d_3b_1x1 = ConvBN(64, 80, kernel_size=1)
        self.Conv2d_4a_3x3 = ConvBN(80, 192, kernel_size=3)
        self.Mixed_5 = nn.Sequential(InceptionA(192, 32), InceptionA(256, 64), InceptionA(288, 64))
        self.Mixed_6a = InceptionB(288)
        self.Mixed_6 = nn.ModuleList([InceptionC(768, c7) for c7 in (128, 160, 160, 192)])
        self.AuxLogits = InceptionAux(768, num_classes) if aux_logits else None
        self.Mixed_7a = InceptionD(768)
        self.Mixed_7b = InceptionE(1280)
        self.Mixed_7c = InceptionE(2048)
        self.dropout = nn.Dropout(dropout)
        self.fc = nn.Linear(2048, num_classes)

    def forward(self, x):
        x = self.Conv2d_2b_3x3(self.Conv2d_2a_3x3(self.Conv2d_1a_3x3(x)))
        x = F.max_pool2d(x, kernel_size=3, stride=2)
        x = self.Conv2d_4a_3x3(self.Conv2d_3b_1x1(x))
        x = F.max_pool2d(x, kernel_size=3, stride=2)
        x = self.Mixed_6a(self.Mixed_5(x))
        for mixed in self.Mixed_6:
            x = mixed(x)
        aux = None
        if self.training and self.aux_logits:
            aux = self.AuxLogits(x)
        x = self.Mixed_7c(self.Mixed_7b(self.Mixed_7a(x)))
        x = F.adaptive_avg_pool2d(x, (1, 1))
        x = self.dropout(x)
        x = self.fc(torch.flatten(x, 1))
        if self.training and self.aux_logits:
            return x, aux
        return x


def make_pictures(count):
    """Rings and bars: the class is the frequency, the channels are shifted against each other."""
    labels = torch.arange(count) % CLASSES
    axis = torch.linspace(-1, 1, SIZE)
    y, x = torch.meshgrid(axis, axis, indexing="ij")
    frequency = (labels.float() + 2).view(-1, 1, 1, 1)
    phase = torch.tensor([0.0, 1.0, 2.0]).view(1, 3, 1, 1)
    pictures = torch.sin(frequency * torch.sqrt(x * x + y * y) * 3 + phase)
    return pictures + 0.2 * torch.randn(count, 3, SIZE, SIZE), labels


class Trainer:
    def __init__(self, model, pictures, labels):
        self.model = model
        self.pictures, self.labels = pictures, labels
        self.optimizer = torch.optim.RMSprop(model.parameters(), lr=3e-4, alpha=0.9, eps=1.0)
        self.seen = 0

    def step(self):
        at = self.seen % len(self.pictures)
        x, y = self.pictures[at : at + BATCH], self.labels[at : at + BATCH]
        self.seen += BATCH
        self.optimizer.zero_grad()
        logits, aux = self.model(x)
        loss = F.cross_entropy(logits, y) + 0.4 * F.cross_entropy(aux, y)
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 2.0)
        self.optimizer.step()
        return loss.item()


def main():
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else SHOWN
    torch.manual_seed(int(sys.argv[2]) if len(sys.argv) > 2 else 0)
    model = Inception3(CLASSES)
    print(f"{sum(p.numel() for p in model.parameters())} parameters")
    trainer = Trainer(model, *make_pictures(40))
    start = time.perf_counter()
    for step in range(steps):
        if step == steps // 2:
            start = time.perf_counter()
        loss = trainer.step()
        if step < SHOWN or step % (steps // 400 or 1) == 0:
            print(f"step {step:2d}  loss {loss:.6f}")
    seconds = time.perf_counter() - start
    print(f"{trainer.seen} pictures seen")
    if len(sys.argv) > 1:
        print(f"{(steps - steps // 2) / seconds:.2f} steps/s")


if __name__ == "__main__":
    main()
