# Iterators of the region are known item by item.
import torch

def step(xs, ws):  # region
    total = 0
    for i, (x, w) in enumerate(zip(xs, reversed(ws))):
        total = total + x * w * i
    return total

for _ in range(5):
    step([torch.ones(2)] * 3, [1.0, 2.0, 3.0])
