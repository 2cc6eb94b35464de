# Extents of two inputs that move have to be equal for an addition; this can be told at entry.
# relax: dim a 0
# relax: dim b 0
import torch

def step(a, b):  # region
    return a + b * a

for n in range(2, 7):
    step(torch.ones(n), torch.ones(n))
