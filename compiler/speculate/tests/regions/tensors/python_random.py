# Python's `random` is drawn by the graph.
import random
import torch

random.seed(1)

def step(x):  # region
    if random.random() < 0.5:
        return x * 2
    return x

for _ in range(8):
    step(torch.ones(4))
