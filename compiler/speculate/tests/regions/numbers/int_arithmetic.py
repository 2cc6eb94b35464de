# Ints that move: each operation checks that the result fits into 64 bits.
# relax: symbolic a
# relax: symbolic b
import torch

def step(x, a, b):  # region
    return x * (a * b - a // 3 + (a % 5))

for i in range(1, 6):
    step(torch.ones(2), i, i + 1)
