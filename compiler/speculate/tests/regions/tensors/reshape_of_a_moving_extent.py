# `view(-1)` of an extent that moves is arithmetic on extents.
# relax: dim x 0
import torch

def step(x):  # region
    return x.view(-1) + x.reshape(x.shape[0] * 2)

for n in range(2, 7):
    step(torch.ones(n, 2))
