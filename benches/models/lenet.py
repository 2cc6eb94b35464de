"""LeNet on handwritten digits, scaled to 28x28.

    python benches/models/lenet.py [STEPS [SEED]]

Prints the first losses and the accuracy; with STEPS also the throughput of the second half.
"""

import os
import sys
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

BATCH = 32
SHOWN = 24


def load_digits():
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../examples/data/digits.csv")
    with open(path) as f:
        rows = torch.tensor([[float(v) for v in line.split(",")] for line in f])
    images = (rows[:, :64] / 16).view(-1, 1, 8, 8)
    return F.interpolate(images, size=(28, 28), mode="bilinear", align_corners=False), rows[:, 64].long()


class LeNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 6, 5, padding=2)
        self.conv2 = nn.Conv2d(6, 16, 5)
        self.fc1 = nn.Linear(16 * 5 * 5, 120)
        self.fc2 = nn.Linear(120, 84)
        self.fc3 = nn.Linear(84, 10)

    def forward(self, x):
        x = F.max_pool2d(torch.relu(self.conv1(x)), 2)
        x = F.max_pool2d(torch.relu(self.conv2(x)), 2)
        x = x.flatten(1)
        x = torch.relu(self.fc1(x))
        x = torch.relu(self.fc2(x))
        return self.fc3(x)


class Trainer:
    def __init__(self, model, images, labels):
        self.model = model
        self.images, self.labels = images, labels
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
        self.order = torch.randperm(len(images))
        self.position = 0
        self.epoch = 0

    def next_batch(self):
        if self.position + BATCH > len(self.images):
            self.order = torch.randperm(len(self.images))
            self.position = 0
            self.epoch += 1
        index = self.order[self.position : self.position + BATCH]
        self.position += BATCH
        return self.images[index], self.labels[index]

    def step(self):
        images, labels = self.next_batch()
        self.optimizer.zero_grad()
        loss = F.cross_entropy(self.model(images), labels)
        loss.backward()
        self.optimizer.step()
        return loss.item()


def accuracy(model, images, labels):
    model.eval()
    with torch.no_grad():
        hits = (model(images).argmax(1) == labels).sum().item()
    model.train()
    return hits / len(labels)


def main():
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else SHOWN
    torch.manual_seed(int(sys.argv[2]) if len(sys.argv) > 2 else 0)
    images, labels = load_digits()
    shuffled = torch.randperm(len(images))
    images, labels = images[shuffled], labels[shuffled]
    model = LeNet()
    trainer = Trainer(model, images[300:], labels[300:])
    start = time.perf_counter()
    for step in range(steps):
        if step == steps // 2:
            start = time.perf_counter()
        loss = trainer.step()
        if step < SHOWN or step % (steps // 400 or 1) == 0:
            print(f"step {step:2d}  loss {loss:.6f}")
    seconds = time.perf_counter() - start
    print(f"accuracy {accuracy(model, images[:300], labels[:300]):.4f} after {steps} steps")
    if len(sys.argv) > 1:
        print(f"{(steps - steps // 2) / seconds:.2f} steps/s")


if __name__ == "__main__":
    main()
