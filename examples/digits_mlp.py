"""Trains a small network on real handwritten digits.

    janus-jit run examples/digits_mlp.py
    python examples/digits_mlp.py            # prints the same with PyTorch
"""

import csv
import os

import torch
import torch.nn as nn

BATCH_SIZE = 64
EPOCHS = 20
PATIENCE = 2


def load_digits(path):
    images, labels = [], []
    with open(path, newline="") as f:
        for row in csv.reader(f):
            values = [float(v) for v in row]
            images.append([v / 16.0 for v in values[:64]])
            labels.append(int(values[64]))
    return torch.tensor(images), torch.tensor(labels)


class Loader:
    """Mini-batches, in a new order each epoch if asked to. The last one may be smaller."""

    def __init__(self, x, y, batch_size, shuffle=False):
        self.x = x
        self.y = y
        self.batch_size = batch_size
        self.shuffle = shuffle

    def __iter__(self):
        n = len(self.x)
        order = torch.randperm(n) if self.shuffle else torch.arange(n)
        for start in range(0, n, self.batch_size):
            index = order[start : start + self.batch_size]
            yield self.x[index], self.y[index]


class MLP(nn.Module):
    def __init__(self, hidden=128):
        super().__init__()
        self.fc1 = nn.Linear(64, hidden)
        self.fc2 = nn.Linear(hidden, 10)

    def forward(self, x):
        return self.fc2(torch.relu(self.fc1(x)))


class Trainer:
    def __init__(self, model, lr=0.05):
        self.model = model
        self.criterion = nn.CrossEntropyLoss()
        self.optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)
        self.running_loss = 0.0
        self.best_loss = float("inf")
        self.stalled = 0

    def train_step(self, x, y):
        self.optimizer.zero_grad()
        loss = self.criterion(self.model(x), y)
        loss.backward()
        self.optimizer.step()
        self.running_loss += loss.item() * len(y)

    def eval_step(self, x, y):
        logits = self.model(x)
        loss = self.criterion(logits, y)
        correct = (logits.argmax(dim=1) == y).sum()
        return loss.item() * len(y), correct.item()

    def train_epoch(self, loader):
        self.model.train()
        self.running_loss = 0.0
        for x, y in loader:
            self.train_step(x, y)
        return self.running_loss / len(loader.x)

    def evaluate(self, loader):
        self.model.eval()
        total, correct = 0.0, 0
        with torch.no_grad():
            for x, y in loader:
                loss, hits = self.eval_step(x, y)
                total += loss
                correct += hits
        return total / len(loader.x), correct / len(loader.x)

    def adapt(self, val_loss):
        """Halves the learning rate when the validation loss has stalled."""
        if val_loss < self.best_loss - 1e-3:
            self.best_loss = val_loss
            self.stalled = 0
        else:
            self.stalled += 1
        if self.stalled >= PATIENCE:
            for group in self.optimizer.param_groups:
                group["lr"] *= 0.5
            self.stalled = 0
            print(f"  learning rate is now {self.optimizer.param_groups[0]['lr']:g}")


def main():
    torch.manual_seed(0)
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data", "digits.csv")
    x, y = load_digits(path)
    print(f"{len(x)} images of {x.shape[1]} pixels, {int(y.max()) + 1} classes")
    train = Loader(x, y, BATCH_SIZE, shuffle=True)
    # Every fourth image, in their order, to look at after each epoch.
    val = Loader(x[::4], y[::4], BATCH_SIZE)
    model = MLP()
    print(model)
    trainer = Trainer(model)
    for epoch in range(1, EPOCHS + 1):
        train_loss = trainer.train_epoch(train)
        val_loss, accuracy = trainer.evaluate(val)
        print(
            f"epoch {epoch:2d}  train loss {train_loss:.5f}  "
            f"val loss {val_loss:.5f}  accuracy {100 * accuracy:.2f}%"
        )
        trainer.adapt(val_loss)


if __name__ == "__main__":
    main()
