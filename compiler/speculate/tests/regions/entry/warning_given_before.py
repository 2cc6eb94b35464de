# A warning that was given at its line before does nothing: what makes it do so is guarded.
import warnings

import torch
import torch.nn.functional as F

warnings.showwarning = lambda *args: None
x = torch.ones(3, 4)

def step(x):  # region
    return F.softmax(x)

for i in range(5):
    step(x)
