# A warning that a filter ignores, whatever it says.
import warnings

import torch

warnings.filterwarnings("ignore", category=UserWarning)
x = torch.ones(3)

def step(x, k):  # region
    warnings.warn(f"number {k}")
    return x * k

for i in range(5):
    step(x, i)
