# Of a tensor whose extents alone are asked for no element is read at entry.
# relax: dim data 0
import torch

def step(data, x):  # region
    return x * len(data)

for i in range(5):
    step(torch.ones(4, 2), torch.ones(3))
