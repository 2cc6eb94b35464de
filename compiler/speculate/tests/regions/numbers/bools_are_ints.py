# Bools that the graph computes, added up.
import torch

def step(x, a, b):  # region
    return x * ((a > 1.0) + (b > 1.0))

for i in range(5):
    step(torch.ones(2), float(i), float(i) - 1)
