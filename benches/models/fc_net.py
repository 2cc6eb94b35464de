"""A fully connected net on digits whose activation is chosen by a hyper-parameter.

    python benches/models/fc_net.py [STEPS [SEED [ACTIVATION]]]

Without an activation all are tried in turn, some steps each.
"""

import os
import sys
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

BATCH = 64
SHOWN = 8


def load_digits():
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../examples/data/digits.csv")
    with open(path) as f:
        rows = torch.tensor([[float(v) for v in line.split(",")] for line in f])
    return rows[:, :64] / 16, rows[:, 64].long()


class HyperParameters:
    def __init__(self, activation, lr=0.1, hidden=50):
        self.activation = activation
        self.lr = lr
        self.hidden = hidden


class Net:
    def __init__(self, hp):
        self.hp = hp
        self.fc1 = nn.Linear(64, hp.hidden)
        self.fc2 = nn.Linear(hp.hidden, 10)

    def parameters(self):
        return list(self.fc1.parameters()) + list(self.fc2.parameters())

    def activate(self, x):
        if self.hp.activation == "relu":
            return torch.relu(x)
        elif self.hp.activation == "tanh":
            return torch.tanh(x)
        elif self.hp.activation == "sigmoid":
            return torch.sigmoid(x)
        elif self.hp.activation == "square":
            return x**2
        raise ValueError(f"unknown activation {self.hp.activation}")

    def __call__(self, x):
        return F.log_softmax(self.fc2(self.activate(self.fc1(x))), dim=1)


def train(net, optimizer, x, y, steps):
    batches = len(x) // BATCH
    losses = []
    for step in range(steps):
        at = step % batches * BATCH
        optimizer.zero_grad()
        loss = F.nll_loss(net(x[at : at + BATCH]), y[at : at + BATCH])
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def main():
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else SHOWN
    torch.manual_seed(int(sys.argv[2]) if len(sys.argv) > 2 else 0)
    names = sys.argv[3:] or ["relu", "tanh", "sigmoid", "square"]
    x, y = load_digits()
    seconds = 0.0
    for name in names:
        hp = HyperParameters(name)
        net = Net(hp)
        optimizer = torch.optim.SGD(net.parameters(), lr=hp.lr)
        done = 0
        while done < steps:
            if done == steps // 2:
                start = time.perf_counter()
            # Two pieces, or of a long run two hundred times as many.
            count = min(max(SHOWN // 2, steps // 400), steps - done if done >= steps // 2 else steps // 2 - done)
            losses = train(net, optimizer, x[300:], y[300:], count)
            for step, loss in enumerate(losses[: max(0, SHOWN - done)], done):
                print(f"step {step:2d}  {name:7s} loss {loss:.6f}")
            done += count
            if done > SHOWN:
                print(f"step {done - 1}  {name:7s} loss {losses[-1]:.6f}")
        seconds += time.perf_counter() - start
        with torch.no_grad():
            hits = (net(x[:300]).argmax(1) == y[:300]).sum().item()
        print(f"{name}: accuracy {hits / 300:.4f} after {steps} steps")
    if len(sys.argv) > 1:
        print(f"{len(names) * (steps - steps // 2) / seconds:.2f} steps/s")


if __name__ == "__main__":
    main()
