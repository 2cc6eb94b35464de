"""An adversarial network (GAN) that learns to draw handwritten digits.

    python benches/models/an.py [STEPS [SEED]]
"""

import os
import sys
import time

import torch
import torch.nn as nn

BATCH = 32
NOISE = 32
SHOWN = 22


def load_digits():
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../examples/data/digits.csv")
    with open(path) as f:
        return torch.tensor([[float(v) / 8 - 1 for v in line.split(",")[:64]] for line in f])


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = nn.Sequential(
            nn.Linear(NOISE, 128),
            nn.BatchNorm1d(128),
            nn.LeakyReLU(0.2, inplace=True),
            nn.Linear(128, 256),
            nn.BatchNorm1d(256),
            nn.LeakyReLU(0.2, inplace=True),
            nn.Linear(256, 64),
            nn.Tanh(),
        )

    def forward(self, z):
        return self.model(z)


class Discriminator(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = nn.Sequential(
            nn.Linear(64, 128),
            nn.LeakyReLU(0.2),
            nn.Dropout(0.3),
            nn.Linear(128, 64),
            nn.LeakyReLU(0.2),
            nn.Linear(64, 1),
            nn.Sigmoid(),
        )

    def forward(self, x):
        return self.model(x)


class GAN:
    def __init__(self, images):
        self.images = images
        self.generator = Generator()
        self.discriminator = Discriminator()
        self.criterion = nn.BCELoss()
        self.g_optimizer = torch.optim.Adam(self.generator.parameters(), lr=5e-4, betas=(0.5, 0.999))
        self.d_optimizer = torch.optim.Adam(self.discriminator.parameters(), lr=5e-4, betas=(0.5, 0.999))

    def step(self):
        real = self.images[torch.randint(0, len(self.images), (BATCH,))]
        ones, zeros = torch.ones(BATCH, 1), torch.zeros(BATCH, 1)

        self.d_optimizer.zero_grad()
        real_loss = self.criterion(self.discriminator(real), ones)
        fake = self.generator(torch.randn(BATCH, NOISE))
        fake_loss = self.criterion(self.discriminator(fake.detach()), zeros)
        d_loss = (real_loss + fake_loss) / 2
        d_loss.backward()
        self.d_optimizer.step()

        self.g_optimizer.zero_grad()
        g_loss = self.criterion(self.discriminator(fake), ones)
        g_loss.backward()
        self.g_optimizer.step()
        return d_loss.item(), g_loss.item()


def main():
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else SHOWN
    torch.manual_seed(int(sys.argv[2]) if len(sys.argv) > 2 else 0)
    gan = GAN(load_digits())
    start = time.perf_counter()
    for step in range(steps):
        if step == steps // 2:
            start = time.perf_counter()
        d_loss, g_loss = gan.step()
        if step < SHOWN or step % (steps // 400 or 1) == 0:
            print(f"step {step:2d}  discriminator {d_loss:.6f}  generator {g_loss:.6f}")
    seconds = time.perf_counter() - start
    gan.generator.eval()
    with torch.no_grad():
        sample = gan.generator(torch.randn(200, NOISE))
    print(f"mean pixel {sample.mean().item():.4f}, of the digits {gan.images.mean().item():.4f}")
    if len(sys.argv) > 1:
        print(f"{(steps - steps // 2) / seconds:.2f} steps/s")


if __name__ == "__main__":
    main()
