# A `while` whose condition the graph computes.
import torch

def step(x):  # region
    n = 0
    while x.sum() < 100 and n < 60:
        x = x * 2
        n += 1
    return x, n

for i in range(5):
    step(torch.full((2,), i + 1.0))
