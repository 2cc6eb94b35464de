# Ints are 64 bits in a graph: a sum that does not fit fails its assert, and tier 0 makes a big int.
# relax: symbolic n
import torch

def step(x, n):  # region
    return x + (n * 3 + 1)

for i in range(5):
    step(torch.ones(2), i)
