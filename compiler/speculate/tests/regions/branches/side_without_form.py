# Of two sides that nobody saw, one has no graph form: the other one is taken for granted.
import numpy as np
import torch

a = np.ones(4)

def step(w):  # region
    return w * torch.from_numpy(a * 2.0)

for i in range(5):
    step(torch.ones(4))
