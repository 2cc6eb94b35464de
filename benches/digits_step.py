"""Steady-state throughput of one training step of examples/digits_mlp.py's network.

Prints steps per second over the second half of the run, so that warm-up does not count.
Run it with janus-jit and with python in turns and compare the medians.
"""

import sys
import time

import torch
import torch.nn as nn


class MLP(nn.Module):
    def __init__(self, hidden=128):
        super().__init__()
        self.fc1 = nn.Linear(64, hidden)
        self.fc2 = nn.Linear(hidden, 10)

    def forward(self, x):
        return self.fc2(torch.relu(self.fc1(x)))


class Trainer:
    def __init__(self, model):
        self.model = model
        self.criterion = nn.CrossEntropyLoss()
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
        self.running_loss = 0.0

    def train_step(self, x, y):
        self.optimizer.zero_grad()
        loss = self.criterion(self.model(x), y)
        loss.backward()
        self.optimizer.step()
        self.running_loss += loss.item() * len(y)


def train(trainer, x, y, steps):
    for _ in range(steps):
        trainer.train_step(x, y)


def main():
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 4000
    if len(sys.argv) > 2:
        torch.set_num_threads(int(sys.argv[2]))
    torch.manual_seed(0)
    x = torch.rand(64, 64)
    y = torch.randint(0, 10, (64,))
    trainer = Trainer(MLP())
    train(trainer, x, y, steps // 2)
    start = time.perf_counter()
    train(trainer, x, y, steps // 2)
    seconds = time.perf_counter() - start
    print(f"{steps // 2 / seconds:.0f} steps/s, running loss {trainer.running_loss:.4f}")


if __name__ == "__main__":
    main()
