# A view that no primitives make.
import torch

def step(x):  # region
    y = x * 2
    return y.as_strided((2, 2), (1, 1))

for _ in range(5):
    step(torch.ones(4))
