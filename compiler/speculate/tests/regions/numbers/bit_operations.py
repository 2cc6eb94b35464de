# Shifts and masks of ints.
# relax: symbolic n
import torch

def step(x, n):  # region
    return x * ((n << 2) | (n & 3) ^ 1)

for i in range(5):
    step(torch.ones(2), i)
