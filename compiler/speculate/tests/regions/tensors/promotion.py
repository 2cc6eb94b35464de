# dtypes meet as PyTorch's do.
import torch

def step(a, b):  # region
    return a + b

for _ in range(5):
    step(torch.ones(2, dtype=torch.int64), torch.ones(2))
