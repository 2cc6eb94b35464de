# `x[a:b]` with bounds that move.
# relax: symbolic i
import torch

data = torch.ones(20, 2)

def step(i):  # region
    return data[i : i + 2].sum()

for i in range(5):
    step(i)
