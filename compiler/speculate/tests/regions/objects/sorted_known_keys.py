# Sorting by keys that are known.
import torch

def step(x):  # region
    pairs = sorted([(3, x), (1, x * 2), (2, x * 3)], key=lambda p: p[0])
    return pairs[0][1] - pairs[2][1]

for _ in range(5):
    step(torch.ones(2))
