# The region leaves another grad mode than it found.
import torch

def step(x):  # region
    y = x * 2
    torch.set_grad_enabled(not torch.is_grad_enabled())
    return y

for _ in range(5):
    step(torch.ones(2))
