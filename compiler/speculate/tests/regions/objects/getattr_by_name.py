# `getattr`, `setattr` and `hasattr` with names that are known.
import torch

class Box:
    pass

def step(x):  # region
    b = Box()
    setattr(b, "w", x * 2)
    return getattr(b, "w") + (1 if hasattr(b, "v") else 2)

for _ in range(5):
    step(torch.ones(2))
