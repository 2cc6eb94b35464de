# A key that moves is told at entry, and so is the entry under it.
# relax: open table
# relax: symbolic key
import torch

table = {i: torch.full((2,), float(i)) for i in range(9)}

def step(x, key):  # region
    return x + table[key]

for i in range(5):
    step(torch.ones(2), i)
