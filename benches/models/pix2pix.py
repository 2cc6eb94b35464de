"""pix2pix: a U-Net turns outlines into filled shapes, judged by a PatchGAN.

    python benches/models/pix2pix.py [STEPS [SEED]]

The two networks' play magnifies what rounds differently: PyTorch on AVX2 and on AVX-512 differ by
1e-3 after 13 steps, hence `pix2pix.avx2.out`.
"""

import sys
import time

import torch
import torch.nn as nn

SIZE = 64
SHOWN = 20


class Down(nn.Module):
    def __init__(self, inputs, outputs, normalize=True):
        super().__init__()
        layers = [nn.Conv2d(inputs, outputs, 4, stride=2, padding=1, bias=not normalize)]
        if normalize:
            layers.append(nn.BatchNorm2d(outputs))
        layers.append(nn.LeakyReLU(0.2))
        self.model = nn.Sequential(*layers)

    def forward(self, x):
        return self.model(x)


class Up(nn.Module):
    def __init__(self, inputs, outputs, dropout=0.0):
        super().__init__()
        layers = [
            nn.ConvTranspose2d(inputs, outputs, 4, stride=2, padding=1, bias=False),
            nn.BatchNorm2d(outputs),
            nn.ReLU(),
        ]
        if dropout:
            layers.append(nn.Dropout(dropout))
        self.model = nn.Sequential(*layers)

    def forward(self, x, skip):
        return torch.cat((self.model(x), skip), 1)


class UNet(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        widths = [width, width * 2, width * 4, width * 8]
        self.downs = nn.ModuleList()
        inputs = 3
        for i, outputs in enumerate(widths):
            self.downs.append(Down(inputs, outputs, normalize=i > 0))
            inputs = outputs
        self.ups = nn.ModuleList()
        for i, outputs in enumerate(reversed(widths[:-1])):
            self.ups.append(Up(inputs, outputs, dropout=0.5 if i == 0 else 0.0))
            inputs = outputs * 2
        self.final = nn.Sequential(nn.ConvTranspose2d(inputs, 3, 4, stride=2, padding=1), nn.Tanh())

    def forward(self, x):
        skips = []
        for down in self.downs:
            x = down(x)
            skips.append(x)
        skips.pop()
        for up in self.ups:
            x = up(x, skips.pop())
        return self.final(x)


class PatchGAN(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.model = nn.Sequential(
            Down(6, width, normalize=False),
            Down(width, width * 2),
            Down(width * 2, width * 4),
            nn.ZeroPad2d((1, 0, 1, 0)),
            nn.Conv2d(width * 4, 1, 4, padding=1, bias=False),
        )

    def forward(self, outline, picture):
        return self.model(torch.cat((outline, picture), 1))


def init_weights(m):
    if isinstance(m, (nn.Conv2d, nn.ConvTranspose2d)):
        nn.init.normal_(m.weight, 0.0, 0.02)
    elif isinstance(m, nn.BatchNorm2d):
        nn.init.normal_(m.weight, 1.0, 0.02)
        nn.init.zeros_(m.bias)


def make_pair():
    """The outline of a circle and a bar, and the same filled with colours."""
    axis = torch.linspace(-1, 1, SIZE)
    y, x = torch.meshgrid(axis, axis, indexing="ij")
    cx, cy, r, w = (torch.rand(4) * torch.tensor([1.0, 1.0, 0.3, 0.3]) + torch.tensor([-0.5, -0.5, 0.2, 0.1])).tolist()
    distance = torch.sqrt((x - cx) ** 2 + (y - cy) ** 2) - r
    bar = (x + y).abs() - w
    outline = ((distance.abs() < 0.05) | (bar.abs() < 0.05)).float() * 2 - 1
    circle, inside = (distance < 0).float(), (bar < 0).float()
    picture = torch.stack([circle, inside, (1 - circle) * (1 - inside)]) * 2 - 1
    return outline.unsqueeze(0).repeat(3, 1, 1), picture


class Pix2Pix:
    def __init__(self):
        self.generator = UNet().apply(init_weights)
        self.discriminator = PatchGAN().apply(init_weights)
        self.gan_loss = nn.MSELoss()
        self.pixel_loss = nn.L1Loss()
        self.weight = 100.0
        self.g_optimizer = torch.optim.Adam(self.generator.parameters(), lr=2e-4, betas=(0.5, 0.999))
        self.d_optimizer = torch.optim.Adam(self.discriminator.parameters(), lr=2e-4, betas=(0.5, 0.999))

    def step(self, outline, real):
        self.g_optimizer.zero_grad()
        fake = self.generator(outline)
        verdict = self.discriminator(outline, fake)
        pixel = self.pixel_loss(fake, real)
        g_loss = self.gan_loss(verdict, torch.ones_like(verdict)) + self.weight * pixel
        g_loss.backward()
        self.g_optimizer.step()

        self.d_optimizer.zero_grad()
        on_real = self.discriminator(outline, real)
        on_fake = self.discriminator(outline, fake.detach())
        d_loss = 0.5 * (
            self.gan_loss(on_real, torch.ones_like(on_real)) + self.gan_loss(on_fake, torch.zeros_like(on_fake))
        )
        d_loss.backward()
        self.d_optimizer.step()
        return g_loss.item(), d_loss.item(), pixel.item()


def main():
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else SHOWN
    torch.manual_seed(int(sys.argv[2]) if len(sys.argv) > 2 else 0)
    pairs = [make_pair() for _ in range(16)]
    model = Pix2Pix()
    start = time.perf_counter()
    for step in range(steps):
        if step == steps // 2:
            start = time.perf_counter()
        outline, picture = pairs[step % len(pairs)]
        g_loss, d_loss, pixel = model.step(outline.unsqueeze(0), picture.unsqueeze(0))
        if step < SHOWN or step % (steps // 400 or 1) == 0:
            print(f"step {step:2d}  generator {g_loss:.6f}  discriminator {d_loss:.6f}  pixels {pixel:.6f}")
    seconds = time.perf_counter() - start
    print(f"pixels {pixel:.5f} after {steps} steps")
    if len(sys.argv) > 1:
        print(f"{(steps - steps // 2) / seconds:.2f} steps/s")


if __name__ == "__main__":
    main()
