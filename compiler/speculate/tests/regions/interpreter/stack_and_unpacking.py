# Star targets, swaps, nested tuples: only the stack.
import torch

def step(x):  # region
    a, (b, *rest) = x, (x + 1, x + 2, x + 3)
    a, b = b, a
    first, *_ = rest
    return a - b * first

for _ in range(5):
    step(torch.ones(2))
