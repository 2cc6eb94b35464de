# An attribute that one side sets.
import torch

class Best:
    def __init__(self):
        self.loss = 10.0

best = Best()

def step(x):  # region
    y = x.sum().item()
    if y < best.loss:
        best.loss = y
    return x * best.loss

for i in range(6):
    step(torch.full((2,), 5.0 - i + i % 2 * 3))
