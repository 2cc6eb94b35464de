"""Batches that are cut from numpy's arrays by a cursor that wraps around, and steps of slices that hot code reads."""

import numpy as np
import torch
import torch.nn as nn

torch.manual_seed(0)


class Data:
    def __init__(self, n):
        self.images = (np.arange(n * 6).reshape(n, 6) % 13 / 13).astype(np.float32)
        self.labels = np.eye(4)[np.arange(n) * 7 % 4].astype(np.float32)
        self.at, self.n = 0, n

    def next_batch(self, k):
        if self.at + k > self.n:
            self.at = 0
        first = self.at
        self.at += k
        return self.images[first : first + k], self.labels[first : first + k]


data = Data(100)
net = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 4))
optimizer = torch.optim.SGD(net.parameters(), 0.1)
for it in range(120):  # expect: tier 2, at most 20 entries in tier 0
    images, labels = data.next_batch(8)
    target = torch.from_numpy(labels.argmax(1).astype("int64"))
    loss = nn.functional.cross_entropy(net(torch.from_numpy(images)), target)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if it % 20 == 0:
        print(it, data.at, f"{loss.item():.4f}")


class Window:
    """Which of its items a slice names is told by the slice's own parts."""

    def __init__(self, t):
        self.t = t

    def __getitem__(self, key):
        if isinstance(key, slice):
            first = 0 if key.start is None else key.start
            last = len(self.t) if key.stop is None else key.stop
            every = 1 if key.step is None else key.step
            return self.t[first:last].sum() * every
        return self.t[key]


def add_up(window, at):
    return window[at : at + 3] + window[:2] * 2 + window[2::2] + window[at]


window = Window(torch.arange(12.0))
total = torch.zeros(())
for at in range(60):  # expect: tier 2, at most 20 entries in tier 0
    total += add_up(window, at % 8)
print(total)

row = np.arange(8.0)
for at in range(40):  # expect: tier 2, at most 10 entries in tier 0
    taken = torch.from_numpy(row[at % 4 : 8 : 2]).sum() + torch.from_numpy(row[::-1].copy())[at % 8]
    if at % 8 == 0:
        print(at, taken)
