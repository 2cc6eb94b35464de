# A tensor made of constants is one op; nothing of it is read at entry.
import torch

def step(x):  # region
    return x @ torch.tensor([[1.0, 2.0], [3.0, 4.0]])

for _ in range(5):
    step(torch.ones(2, 2))
