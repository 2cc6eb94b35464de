"""One training step of examples/digits_mlp.py's network, over and over.

    digits_step.py [STEPS]

Prints the loss now and then, and at the end the steps per second of about the second half.
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


def main():
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 4000
    torch.manual_seed(0)
    x = torch.rand(64, 64)
    y = torch.randint(0, 10, (64,))
    trainer = Trainer(MLP())
    done, half = 0, steps // 2
    start = time.perf_counter()
    while done < steps:
        # One by one at first, then so many that printing them costs nothing.
        chunk = 1 if done < 20 else min(100, (half if done < half else steps) - done)
        for _ in range(chunk):
            trainer.train_step(x, y)
        done += chunk
        print(f"step {done} running loss {trainer.running_loss:.4f}")
        if done == half:
            start = time.perf_counter()
    seconds = time.perf_counter() - start
    print(f"{(steps - half) / seconds:.0f} steps/s")


if __name__ == "__main__":
    main()
