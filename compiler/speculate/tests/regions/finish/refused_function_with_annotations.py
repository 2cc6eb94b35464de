# A function with annotations that was made in the region.
import torch

def step(x):  # region
    y = x * 2

    def scaled(z: float) -> float:
        return y * z

    return scaled

for _ in range(5):
    step(torch.ones(2))
